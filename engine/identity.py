"""Who somebody is, as logs write it: `account:7f` for people and remote bots, `bot:greedy`, `system`.

>>> account_id(of_account("7f")), is_account("bot:greedy")
('7f', False)
"""

ACCOUNT = "account:"
BOT = "bot:"
SYSTEM = "system"
STOOD_IN = "stand-in-"  # how the ids of commands begin with which the house plays a program's turn


def of_account(ident: str) -> str:
    return f"{ACCOUNT}{ident}"


def of_bot(name: str) -> str:
    return f"{BOT}{name}"


def account_id(who: str) -> str:
    """The id of an account by the name it has in logs."""
    return who.removeprefix(ACCOUNT)


def is_account(who: str) -> bool:
    return who.startswith(ACCOUNT)


def turn_of_bot(since: int, seat: int) -> str:
    """The id of the command with which the house plays a turn of its own bots."""
    return f"turn-{since}-{seat}"


def turn_of_stand_in(match: str, since: int, seat: int) -> str:
    """The id of the command with which the house plays a turn of somebody's program."""
    return f"{STOOD_IN}{match}-{since}-{seat}"
