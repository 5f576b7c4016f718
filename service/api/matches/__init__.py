"""Routes of matches: the lobby, the table, the log."""
