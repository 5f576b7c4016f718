"""Mutants chosen by hand: a mistake that somebody could make, in every place that carries a promise.

At least one for each kind of event, each Lua script, each role, each bot and each game. A mutant that does
not fit any more is an error: the code moved on, and the list must follow.
"""

from collections.abc import Iterator

from tests.mutants.mutant import Mutant, changed

UNIT, API, STORE = "tests/unit/engine", "tests/integration/api", "tests/integration/store"
NOTICES = f"{API}/notices"
Row = tuple[str, str, str, str, tuple[str, ...]]  # name, path, old, new, tests


def mutants() -> Iterator[Mutant]:
    for row in (*EVENTS, *SCRIPTS, *DICE, *SERVICE, *ROLES, *BOTS, *GAMES):
        yield changed(*row)


FOLD = "engine/fold.py"
EVENTS: tuple[Row, ...] = (
    (
        "opened-forgets-creator",
        FOLD,
        "creator=event.by",
        'creator="account:nobody"',
        (UNIT, API + "/test_tables.py"),
    ),
    (
        "seated-forgets-nonce",
        FOLD,
        "holder=event.holder, nonce=event.nonce",
        'holder=event.holder, nonce=""',
        (UNIT,),
    ),
    ("left-keeps-holder", FOLD, 'holder=None, nonce="", parts=()', 'nonce=""', (UNIT,)),
    ("nonce-ignored", FOLD, "event.seat, nonce=event.nonce)", 'event.seat, nonce="")', (UNIT,)),
    (
        "started-nobody-waited",
        FOLD,
        "match.since, event.seq, None)\n    bond =",
        "match.since, 0, None)\n    bond =",
        (UNIT,),
    ),
    (
        "acted-keeps-runner",
        FOLD,
        "        runner = seat\n",
        "        runner = runner if runner is not None else seat\n",
        (UNIT,),
    ),
    ("undo-asked-other-seat", FOLD, "ask=Ask(event.seat, event.to", "ask=Ask(0, event.to", (UNIT,)),
    (
        "undo-answered-always-agrees",
        FOLD,
        "if match.ask is None or not event.agree",
        "if match.ask is None",
        (UNIT,),
    ),
    (
        "undone-forgets-assisted",
        FOLD,
        "assisted=match.assisted or event.assisted",
        "assisted=match.assisted",
        (UNIT,),
    ),
    (
        "agreed-counts-twice",
        FOLD,
        "others = tuple(given for given in match.votes if given != vote)",
        "others = match.votes",
        (UNIT, API + "/test_agreements.py"),
    ),
    (
        "paused-goes-on",
        FOLD,
        "replace(match, paused=True, votes=())",
        "replace(match, votes=())",
        (UNIT, API + "/test_agreements.py"),
    ),
    (
        "resumed-stays-paused",
        FOLD,
        "replace(match, paused=False, votes=())",
        "replace(match, votes=())",
        (UNIT, API + "/test_agreements.py"),
    ),
    (
        "handed-over-loses-owner",
        FOLD,
        "chair.owner or chair.holder, event.why",
        "chair.owner, event.why",
        (UNIT,),
    ),
    (
        "returned-caretaker-stays",
        FOLD,
        'event.holder, None, "returned"',
        'match.chairs[event.seat or 0].holder, None, "returned"',
        (UNIT,),
    ),
    ("resigned-plays-on", FOLD, "event.seat, resigned=True)", "event.seat, resigned=False)", (UNIT,)),
    (
        "finished-without-result",
        FOLD,
        '"finished", result=event.result',
        '"finished"',
        (UNIT, "tests/golden"),
    ),
    (
        "cancelled-is-finished",
        FOLD,
        '"cancelled" if isinstance(event, Cancelled) else "finished"',
        '"finished"',
        (UNIT,),
    ),
    (
        "abandoned-is-cancelled",
        FOLD,
        '"cancelled" if isinstance(event, Cancelled) else "finished"',
        '"cancelled"',
        (UNIT, API + "/test_agreements.py"),
    ),
    ("forked-keeps-seed", FOLD, "seal=event.seal, seed=event.seed, status", "status", (UNIT, API)),
    (
        "timed-out-unseen",
        "service/time/history.py",
        "_change(turns, event.seat, timed_out=True)",
        "pass",
        ("tests/unit/service", NOTICES),
    ),
    ("free-undo-after-reveal", FOLD, "run = () if shown else", "run =", (UNIT,)),
    (
        "deadline-skipped-seat-1",
        "workers/clock.py",
        "if deadline <= now and",
        "if seat != 1 and deadline <= now and",
        (API + "/test_clocks.py",),
    ),
    (
        "pause-costs-time",
        "service/time/history.py",
        "pauses.append(Pause(seconds(event.at)))",
        "pass",
        ("tests/unit/service",),
    ),
)
SCRIPTS: tuple[Row, ...] = (
    ("lua-no-length", "infra/store/append.lua", "if length ~= expected then", "if false then", (STORE,)),
    ("lua-no-idempotency", "infra/store/append.lua", "  if found then\n", "  if false then\n", (STORE,)),
    (
        "lua-no-outbox",
        "infra/store/append.lua",
        "redis.call('XADD', KEYS[3]",
        "local _ = ({redis.call('EXISTS', KEYS[3])})  -- ",
        (STORE,),
    ),
    (
        "lua-keeps-deadline",
        "infra/store/append.lua",
        "redis.call('ZREM', KEYS[4], ARGV[1])",
        "local _ = 0",
        (STORE,),
    ),
    (
        "lua-chat-uncounted",
        "infra/store/chat.lua",
        "> tonumber(ARGV[7])",
        "> 1000000",
        (API + "/test_chat.py",),
    ),
    (
        "lua-chat-never-cut",
        "infra/store/chat.lua",
        "redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[6]))",
        "",
        (API + "/test_chat.py", STORE),
    ),
    (
        "lua-older-summary-wins",
        "infra/store/lists/shown.lua",
        "if known > seq and (wrong == '' or known > tonumber(wrong)) then",
        "if false then",
        (STORE,),
    ),
    (
        "lua-late-list-wins",
        "infra/store/lists/tell.lua",
        "if before > tonumber(seq) and (wrong == '' or before > tonumber(wrong)) then",
        "if false then",
        (STORE,),
    ),
    ("lua-tells-for-ever", "infra/store/lists/told.lua", "gone[ARGV[i]] = true", "local _ = 0", (STORE,)),
    (
        "lua-lanes-without-bound",
        "infra/store/lanes.lua",
        "return has == 0 or (has < most_turns",
        "return true or (has < most_turns",
        (STORE,),
    ),
    (
        "lua-stays-in-index",
        "infra/store/lists/shown.lua",
        "redis.call('ZREM', ARGV[6] .. lines[i], lines[2])",
        "",
        (STORE,),
    ),
    ("due-of-an-older-log", "infra/store/eventstore.py", "if ARGV[3] ~= '-1' and", "if false and", (STORE,)),
)
DICE: tuple[Row, ...] = (
    (
        "verify-no-salt",
        "engine/proof/rederive.py",
        'CHAINED = ("match", "seq", "prev")',
        'CHAINED = ("match", "seq", "prev", "salt")',
        (UNIT,),
    ),
    (
        "verify-no-by",
        "engine/proof/rederive.py",
        'CHAINED = ("match", "seq", "prev")',
        'CHAINED = ("match", "seq", "prev", "by")',
        (UNIT,),
    ),
    (
        "verify-no-holder",
        "engine/proof/rederive.py",
        'CHAINED = ("match", "seq", "prev")',
        'CHAINED = ("match", "seq", "prev", "holder")',
        (UNIT,),
    ),
    (
        "verify-no-result",
        "engine/proof/rederive.py",
        'CHAINED = ("match", "seq", "prev")',
        'CHAINED = ("match", "seq", "prev", "result")',
        (UNIT,),
    ),
    (
        "verify-no-seed",
        "engine/proof/rederive.py",
        'CHAINED = ("match", "seq", "prev")',
        'CHAINED = ("match", "seq", "prev", "seed")',
        (UNIT,),
    ),
    (
        "verify-no-seal",
        "engine/proof/rederive.py",
        'CHAINED = ("match", "seq", "prev")',
        'CHAINED = ("match", "seq", "prev", "seal")',
        (UNIT,),
    ),
    (
        "verify-takes-surplus",
        "engine/proof/rederive.py",
        "if told == line or _is_within(",
        "if True or _is_within(",
        (UNIT,),
    ),
    (
        "verify-forgets-time",
        "engine/proof/rederive.py",
        "if not TIME.fullmatch(event.at):",
        "if False:",
        (UNIT,),
    ),
    ("dice-biased", "engine/chance.py", "odds.at(x % total)", "odds.at(x % total // 2 * 2 % total)", (UNIT,)),
    ("dice-no-rejection", "engine/chance.py", ">= limit:", ">= SPAN:", (UNIT,)),
    (
        "dice-without-nonces",
        "engine/chance.py",
        "_halves(_hmac(seed, nonces))",
        '_halves(_hmac(seed, ""))',
        (UNIT,),
    ),
    ("salt-of-the-wrong-event", "engine/chance.py", 'f"salt:{seq}"', '"salt:1"', (UNIT,)),
)
SERVICE: tuple[Row, ...] = (
    (
        "stale-seq-accepted",
        "service/commands/actions.py",
        "if not lines or not hidden_commits(match, lines, seat, seq):",
        "if False:",
        (f"{API}/test_play.py", "tests/stateful"),
    ),
    (
        "private-table-public",
        "service/views/access.py",
        "if match.listed or (",
        "if True or (",
        (f"{API}/test_tables.py",),
    ),
    (
        "scope-unchecked",
        "service/api/frame/auth.py",
        "        if not session.may(*scopes):\n            raise",
        "        if False:\n            raise",
        (f"{API}/test_accounts.py",),
    ),
    (
        "csrf-unchecked",
        "service/api/frame/auth.py",
        "if session.cookie and request.method not in SAFE:",
        "if False:",
        (f"{API}/test_sessions.py",),
    ),
    (
        "any-unsubscribe-link",
        "service/notices/channels.py",
        'if channel is None or channel.config.get("address", "") != address:',
        "if channel is None:",
        (f"{NOTICES}",),
    ),
    (
        "ssrf-guard-off",
        "infra/outside/outward.py",
        "if not (self._lenient or here or all(map(is_public, found))):",
        "if False:",
        ("tests/unit/infra",),
    ),
    (
        "ssrf-tunnel",
        "infra/outside/outward.py",
        "if any(found in net for net in TUNNELS):",
        "if False:",
        ("tests/unit/infra",),
    ),
    (
        "vacation-budget-off",
        "service/people/profiles.py",
        "if len(days) > BUDGET:",
        "if False:",
        (f"{API}/test_clocks.py",),
    ),
    (
        "rematch-not-rotated",
        "service/commands/rematches.py",
        "return (seat + 1) % len(match.chairs)",
        "return seat",
        (f"{API}/test_agreements.py",),
    ),
    (
        "sight-views-open",
        "service/views/sight.py",
        'if shown.open and (now or match).status == "finished" and',
        "if shown.open and",
        (f"{API}/test_leaks.py", f"{API}/test_play.py"),
    ),
    (
        "sight-events-open",
        "service/views/sight.py",
        'events.seen(match.rules, line, seat, match.status == "finished")',
        "events.seen(match.rules, line, seat, True)",
        (f"{API}/test_leaks.py",),
    ),
    (
        "letter-tells-all",
        "service/views/sight.py",
        'events.seen(match.rules, line, seat, match.status == "finished")',
        "events.seen(match.rules, line, seat, True)",
        ("tests/golden",),
    ),
    (
        "quiet-hours-ignored",
        "service/notices/plan.py",
        "    return next_awake(moment, profile)",
        "    return moment",
        (NOTICES,),
    ),
    (
        "no-settling",
        "service/notices/plan.py",
        "turn.start + SETTLE_S\n    if deadline",
        "turn.start\n    if deadline",
        (NOTICES,),
    ),
    (
        "no-reminders",
        "service/notices/plan.py",
        "    for share in wish.reminders or",
        "    for share in () and wish.reminders or",
        (NOTICES,),
    ),
    (
        "over-not-told",
        "service/notices/plan.py",
        "                yield Owed(kind, match.id, seat, match.seq), now",
        "                pass",
        (NOTICES,),
    ),
    (
        "told-on-vacation",
        "workers/notices/deliver.py",
        "if not is_awake(now, in_force(await deps.profiles.of(account.id), now)):",
        "if False:",
        (NOTICES,),
    ),
    (
        "caretakers-move-is-yours",
        "service/views/narration.py",
        'event["by"] == who',
        'event.get("seat") == seat',
        (NOTICES,),
    ),
    (
        "wish-not-told",
        "service/notices/plan.py",
        "for wish in standing(past.marks, match):",
        "for wish in ():",
        (NOTICES,),
    ),
    ("wishes-without-end", "service/time/marks.py", "MAX_A_DAY = 3", "MAX_A_DAY = 99", (NOTICES,)),
    ("away-not-told", "service/notices/plan.py", 'chair.parts[-1].why == "timed_out"', "False", (NOTICES,)),
)
ROLES: tuple[Row, ...] = (
    (
        "relay-acks-first",
        "workers/relay.py",
        "        for ident, news in first.items():\n            await self._follow_safely(ident, news)\n        await self._outbox.ack(entries)",
        "        await self._outbox.ack(entries)\n        for ident, news in first.items():\n            await self._follow_safely(ident, news)",
        ("tests/faults/test_killed_relay.py",),
    ),
    (
        "worker-plays-twice",
        "workers/bots/bot_turn.py",
        'match.status != "running" or match.since[turn.seat] != turn.since',
        'match.status != "running"',
        ("tests/integration/bots",),
    ),
    (
        "slice-without-end",
        "workers/bots/slices.py",
        "self._begun >= MOST_TURNS",
        "False",
        ("tests/integration/bots",),
    ),
    (
        "relay-forgets-what-it-put-off",
        "workers/quiet.py",
        "self._put_off.setdefault(entry.match, []).append(entry)",
        "pass",
        ("tests/unit/test_quiet.py", "tests/integration/store"),
    ),
    (
        "notifier-writes-nothing-down",
        "workers/notices/deliver.py",
        "    await _write_down(deps, account.id, entry)\n",
        "",
        (NOTICES,),
    ),
    (
        "clock-looks-away",
        "workers/clock.py",
        'if match.status != "running":',
        "if True:",
        (f"{API}/test_clocks.py",),
    ),
    (
        "api-answers-old-moment",
        "service/commands/actions.py",
        "return Done(await deps.matches.at(match.id, done.seq), repeated=True)",
        "return Done(match, repeated=True)",
        (f"{API}/test_play.py", "tests/stateful"),
    ),
)
BOTS: tuple[Row, ...] = (
    (
        "random-takes-the-first",
        "bots/random_bot.py",
        "rng.choice(legal)",
        "legal[0]",
        ("tests/unit/bots",),
    ),
    (
        "greedy-takes-the-worst",
        "bots/greedy.py",
        "scored.append((-total,",
        "scored.append((total,",
        ("tests/unit/bots",),
    ),
    (
        "search-keeps-the-worse-half",
        "bots/search.py",
        "-candidate.arm.mean",
        "candidate.arm.mean",
        ("tests/unit/bots",),
    ),
    (
        "search-in-other-worlds",
        "bots/search.py",
        "rng = Random(self.seed + candidate.arm.visits)",
        "rng = Random(self.seed)",
        ("tests/unit/bots",),
    ),
)
MK, TT, AK, BA, WW = (
    f"engine/games/{game}"
    for game in ("machi_koro", "tides_of_time", "akropolis", "babylonia", "world_wonders")
)
GAMES: tuple[Row, ...] = (
    (
        "mk-forgives-nothing",
        f"{MK}/payout.py",
        "min(owned[seat] * each, coins[active])",
        "owned[seat] * each",
        ("tests/games/machi_koro",),
    ),
    (
        "mk-no-mall",
        f"{MK}/payout.py",
        "return effect.coins + (effect.mall if state.closed[seat] & MALL else 0)",
        "return effect.coins",
        ("tests/games/machi_koro",),
    ),
    (
        "tt-doubled",
        f"{TT}/scoring.py",
        "2 * count if count == most",
        "3 * count if count == most",
        ("tests/games",),
    ),
    (
        "ak-levels",
        f"{AK}/scoring.py",
        "sum([n * (spots & level)",
        "sum([(spots & level)",
        ("tests/games/akropolis",),
    ),
    (
        "ak-no-stars",
        f"{AK}/scoring.py",
        "District(value, stars, value * stars)",
        "District(value, stars, value)",
        ("tests/games/akropolis",),
    ),
    (
        "ba-tie-wins",
        f"{BA}/scoring.py",
        "counts.index(most) if counts.count(most) == 1 else None",
        "counts.index(most)",
        ("tests/games/babylonia",),
    ),
    ("ba-tiles", f"{BA}/scoring.py", "owned + owned // 2 if", "owned + owned if", ("tests/games/babylonia",)),
    (
        "ww-second-place",
        f"{WW}/scoring.py",
        "goal.second if values.count(ranked[1]) == 1 else 1",
        "goal.second",
        ("tests/games/world_wonders",),
    ),
    (
        "ww-loan-free",
        f"{WW}/scoring.py",
        "-content.penalty if city.loan else 0",
        "0",
        ("tests/games/world_wonders",),
    ),
)
