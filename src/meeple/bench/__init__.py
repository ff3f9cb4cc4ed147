"""How fast? Always beside something else in the same run."""
