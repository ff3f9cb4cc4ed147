"""Agents for every game, and the registry that finds all agents, including those of single games."""
