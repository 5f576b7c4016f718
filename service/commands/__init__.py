"""What may be done to a match: a record for each command, and the handler that appends its events."""
