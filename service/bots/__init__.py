"""Remote bots: their registration, and the turns that they are offered."""
