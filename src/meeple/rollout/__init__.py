"""Games played by the thousand, compiled: playouts, batches, tables of agents, rewards, and going through finished games again."""
