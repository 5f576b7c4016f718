"""Python runs this before anything else where its folder is on PYTHONPATH: other processes know Pig too."""

from tests.sixth.registered import GAMES, KEY, register

register(KEY, GAMES)
