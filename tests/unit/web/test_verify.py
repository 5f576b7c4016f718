"""Two verifiers that share no code agree, check by check: the engine's, and the page's, run by node."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.log import BadLog
from engine.proof import verify
from engine.proof.draws import draws
from service.views import signatures
from tests.unit.web.logs import KEYS, export, logs, played, rechained

ROOT = Path(__file__).parents[3]
COUNT = 500
# Why a line is no event that only somebody who knows the events and the games can see.
BEYOND = ("not_an_event", "unknown_game", "unknown_version", "not_canonical")
UNSAID = ("other_draws", "unknown_draws")

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The page's verifier: many cases, one process."""
    folder = tmp_path_factory.mktemp("page")
    web = ROOT / "service" / "web"
    shutil.copytree(web / "verify", folder / "verify")
    shutil.copy(web / "sha256.js", folder)
    shutil.copy(Path(__file__).with_name("verifying.mjs"), folder)
    (folder / "package.json").write_text('{"type":"module"}', encoding="utf-8")

    def run(cases: Sequence[tuple[bytes, Any]]) -> list[dict[str, Any]]:
        told = [{"log": base64.b64encode(log).decode(), "keys": KEYS, "draws": said} for log, said in cases]
        done = subprocess.run(
            ["node", "verifying.mjs"],
            input="".join(json.dumps(one) + "\n" for one in told),
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=240,
            check=True,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def published(data: bytes) -> dict[str, Any]:
    """What a server that had stored this log would say of its draws."""
    found: list[Any] = []
    _, lines = verify.read(data)
    try:
        for draw in draws(lines):
            found.append({"seq": draw.seq, "n": draw.n, "outcomes": draw.outcomes, "chosen": draw.chosen})
            found[-1]["weights"] = None if draw.weights is None else list(draw.weights)
    except BadLog as problem:
        return {"draws": found, "problem": {"seq": problem.line}}
    return {"draws": found, "problem": None}


def ours(data: bytes) -> dict[str, Any]:
    """Our own verdict: for each check that was made None, or the line and the code of the problem."""
    try:
        verify.chained(data)
    except BadLog as problem:
        return {"file": (problem.line, problem.code)}
    checks = verify.report(data).checks
    return {what: problem and (problem.line, problem.code) for what, problem in checks.items()}


def theirs(report: dict[str, Any]) -> dict[str, Any]:
    """The page's verdict in the same words."""
    return {
        check["what"]: (check["line"], check["code"]) if check["line"] else None for check in report["checks"]
    }


def agree(here: dict[str, Any], there: dict[str, Any]) -> bool:
    """Each check that both make fails at the same line, or in both nowhere."""
    if "file" in here:
        return bool(here["file"] == there["chain"])
    if here["chain"] is not None and here["chain"][1] in BEYOND:
        return there["chain"] is None or there["chain"][0] >= here["chain"][0]
    both = [what for what in there if what in here]
    return all(_line(here[what]) == _line(there[what]) or _unsaid(here, there, what) for what in both)


def _unsaid(here: dict[str, Any], there: dict[str, Any], what: str) -> bool:
    """A decision that the rules do not make: there is nothing to compare its draws with."""
    found = there[what]
    return (
        what == "draws" and found is not None and found[1] in UNSAID and found[0] == _line(here["decisions"])
    )


def _line(problem: Any) -> int:
    return problem[0] if problem else 0


def signer(data: bytes) -> dict[str, str]:
    ring = signatures.published(json.dumps(KEYS).encode())
    match = json.loads(data.split(b"\n", 1)[0])["match"]
    return ring.judge(match, verify.ending(data))._asdict()


def test_both_verifiers_say_the_same(page: Any) -> None:
    made = list(logs(COUNT, Random(11)))
    said = [published_or_nothing(log) for log in made]
    seen: Counter[str] = Counter()
    for log, report in zip(made, page(list(zip(made, said, strict=True))), strict=True):
        here, there = ours(log), theirs(report)
        assert agree(here, there), (here, there, log[:3000])
        if there["chain"] is None:
            assert report["signature"] == signer(log)
            seen[f"signed {report['signature']['by']}"] += 1
        seen.update(what for what, problem in there.items() if problem is not None)
        seen["good"] += not any(here.values()) and not any(there.values())
    wanted = ["chain", "seal", "salts", "draws", "good"]
    wanted += [f"signed {by}" for by in ("here", "trusted", "unknown", "nobody", "revoked", "forged")]
    assert all(seen[what] >= 5 for what in wanted), seen


def published_or_nothing(data: bytes) -> Any:
    try:
        return published(data)
    except BadLog:
        return None


def test_every_draw_is_rolled_again(page: Any) -> None:
    """A server that leaves a draw out, or says another outcome or other odds, is found out."""
    cases, whole = [], []
    for key in registry.GAMES:
        log = export(played(key, Random(3)))
        honest = published(log)
        assert honest["draws"]
        whole.append((log, honest))
        first = honest["draws"][0]
        other_odds = {"outcomes": first["outcomes"] + 7, "weights": None}
        lies = ({"chosen": first["chosen"] + 1}, other_odds, {"n": 99})
        cases += [(log, {**honest, "draws": [first | lie, *honest["draws"][1:]]}) for lie in lies]
        cases.append((log, {**honest, "draws": honest["draws"][1:]}))
        cases.append((log, {**honest, "draws": [*honest["draws"], first | {"seq": 1000}]}))
    assert all(theirs(report)["draws"] is None for report in page(whole))
    found = [theirs(report)["draws"] for report in page(cases)]
    assert found.count(None) <= len(registry.GAMES)  # other odds may give the same outcome


def test_the_bytes_of_an_event_are_spelt_alike(page: Any) -> None:
    """Every character that a text may have, in an export that only its spelling can break."""
    texts = [chr(n) for n in (*range(128), 0x80, 0x7FF, 0x2028, 0xFEFF, 0xFFFF, 0x10000, 0x10FFFF)]
    lines = played("tides-of-time", Random(1))
    events = [json.loads(line) for line in lines]
    made = [
        export(rechained([{**events[0], "by": f"account:{text}", text: 1}, *events[1:]])) for text in texts
    ]
    for text, report in zip(texts, page([(log, None) for log in made]), strict=True):
        assert report["checks"][0] == {"what": "chain", "line": 0, "code": ""}, repr(text)
