"""What a process remembers of the store: matches, clocks, names, ratings, whose turn is next."""
