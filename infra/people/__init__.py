"""Accounts and what belongs to them, in the store."""
