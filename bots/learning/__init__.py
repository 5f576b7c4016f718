"""Evaluations learned by self-play: matches in compact files, features beside the games, a fit, a trial."""
