"""The promises that every game keeps, as functions for tests; not needed to play."""
