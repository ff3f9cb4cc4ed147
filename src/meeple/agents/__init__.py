"""Agents for every game, and the register that finds all of them, those of single games included."""
