"""Whether a log is true: everything in it derived again, and one verdict."""
