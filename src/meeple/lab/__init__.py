"""Measuring games and programs: simulations, benchmarks, studies."""
