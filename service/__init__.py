"""Commands in, views out."""
