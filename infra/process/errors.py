"""Everything that infra refuses, by name.

InfraError
├── StoreUnavailable     no answer: whether it was done is not known
│   ├── NotDurable       written, but not yet where it would survive: ask again with the same key
│   └── StoreFull        it answers, but takes nothing new: nothing was done
├── ArchiveAway          the archive cannot be reached: what lies there cannot be read now
├── Conflict             the log is not as long as the append expected
├── CommandReused        the same command key with another body
├── DataDirInUse         another process holds the data directory
├── StoreNotStarted      the embedded server did not come up
├── BadName              a name that nobody may have
├── NameTaken            a name that somebody has
├── UnknownAccount       no such account, or no longer
├── AlreadyClaimed       the account has a password: only its owner may change it
├── BadSetting           an account setting that makes no sense
├── BadCursor            a page mark that no page ever gave
├── MailError            the mail server did not take a letter (outside/mail.py)
├── GuardedHttpError     an address that a user gave did not answer as it should (outside/outward.py)
│   └── OutwardRefused   it was not even asked: private, not https, unreadable
└── Busy                 too many want the same costly thing at this moment
"""

from __future__ import annotations


class InfraError(Exception):
    """Whatever the outside world refused."""


class StoreUnavailable(InfraError):
    """The store did not answer; ask again with the same command key."""


class NotDurable(StoreUnavailable):
    """It was written, but not confirmed by enough replicas in time; ask again with the same command key."""


class StoreFull(StoreUnavailable):
    """The store answers but takes nothing new, most likely for want of room; nothing was done."""


class ArchiveAway(InfraError):
    """The place where archived matches lie did not answer, or is not named; the rest goes on."""


class Conflict(InfraError):
    """Somebody was faster: the log already has `actual` events."""

    def __init__(self, actual: int) -> None:
        super().__init__(f"the log has {actual} events")
        self.actual = actual


class CommandReused(InfraError):
    """The command key was used before, with another body, by the append that ended at `seq`."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"the command key was used for another command, at {seq}")
        self.seq = seq


class DataDirInUse(InfraError):
    """Another process holds the data directory; the sentence says which."""


class StoreNotStarted(InfraError):
    """The embedded server could not be started; the sentence says why."""


class BadName(InfraError):
    """A name that nobody may have; `reason` is empty, too_long, space or invisible."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the name cannot be used: {reason}")
        self.reason = reason


class NameTaken(InfraError):
    """A name that reads the same as one that somebody has."""


class UnknownAccount(InfraError):
    """There is no such account, or no longer."""


class AlreadyClaimed(InfraError):
    """The account has a password already."""


class BadSetting(InfraError):
    """A setting of an account that makes no sense; `field` names it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


class BadCursor(InfraError):
    """A mark for the next page that no page ever gave."""


class Busy(InfraError):
    """Too many want the same costly thing at this moment."""
