"""Bots to start from."""
