"""What a game has besides its rules: a board, a text in another language. None of it is owed."""

from pathlib import Path

from engine import registry


def folder(key: str) -> Path:
    """Where a game lies, be it among the others or elsewhere."""
    return Path(registry.part(key, "").__path__[0])


def has(key: str, name: str) -> bool:
    """`has("akropolis", "ui/board.js")`"""
    return (folder(key) / name).exists()


def having(name: str) -> list[str]:
    """The games that have this file."""
    return [key for key in registry.GAMES if has(key, name)]
