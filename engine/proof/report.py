"""What checking a log came to: one finding for each named check, and one verdict over all of them."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from engine.game import AnyGame
from engine.log import UNKNOWN_VERSION, BadLog

What = Literal["chain", "seal", "salts", "order", "holders", "draws", "decisions", "result"]
Verdict = Literal["valid", "earlier_rules", "nothing_played", "cannot_be_checked", "forged"]
CHECKS: tuple[What, ...] = (
    "chain",  # every line is whole, canonical, in its place, and names the hash of the one before
    "seal",  # the seed opens the seal, and is the one that the end shows
    "salts",  # every salt follows from the seed
    "order",  # every event could happen then, with what it says, and what had to follow at once did
    "holders",  # who did it held or owned the seat, or was the creator or the system where those may
    "draws",  # every outcome of chance is what the sealed dice give
    "decisions",  # every action was legal, and its facts are what the rules make of it
    "result",  # the match ended when the rules say so, with the result that follows
)
BY_RULES = frozenset({"draws", "decisions", "result"})  # what a fix of a game's rules may change
HOLDS = frozenset({"valid", "earlier_rules", "nothing_played"})  # nothing speaks against it


class Unchecked(BadLog):
    """A log whose rules are not those of this build: nobody here can say whether it was decided rightly."""


class Report(msgspec.Struct, frozen=True):
    """`checks` has the first problem of each, None if it holds; what could not be looked at is absent."""

    game: str
    revision: int  # the rules that the log names …
    known: int  # … and the newest that this build knows
    checks: Mapping[What, BadLog | None]
    version: int | None = None  # of the rules that the log names
    played: bool = True  # whether there is a start, or a position to go on from

    @property
    def problem(self) -> BadLog | None:
        """The first line that is wrong."""
        found = [problem for problem in self.checks.values() if problem is not None]
        return min(found, key=lambda problem: problem.line, default=None)

    @property
    def is_unknown(self) -> bool:
        """Whether it is of a version, of the rules or of the envelope, that this build does not have."""
        return self.problem is not None and self.problem.code == UNKNOWN_VERSION

    def verdict(self, signed: bool = False) -> Verdict:
        """`signed`: a server whose word counts has signed this very log; whoever asks has checked that."""
        failed = {what for what, problem in self.checks.items() if problem is not None}
        if not failed:
            # No dice hang on the terms of a table that never began: whoever wrote it could have named others.
            return "valid" if self.played else "nothing_played"
        if self.is_unknown:
            return "cannot_be_checked"
        if not failed <= BY_RULES or self.revision == self.known or len(self.checks) < len(CHECKS):
            return "forged"
        return "earlier_rules" if signed and self.revision < self.known else "cannot_be_checked"

    def demand(self, signed: bool = False) -> "Report":
        """Itself if the log may be believed; raises BadLog if it is forged, Unchecked if nobody can say."""
        verdict, problem = self.verdict(signed), self.problem
        if verdict in HOLDS or problem is None:
            return self
        if verdict == "forged" or self.is_unknown:
            raise problem
        raise Unchecked(problem.line, verdict, f"decided under other rules ({problem.reason})")


def since(game: AnyGame, revision: int) -> str:
    """What has changed since these rules, for a sentence about a log that names them."""
    later = game.revisions[max(revision, 1) :]
    return f"revision {revision} of {game.revision}; since then: {'; '.join(later)}"
