"""Where things lie in the store.

All keys of a match share the hash tag of its shard, so that one script may touch them on a cluster too.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import NamedTuple

SHARDS = 64  # for ever: another number would lose every stored match
CHANNELS = "tl:pub:*"
LOGS = "tl:{*}:m:*:log"  # pattern of every match's log

SHOWN = "tl:{*}:m:*:shown"  # pattern of what lists show of every match
PLACED = "tl:{*}:m:*:placed"  # pattern of the notes in which lists they are
INDEXES = "tl:{*}:i:*"  # pattern of the indexes of all shards
MINE_BEGINS = "tl:{l:"  # what everybody's own lists begin with; the account and "}:" follow
MINE = "tl:{l:*}:matches"  # pattern of what everybody's own lists know of each match
MY_LISTS = "tl:{l:*}:*"  # pattern of the lists themselves, and of that
OLD_LISTS = "tl:{lobby}:"  # what lists were kept under in a store of format 1
OLD_RESULTS = "tl:{ratings}:"  # and results
RESULTS = "tl:{r:*}:results"  # pattern of the results that count, of all games
NOTICES = "tl:notices"  # sorted set: notice -> when it is due
CALLS = "tl:calls"  # sorted set: message to a remote bot -> when to look at it
RELAYS = "tl:relays"  # sorted set: relay -> until when it counts as living
BEATS = "tl:beats"  # hash: role and process -> when it was last heard
FORMAT = "tl:format"  # how this store is laid out: a number; a store without it is of format 1
FIGURES = "tl:figures"  # in the queue's own server, hash: role and process -> what it has counted
QUEUE_MARK = "tl:queue"  # in the queue's own server: while it is there, nothing was lost
OWED = "tl:owed"  # sorted set: turn of a built-in bot -> when to look whether it was played
PARKED_WHEN = "tl:{parked}:when"  # sorted set: match -> when to try again
PARKED_WHY = "tl:{parked}:why"  # hash: match -> what went wrong
ANEW = "tl:{r:*}:anew"  # pattern of results that are being derived from the logs
GUESTS = "tl:guests"  # sorted set: guest -> when they were last seen, in seconds since 1970
BOTS = "tl:bots"  # set: the ids of all remote bots
MOVED = "tl:moved"  # sorted set: account -> when its times changed
SIGNING_KEYS = "tl:{signing}:keys"  # hash: id -> key
REVOKED_KEYS = "tl:{signing}:revoked"  # hash: id -> when, in milliseconds since 1970
TRUSTED_KEYS = "tl:{signing}:trusted"  # hash: name of a server -> its public keys
SEGMENTS = "tl:{archive}:segments"  # hash: segment -> how many matches, and bytes, are in it
WRITING = "tl:{archive}:writing"  # the segment that is being written, until its matches have moved
ROOTS = "tl:{archive}:roots"  # hash: month -> the root over what was archived in it
ARCHIVIST = "tl:{archive}:archivist"  # who archives now: one at a time
FILLED = "tl:{archive}:filled"  # that all matches which ended before there was an archive are on the list
ACCOUNTS = "tl:{a:*}:account"  # pattern of every account
BACKED_UP = (  # patterns of what no log holds
    "tl:{a:*}:*",
    "tl:name:*",
    BOTS,
    GUESTS,
    "tl:{*}:m:*:chat",
    "tl:{*}:m:*:origin",
    "tl:{*}:m:*:signed",
    "tl:{*}:m:*:unrated",
    RESULTS,
    "tl:{signing}:*",
    "tl:{kept}:*",
)


EVERY = "tl:*"  # pattern of every key of ours
RATED = "tl:{r:*}:*"  # pattern of the results that count
NAMES = "tl:name:"  # keys that say who has a name begin with this
COMMANDS = ":cmds"  # keys of a match's commands end with this
RESTORING = "tl:restoring"  # the backup that is being restored here; while it is there, nobody starts
# No backup has these.
PASSING = (BEATS, RELAYS, QUEUE_MARK, FIGURES, ARCHIVIST, RESTORING, "tl:rate:", "tl:playing:")
OF_A_MATCH = {"log": "logs", "cmds": "commands", "chat": "chat", "signed": "beside", "origin": "beside"}
KINDS = ("logs", "commands", "chat", "beside", "lists", "accounts", "archive", "other")


class MatchKeys(NamedTuple):
    """The keys that an append to one match touches, in the order of the script."""

    log: str
    commands: str
    outbox: str
    due: str
    archived: str


def shard(match: str) -> int:
    """Return the shard of a match: the same on every machine and for ever.

    >>> shard("7Kq2")
    18
    """
    return zlib.crc32(match.encode()) % SHARDS


@lru_cache(maxsize=8192)
def of_match(match: str) -> MatchKeys:
    """Return the keys of one match."""
    n = shard(match)
    return MatchKeys(log(match), f"tl:{{{n}}}:m:{match}:cmds", outbox(n), due(n), archived(n))


def log(match: str) -> str:
    """Return the key of a match's event log."""
    return f"tl:{{{shard(match)}}}:m:{match}:log"


def origin(match: str) -> str:
    """Return the key of where an imported match came from."""
    return f"tl:{{{shard(match)}}}:m:{match}:origin"


def signed(match: str) -> str:
    """Return the key of the signature under a match's end."""
    return f"tl:{{{shard(match)}}}:m:{match}:signed"


def hint(match: str) -> str:
    """Return the key of what a bot would do, for who asked it last in a match."""
    return f"tl:{{{shard(match)}}}:m:{match}:hint"


