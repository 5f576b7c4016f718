"""Webhook bots that do everything wrong for a while: each is handled as documented, the match goes on."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bots.sdk.webhook import BadSignature, verify
from tests.house import House, house

pytestmark = pytest.mark.fault
WRONG = "whsec_" + "d3Jvbmcgc2VjcmV0IG9mIHRlc3Rz"
Reply = tuple[int, bytes, dict[str, str]]


class Bot(ThreadingHTTPServer):
    """Plays the first legal action, after `mischief` has had its turns."""

    daemon_threads = True

    def __init__(self, mischief: Callable[["Bot", dict[str, Any]], Reply | None]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.mischief, self.secret = mischief, WRONG
        self.bodies: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.refused = self.good = 0
        self.url = f"http://127.0.0.1:{self.server_address[1]}/turns"

    def answer(self, message: dict[str, Any]) -> Reply:
        if message["kind"] != "turn":
            return 204, b"", {}
        reply = self.mischief(self, message)
        if reply is not None:
            return reply
        self.good += 1
        return 200, json.dumps({"seq": message["seq"], "action": message["legal"][0]}).encode(), {}

    @property
    def turns(self) -> list[dict[str, Any]]:
        return [body for body in self.bodies if body["kind"] == "turn"]


class _Handler(BaseHTTPRequestHandler):
    server: Bot

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            verify(self.server.secret, self.headers, body, time.time())
        except BadSignature:
            self.server.refused += 1
            self.reply(401, b"{}", {})
            return
        self.server.ids.append(self.headers["webhook-id"])
        self.server.bodies.append(json.loads(body))
        self.reply(*self.server.answer(self.server.bodies[-1]))

    def reply(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True  # the service does not read ten megabytes to the end

    def log_message(self, *_: Any) -> None: ...


@contextmanager
def serving(mischief: Callable[[Bot, dict[str, Any]], Reply | None] = lambda *_: None) -> Iterator[Bot]:
    with Bot(mischief) as bot:
        threading.Thread(target=bot.serve_forever, daemon=True).start()
        try:
            yield bot
        finally:
            bot.shutdown()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(tmp_path_factory.mktemp("webhooks")) as home:
        yield home


@contextmanager
def opened(folder: Path, **env: str) -> Iterator[House]:
    with house(folder / "data", TURNLOG_ALLOW_PRIVATE="1", **env) as home:
        home.owner = home.guest("Anna")  # type: ignore[attr-defined]
        yield home


def seat(home: House, name: str, bot: Bot, secret: bool = True, **more: Any) -> tuple[str, dict[str, Any]]:
    body = {"name": name, "games": ["tides-of-time"], "delivery": {"kind": "webhook", "url": bot.url}}
    made = home.call("POST", "/api/bots", body, home.owner).json  # type: ignore[attr-defined]
    bot.secret = made["secret"] if secret else WRONG
    seats = [{"kind": "remote", "bot": name}, {"kind": "bot", "bot": "random"}]
    wanted = {"game": "tides-of-time", "seats": seats, **more}
    match = home.call("POST", "/api/matches", wanted, home.owner)  # type: ignore[attr-defined]
    assert match.status == 201, match.body
    return match.json["id"], made


def until(what: Callable[[], Any], patience: float = 60.0) -> Any:
    deadline = time.monotonic() + patience
    while not (found := what()):
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.1)
    return found


def ended(home: House, ident: str) -> list[dict[str, Any]]:
    """The events of a match, once it is over."""
    until(lambda: home.call("GET", f"/api/matches/{ident}").json["status"] == "finished")
    log = home.call("GET", f"/api/matches/{ident}/log").body
    return [json.loads(line) for line in log.splitlines()[:-1]]


def health(home: House, name: str) -> dict[str, Any]:
    found: dict[str, Any] = home.call("GET", f"/api/bots/{name}").json["health"]
    return found


def at_first(times: int, reply: Callable[[dict[str, Any]], Reply]) -> Callable[[Bot, Any], Reply | None]:
    """Misbehave for the first few turns."""
    return lambda bot, turn: reply(turn) if len(bot.turns) <= times else None


ILLEGAL = {"type": "play", "card": "no such card"}
TEN_MEGABYTES = b"{" + b" " * 10_000_000 + b"}"
MISCHIEF: dict[str, tuple[Callable[[dict[str, Any]], Reply], str]] = {
    "illegal": (
        lambda turn: (200, json.dumps({"seq": turn["seq"], "action": ILLEGAL}).encode(), {}),
        "illegal action",
    ),
    "huge": (lambda _: (200, TEN_MEGABYTES, {}), "more than 65536 bytes"),
    "other-turn": (lambda turn: (200, b'{"seq": 1, "action": {}}', {}), "answered turn 1"),
    "no-json": (lambda _: (200, b"<html>", {}), "not JSON"),
    "deep": (lambda _: (200, b"[" * 60_000, {}), "not JSON"),
    "broken": (lambda _: (500, b"", {}), "answered 500"),
}


def test_bots_that_answer_wrongly_are_asked_again(home: House) -> None:
    """All of them at once: one bot's trouble is not another's."""
    with ExitStack() as stack:
        inside = stack.enter_context(serving())
        wrong = MISCHIEF | {
            "redirect": (
                lambda _: (307, b"", {"Location": inside.url}),
                "answered 307, which is not followed",
            )
        }
        bots = {name: stack.enter_context(serving(at_first(2, wrong[name][0]))) for name in wrong}
        matches = {name: seat(home, name, bot)[0] for name, bot in bots.items()}
        for name, bot in bots.items():
            check_match(bot, ended(home, matches[name]))
            check_health(home, name, bot, wrong[name][1])
        assert not inside.bodies
        assert inside.refused == 0, "a redirect was followed into the house"


def check_match(bot: Bot, events: list[dict[str, Any]]) -> None:
    mine = [event for event in events if event["kind"] == "acted" and event["seat"] == 0]
    assert len({event["by"] for event in mine}) == 1, "somebody else played"
    assert mine[0]["by"].startswith("account:")
    assert len(mine) == bot.good
    turns = [ident for ident in bot.ids if ident.startswith("turn")]
    assert [turns.count(ident) for ident in dict.fromkeys(turns)] == [3, *[1] * (len(mine) - 1)]
    assert bot.bodies[0]["kind"] == "seated"
    told = [event for turn in bot.turns for event in turn["since"]]
    assert len(told) > len(mine)
    assert not any(event.keys() & {"seed", "salt", "cmd"} for event in told), "a secret went out"


def check_health(home: House, name: str, bot: Bot, reason: str) -> None:
    found = until(lambda: (now := health(home, name))["answered"] == bot.good and now)
    assert found["failures"] == 2
    assert reason in found["last_failure"]["reason"]
    assert found["state"] == "well"


@pytest.mark.single  # its house beside the one above: on a cluster both would share one store
def test_a_late_answer_comes_to_nothing_and_the_match_goes_on(tmp_path: Path) -> None:
    """The bot says that it will answer later and does not: a bot of the house plays the turn."""
    thinking = at_first(1, lambda _: (202, b"", {}))
    with opened(tmp_path, TURNLOG_BOT_PATIENCE="3") as home, serving(thinking) as bot:
        ident, made = seat(home, "late", bot)
        turn = until(lambda: bot.turns)[0]
        stood_in = until(lambda: stand_ins(home, ident))
        assert stood_in[0]["by"] == "bot:greedy"
        body = {"seq": turn["seq"], "action": turn["legal"][0]}
        late = home.call("POST", f"/api/matches/{ident}/actions", body, made["token"], "turn:late")
        assert (late.status, late.json["code"]) == (409, "stale_seq")
        assert len(stand_ins(home, ident, ended(home, ident))) < 14, "the bot has played on"
        assert "greedy played the turn" in health(home, "late")["last_failure"]["reason"]
        verdict = home.call("GET", f"/api/matches/{ident}/verify").json["verdict"]
        assert verdict == "valid", "what the house played for the bot is called so in the log"


def stand_ins(home: House, ident: str, events: Any = None) -> list[dict[str, Any]]:
    if events is None:
        raw = home.call("GET", f"/api/matches/{ident}/events").body
        events = [json.loads(line) for line in raw.splitlines()]
    return [event for event in events if event.get("seat") == 0 and event["by"].startswith("bot:")]


def test_a_clock_decides_where_there_is_one(home: House) -> None:
    """No stand-in for a single turn: the seat's own time-out policy."""
    with serving(lambda *_: (503, b"", {})) as bot:
        clock = {"kind": "per_move", "seconds": 4, "timeout": "caretaker"}
        ident, _ = seat(home, "timed", bot, clock=clock)
        events = ended(home, ident)
        assert bot.turns[0]["deadline"] is not None
    kinds = [event["kind"] for event in events]
    assert "timed_out" in kinds
    assert events[kinds.index("timed_out") + 1]["holder"] == {"kind": "bot", "id": "greedy"}


