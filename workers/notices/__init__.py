"""Notices after an append: scheduled by the relay, delivered by a worker."""
