"""Routes of accounts: one's own settings, sessions and blocks, remote bots, the leaderboard."""