def test_a_bot_that_does_not_know_the_secret_refuses_until_it_does(home: House) -> None:
    with serving() as bot:
        ident, made = seat(home, "wrong-secret", bot, secret=False)
        until(lambda: bot.refused >= 2)
        assert not bot.turns
        assert "answered 401" in health(home, "wrong-secret")["last_failure"]["reason"]
        bot.secret = made["secret"]
        ended(home, ident)


def test_both_secrets_sign_while_one_is_replaced(home: House) -> None:
    with serving() as bot:
        ident, made = seat(home, "rotating", bot)
        until(lambda: bot.turns)
        path = "/api/bots/rotating"
        fresh = home.call("PATCH", path, {"rotate": "secret"}, home.owner).json["secret"]  # type: ignore[attr-defined]
        assert fresh != made["secret"]
        seen = len(bot.turns)
        until(lambda: len(bot.turns) > seen + 1)  # the old one still holds
        bot.secret = fresh
        ended(home, ident)
        assert bot.refused == 0
        again = home.call("PATCH", path, {"rotate": "secret"}, home.owner).json["secret"]  # type: ignore[attr-defined]
        bot.secret = made["secret"]  # replaced twice: it is worth nothing
        second, _ = reseat(home, "rotating")
        until(lambda: bot.refused)
        bot.secret = again
        ended(home, second)


def reseat(home: House, name: str) -> tuple[str, Any]:
    seats = [{"kind": "remote", "bot": name}, {"kind": "bot", "bot": "random"}]
    match = home.call("POST", "/api/matches", {"game": "tides-of-time", "seats": seats}, home.owner)  # type: ignore[attr-defined]
    return match.json["id"], match.json