def tag(key: str) -> str:
    """Return what decides on which server a key lies.

    >>> tag(log("7Kq2"))
    '18'
    """
    return key.partition("{")[2].partition("}")[0]


def shown(match: str) -> str:
    """Return the key of what lists show of a match."""
    return f"tl:{{{shard(match)}}}:m:{match}:shown"


def placed(match: str) -> str:
    """Return the key of the note in which lists a match is."""
    return f"tl:{{{shard(match)}}}:m:{match}:placed"


def unrated(match: str) -> str:
    """Return the key that exists if a match counts for nothing."""
    return f"tl:{{{shard(match)}}}:m:{match}:unrated"


def index(n: int, name: str = "") -> str:
    """Return the key of an index of a shard: a sorted set; without a name, what all of them begin with."""
    return f"tl:{{{n}}}:i:{name}"


def mine(who: str, name: str = "") -> str:
    """Return the key of a list of one account; without a name, what all of them begin with."""
    return f"tl:{{l:{who}}}:{name}"


def owner(key: str) -> str:
    """Return the account whose list a key is.

    >>> owner(mine("account:7f", "turns"))
    'account:7f'
    """
    return key.removeprefix("tl:{l:").partition("}")[0]


def match_of(key: str) -> str:
    """Return the match that a key belongs to.

    >>> match_of(shown("7Kq2"))
    '7Kq2'
    """
    return key.split(":", 3)[3].rpartition(":")[0]


def chat(match: str) -> str:
    """Return the key of what was said at a match's table."""
    return f"tl:{{{shard(match)}}}:m:{match}:chat"


def of_chat(match: str, who: str) -> tuple[str, str]:
    """Return the keys that a message touches: the chat, and how much its author said lately."""
    return chat(match), f"{chat(match)}-rate:{who}"


def is_passing(key: str) -> bool:
    """Whether this tells of running processes alone, so that no backup has it."""
    return key.startswith(PASSING) or key.endswith(":outbox")


def kind(key: str) -> str:
    """Return what a key is for, roughly: one of KINDS.

    >>> kind(log("7Kq2")), kind(account("7f", "tokens")), kind(archived(3)), kind(BEATS)
    ('logs', 'accounts', 'archive', 'other')
    """
    if ":m:" in key:
        return OF_A_MATCH.get(key.rpartition(":")[2], "lists")
    if key.startswith(("tl:{a:", NAMES)):
        return "accounts"
    if key.endswith((":archived", ":ended")) or key.startswith("tl:{archive}"):
        return "archive"
    return "lists" if ":i:" in key or key.startswith(("tl:{l:", "tl:{r:")) else "other"


def channel(n: int) -> str:
    """Return the channel of a shard's news on a single server."""
    return f"tl:pub:{n}"


def sharded(n: int) -> str:
    """Return the same on a cluster, where only the shard's own server hears of it."""
    return f"tl:{{{n}}}:pub"


def outbox(n: int) -> str:
    """Return the key of a shard's outbox."""
    return f"tl:{{{n}}}:outbox"


def due(n: int) -> str:
    """Return the key of a shard's deadlines."""
    return f"tl:{{{n}}}:due"


def archived(n: int) -> str:
    """Return the key of where the archived matches of a shard lie."""
    return f"tl:{{{n}}}:archived"


def ended(n: int) -> str:
    """Return the key of the matches of a shard that are over and not archived yet."""
    return f"tl:{{{n}}}:ended"


def account(ident: str, what: str) -> str:
    """Return the key of something that belongs to an account; `*` for all of it."""
    return f"tl:{{a:{ident}}}:{what}"


def account_of(key: str) -> str:
    """Return the id of the account that a key belongs to.

    >>> account_of(account("7f", "account"))
    '7f'
    """
    return key.removeprefix("tl:{a:").partition("}")[0]


def kept(what: str) -> str:
    """Return the key of a secret that all processes share."""
    return f"tl:{{kept}}:{what}"


def name(folded: str) -> str:
    """Return the key that says who has a name."""
    return f"tl:name:{folded}"


def ratings(game: str) -> str:
    """Return the key of the results that count in a game."""
    return f"tl:{{r:{game}}}:results"


def counted_anew(game: str) -> str:
    """Return the key in which the results of a game are gathered while they are derived from the logs."""
    return f"tl:{{r:{game}}}:anew"


def game_of(key: str) -> str:
    """Return the game whose results a key holds.

    >>> game_of(ratings("akropolis"))
    'akropolis'
    """
    return key.removeprefix("tl:{r:").partition("}")[0]


def quota(what: str, who: str) -> str:
    """Return the key of how often somebody did something lately; `who` is a digest."""
    return f"tl:quota:{what}:{who}"


def rate(second: int, who: str) -> str:
    """Return the key of how often somebody asked in a second; `who` is a digest."""
    return f"tl:rate:{second}:{who}"


def next_turn(match: str, seq: int, who: str) -> str:
    """Return the key of the match that an answer named as the next one."""
    return f"tl:{{{shard(match)}}}:m:{match}:next:{seq}:{who}"


def begun(job: str) -> str:
    """Return the key of how often a bot's turn was begun."""
    return f"tl:begun:{job}"


def told(job: str) -> str:
    """Return the key that exists for some days after a message that needs no answer was delivered."""
    return f"tl:told:{job}"


def playing(job: str) -> str:
    """Return the key that exists while a worker plays a bot's turn."""
    return f"tl:playing:{job}"
