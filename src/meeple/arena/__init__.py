"""Honest matches: the same deals with seats exchanged, intervals, ratings, and every game kept."""
