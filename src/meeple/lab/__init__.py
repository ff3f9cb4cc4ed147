"""Measuring games and agents: simulations, studies, tuning, exact solutions, plots."""
