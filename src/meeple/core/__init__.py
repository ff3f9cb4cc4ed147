"""The contract a game fulfils once, and what every other folder builds on. Knows no game."""
