"""The command `meeple`: reads what was typed, calls the folders below, prints tables or JSON. No logic of its own."""
