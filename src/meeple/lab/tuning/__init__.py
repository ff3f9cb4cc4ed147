"""Tuning over a search space: grid, TPE, random (Optuna) and population based training (Ray Tune)."""
