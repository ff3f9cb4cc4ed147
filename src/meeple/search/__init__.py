"""Search for every game: trees and playouts over worlds as they may be, compiled once for each game's state."""
