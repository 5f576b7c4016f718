"""Calls to remote bots: scheduled by the relay, delivered by a worker."""
