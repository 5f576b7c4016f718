"""Everything that a house has, in a folder, and back: the same bytes, whatever kind of store they lie in."""
