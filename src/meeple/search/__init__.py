"""Search for every game: trees and playouts over determinizations (possible worlds consistent with what the seat knows).

Compiled once for each game's state. The code calls a determinization a world.
"""
