"""Games played by the thousand, compiled: playouts, batches, tables of agents, rewards, and statistics of finished games."""
