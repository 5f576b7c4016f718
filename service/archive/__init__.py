"""Finished matches go into the archive, and what it holds can be proven."""
