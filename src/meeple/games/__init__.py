"""One folder, one game. Adding a folder adds a game everywhere; no list is edited."""
