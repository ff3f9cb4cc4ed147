"""Placeholder."""
KINDS = {}
