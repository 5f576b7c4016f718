"""Turns of built-in bots: scheduled by the relay, played by a worker."""
