"""Python for our own further processes: they find the code where this one found it."""

import os
import sys


def python() -> list[str]:
    """The words that begin a command. Whoever runs `turnlog` in a folder of their own gets none of its files.

    `python -m` looks into the current folder first, where a `bots.py` of somebody's would be taken for ours;
    others that we start do so only if we do.
    """
    looks_around = bool(sys.path) and sys.path[0] in ("", os.getcwd())
    return [sys.executable] if looks_around else [sys.executable, "-P"]
