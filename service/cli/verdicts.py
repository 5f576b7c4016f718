"""What `turnlog verify` says of a log: in a sentence, or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import registry
from engine.report import HOLDS, Report, since

if TYPE_CHECKING:
    from service.signing import Verdict


def told(path: str, events: int, report: Report, signed: bool) -> str:
    """One line for people. `signed`: by a server whose word counts here."""
    verdict, problem = report.verdict(signed), report.problem
    if problem is None:
        return f"{path}: {report.game}, {events} events; {', '.join(report.checks)} hold"
    if verdict == "forged":
        return f"{path}: {problem.code}: {problem}"
    rules = registry.game(report.game)
    if verdict == "earlier_rules":
        return f"{path}: valid; decided under earlier rules ({since(rules, report.revision)})"
    why = since(rules, report.revision) if report.revision < report.known else "rules that are not known here"
    return f"{path}: cannot be checked: decided under {why}, and no trusted server has signed it; {problem}"


def as_json(path: str, events: int, report: Report, signer: Verdict) -> dict[str, Any]:
    """The same for programs, check by check."""
    verdict = report.verdict(signer.counts)
    return {
        "file": path,
        "game": report.game or None,
        "events": events,
        "verdict": verdict,
        "holds": verdict in HOLDS and signer.by != "forged",
        "signed": {"by": signer.by, "server": signer.server or None, "key": signer.key or None},
        "revision": report.revision,
        "known": report.known,
        "checks": {
            what: None
            if problem is None
            else {"line": problem.line, "code": problem.code, "detail": problem.reason}
            for what, problem in report.checks.items()
        },
    }
