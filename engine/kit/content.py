"""A game's component data: read once from the data.json beside the code that asks."""

from pathlib import Path
from typing import Any

import msgspec


def load(beside: str) -> Any:
    """The data.json in the folder of the module whose `__file__` is given."""
    return msgspec.json.decode(Path(beside).with_name("data.json").read_bytes())
