"""What a process remembers of many things: the newest of them, never more than it may."""

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Bounded(OrderedDict[K, V]):
    """A mapping of at most `most` things; whatever was kept longest ago goes first.

    >>> two = Bounded[str, int](2)
    >>> [two.keep(name, len(name)) for name in ("a", "bb", "a", "ccc")]
    [1, 2, 1, 3]
    >>> list(two)
    ['a', 'ccc']
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: K, value: V) -> V:
        """Remember this as the newest; gives it back."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)
        return value
