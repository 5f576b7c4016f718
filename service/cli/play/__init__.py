"""Commands that play: simulations, the arena, learning, bots from elsewhere. None of them needs a server."""
