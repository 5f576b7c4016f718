"""What lies beside a game's code: its components, and what its bots have learned. Each is read once."""

from pathlib import Path
from typing import Any

import msgspec


def load(beside: str, name: str = "data.json") -> Any:
    """The data.json (or another file) in the folder of the module whose `__file__` is given."""
    return msgspec.json.decode(Path(beside).with_name(name).read_bytes())
