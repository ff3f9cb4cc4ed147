"""People at the table: a game between a person and agents, saved after every move."""
