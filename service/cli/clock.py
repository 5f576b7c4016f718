"""`turnlog clock simulate`: what a policy would have done to matches that were played."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import orjson

from engine.match import Match
from engine.policy import InvalidClock, Policy, read_policy
from engine.proof.verify import read
from infra.people.profiles import Times
from service.basics.stamps import at
from service.cli.common import Commands, WrongUsage, command, print_json, read_bytes
from service.cli.operate import no_command
from service.people.profiles import hours
from service.time.history import History, TurnSpan, history
from service.time.policy import allowed
from service.time.waking_hours import after, in_force


def add(commands: Commands) -> None:
    clock = command(commands, "clock", no_command, "Clock policies: try one on matches that were played.")
    inner = clock.add_subparsers(title="commands", metavar="COMMAND", required=True)
    run = command(
        inner,
        "simulate",
        simulate,
        "Says which turns of these logs would have run out of time under a policy.\n\n"
        "A policy is JSON, as in POST /api/matches; players sleep in their quiet hours if those are given.",
        """turnlog clock simulate '{"kind":"per_move","seconds":86400}' match.ndjson""",
    )
    run.add_argument("policy", metavar="POLICY")
    run.add_argument("logs", nargs="+", metavar="LOG")
    run.add_argument("--tz", default="UTC", help="everybody's time zone (default UTC)")
    run.add_argument("--quiet", metavar="HH:MM-HH:MM", help="everybody's quiet hours")
    run.add_argument("--json", action="store_true", help="one JSON document")


@dataclass(frozen=True)
class Late:
    """A turn that would have run out of time."""

    seat: int
    seq: int
    deadline: str
    late_s: int


def simulate(args: argparse.Namespace) -> None:
    policy, times = _policy(args.policy), _times(args.tz, args.quiet)
    reports = []
    for path in args.logs:
        match, lines = read(read_bytes(path))
        reports.append(_report(path, match, history(lines), policy, times))
    if args.json:
        print_json({"policy": orjson.loads(args.policy), "logs": reports})
        return
    for report in reports:
        print(f"{report['log']}: {report['turns']} turns of people and bots, {len(report['late'])} too late")
        for late in report["late"]:
            print(f"  seat {late.seat}, turn of event {late.seq}: due {late.deadline}, {late.late_s} s late")


def _policy(text: str) -> Policy:
    try:
        policy = read_policy(orjson.loads(text))
    except (orjson.JSONDecodeError, InvalidClock) as problem:
        raise WrongUsage(f"POLICY: {problem}") from None
    if policy is None:
        raise WrongUsage("POLICY: null is no clock, nothing would happen")
    return policy


def _times(tz: str, quiet: str | None) -> Times:
    from infra.people.accounts import BadSetting, check_zone

    try:
        check_zone(tz)
        begin, _, end = (quiet or "").partition("-")
        return Times((hours(0.0, tz, {"from": begin, "to": end} if quiet else None),))
    except (BadSetting, ValueError) as problem:
        raise WrongUsage(f"--tz, --quiet: {problem}") from None


def _report(path: str, match: Match, past: History, policy: Policy, times: Times) -> dict[str, Any]:
    late = [found for turn in past.turns if (found := _late(past, turn, policy, times)) is not None]
    return {"log": path, "match": match.id, "turns": len(past.turns), "late": late}


def _late(past: History, turn: TurnSpan, policy: Policy, times: Times) -> Late | None:
    deadline = after(turn.start, allowed(past, policy, times, turn), in_force(times, turn.start))
    if turn.end is None or turn.end <= deadline:
        return None
    return Late(turn.seat, turn.seq, at(deadline), round(turn.end - deadline))
