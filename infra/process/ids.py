"""Ids that say nothing and that nobody guesses."""

import re
import secrets

MATCH_ID = re.compile(r"[\w-]{1,64}", re.ASCII)


def new_id(size: int = 12) -> str:
    """So many random bytes as text. None begins with a dash: on a command line that would be an option."""
    while (text := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return text
