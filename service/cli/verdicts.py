"""What `turnlog verify` says of a log: in a sentence, or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import registry
from engine.proof.report import HOLDS, Report, since

if TYPE_CHECKING:
    from service.views.signatures import Verdict


def told(path: str, events: int, report: Report, signed: bool) -> str:
    """One line for people. `signed`: by a server whose word counts here."""
    verdict, problem = report.verdict(signed), report.problem
    if verdict == "nothing_played":
        return f"{path}: {report.game}, {events} events; nothing was played, so there is nothing to verify"
    if problem is None:
        return f"{path}: {report.game}, {events} events; {', '.join(report.checks)} hold"
    if verdict == "forged" or report.is_unknown:
        return f"{path}: {problem.code}: {problem}"
    rules = registry.game(report.game, report.version)
    if verdict == "earlier_rules":
        return f"{path}: valid; decided under earlier rules ({since(rules, report.revision)})"
    why = since(rules, report.revision) if report.revision < report.known else "rules that are not known here"
    return f"{path}: cannot be checked: decided under {why}, and no trusted server has signed it; {problem}"


def has_a_signer(report: Report, signer: Verdict) -> bool:
    """Whether it matters who signed it: not of a forgery, nor where there is nothing to make up."""
    verdict = report.verdict(signer.counts)
    return verdict != "forged" and (verdict != "nothing_played" or signer.by != "nobody")


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
