"""Mutants that may live: the change makes no difference that anybody could see, and why."""

from tests.mutants.mutant import ARROW, Mutant

# By path, the changed line as it was, and as the mutant has it.
REASONS: dict[tuple[str, str, str], str] = {
    (
        "engine/events.py",
        "class Holder(msgspec.Struct, frozen=True, gc=False):",
        "class Holder(msgspec.Struct, frozen=False, gc=False):",
    ): "nothing changes a holder or puts it into a set; frozen only keeps it so",
    (
        "engine/games/babylonia/listing.py",
        "if where.bit_count() < FEW:",
        "if not where.bit_count() < FEW:",
    ): "two ways to the same list, one quicker for few places and one for many",
    (
        "engine/games/tides_of_time/features.py",
        "DIGITS = 2  # of a weight: hundredths of a point",
        "DIGITS = 3  # of a weight: hundredths of a point",
    ): "how many digits `turnlog learn` keeps of a weight; a finer one judges alike",
    (
        "engine/games/world_wonders/evolve.py",
        "if len(_seen_ahead) >= 64:  # decided, but never folded",
        "if len(_seen_ahead) >= 65:  # decided, but never folded",
    ): "how many decisions that were never folded are remembered before the cache is emptied",
    (
        "engine/games/world_wonders/hints.py",
        "purchase=view.purchase if view.active == seat else None,",
        "purchase=view.purchase if view.active is seat else None,",
    ): "seats are numbers below 257, of which Python has one each",
    (
        "engine/games/world_wonders/pieces.py",
        "return Form(rot, dx, dy, 0, (), (), 0, 0, 0, Spots(word, rot, (dx, dy), 0, on))",
        "return Form(rot, dx, dy, 1, (), (), 0, 0, 0, Spots(word, rot, (dx, dy), 0, on))",
    ): "a turn of a piece that does not fit on the map has no anchor, and its shape is asked for nowhere",
    (
        "engine/games/world_wonders/refusals.py",
        "number = content.stack_at.get(key, -1)",
        "number = content.stack_at.get(key, - 2)",
    ): "no stack has a negative number, so none is found in play by either",
    (
        "engine/games/world_wonders/wonders.py",
        "if part + 1 < len(self.parts):",
        "if part + 1 != len(self.parts):",
    ): "a part's number is below their count: the next one is less, or equal",
    (
        "engine/guide.py",
        "class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):",
        "class Step(msgspec.Struct, frozen=False, forbid_unknown_fields=True):",
    ): "nothing changes a step of a guide; frozen only keeps it so",
    (
        "infra/fleet/preflight.py",
        'if server.syncs == "always" or (wanted.level != "local" and server.syncs == "everysec"):',
        'if server.syncs <= "always" or (wanted.level != "local" and server.syncs == "everysec"):',
    ): "a server syncs always, everysec or no (never was answered before), and only always is not greater than always",
    (
        "infra/people/bots.py",
        "streak: int = 0  # failures since the last answer",
        "streak: int = 1  # failures since the last answer",
    ): "a default that nobody uses: who reads a bot's health gives every figure",
    (
        "infra/people/ledger.py",
        "KEPT = 1000  # entries of an account",
        "KEPT = 1001  # entries of an account",
    ): "how much of somebody's history is kept is bounded, not promised: one entry more is as good",
    (
        "infra/process/metrics.py",
        "QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)",
        "QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 3.5, 10.0)",
    ): "how finely times are sorted for graphs; no figure is promised at this bound",
    (
        "infra/process/settings.py",
        'body_timeout=_number(env, "TURNLOG_BODY_TIMEOUT", cls.body_timeout, 1, 3600),',
        'body_timeout=_number(env, "TURNLOG_BODY_TIMEOUT", cls.body_timeout, 1, 3601),',
    ): "where a setting's range ends is a guard against slips, not a promise: a second more is as good",
    (
        "infra/store/channels.py",
        "for server in servers:",
        "for server in []:",
    ): "each subscription closes its own connection when it ends (`_at`), and these clients have no other; closing them is tidiness",
    (
        "infra/store/eventstore.py",
        "if status == REPEATED and self._durability.waits and cmd is not None:",
        "if status == REPEATED or self._durability.waits and cmd is not None:",
    ): "writes the answer of a repeated command again, the same: one more round trip, and nothing that anybody reads differs",
    (
        "infra/store/keys.py",
        "@lru_cache(maxsize=8192)",
        "def of_match(match: str) -> MatchKeys:",
    ): "a cache in front of a pure function: it saves time",
    (
        "service/api/frame/auth.py",
        "if session.account.id == account and token_id in (None, session.principal.token_id):",
        "if session.account.id == account or token_id in (None, session.principal.token_id):",
    ): "forgets more sessions than it must: a cache, and the next request looks again",
    (
        "service/api/frame/middleware.py",
        "@lru_cache(maxsize=1024)",
        "def _figures(method: str, route: str, status: int) -> tuple[Counter, Histogram]:",
    ): "a cache in front of a lookup that gives the same: it saves time",
    (
        "service/memory/names.py",
        "SHORT = 6  # characters of an id that tell people apart",
        "SHORT = 7  # characters of an id that tell people apart",
    ): "how much of an id tells people of another server apart; nobody promises the number of letters",
    (
        "service/notices/owed.py",
        "return mark is not None and match.chairs[mark.seat].parts[-1].seq == owed.since",
        "return mark is not None and match.chairs[mark.seat].parts[-1].seq <= owed.since",
    ): "the mark is a change of hands at that very event, so the latest change of that seat is never earlier",
    (
        "service/views/summary.py",
        "start=_moment(starts, seat) or 0,",
        "start=_moment(starts, seat) or 1,",
    ): "a start is kept for the turns of remote bots, and theirs is always known; of anybody else nobody reads it",
    (
        "workers/jobs.py",
        "return bool(self._connection.set(keys.QUEUE_MARK, 1, nx=True))",
        "return bool(self._connection.set(keys.QUEUE_MARK, 2, nx=True))",
    ): "a mark whose being there is all that is ever asked",
    (
        "workers/notices/deliver.py",
        "BACK_OFF_S = (60, 300, 1800, 7200, 21600, 43200)  # then it is given up",
        "BACK_OFF_S = (60, 300, 1800, 7200, 21600, 43201)  # then it is given up",
    ): "how long the last pause before giving up is: about half a day, which nobody promises to the second",
    (
        "workers/notices/schedule.py",
        "return (who if wanted and await self._deps.readmodel.turns(of_account(who)) else None), 0.0",
        "return (who if wanted and await self._deps.readmodel.turns(of_account(who)) else None), 1.0",
    ): "a daily letter is due when it was noted for, which is past: any moment long ago says so",
}


def why(mutant: Mutant) -> str:
    """Why a mutant may survive; empty if it may not."""
    before, _, after = mutant.where.partition(ARROW)
    return REASONS.get((mutant.path, before, after), "")
