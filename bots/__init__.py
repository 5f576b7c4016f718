"""Opponents. A bot sees the view of its seat and the legal actions, never the state."""
