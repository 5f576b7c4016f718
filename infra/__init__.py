"""The outside world behind small classes: the store, people, other machines, the process itself."""
