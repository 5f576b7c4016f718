"""The four walks: one action, one notice, one turn by webhook, one replay, through the real parts of a house.

Everything is found by its name, so that the same walks can be made in another state of the tree.
"""

from __future__ import annotations

import asyncio
import base64
import importlib
import logging
import re
import socket
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import httpx2
import structlog
from aiosmtpd.controller import Controller
from rq.serializers import JSONSerializer

from tests.walks.trace import Trace

NOTICES = ("workers/notices/schedule.py", "workers/notices.py")  # today's name, and the one before the rooms
WATCHERS = (
    "service/views/feeds.py",
    "service/feeds.py",
    "service/api/matches/stream.py",
    "service/api/stream.py",
)
WEBHOOKS = ("workers/webhooks/schedule.py", "workers/calls.py")
TIDES = "tides-of-time"
SECRET = "whsec_" + base64.b64encode(b"until the real one is known").decode()
SOON_S = 60.0  # generous: the machine may be busy
ROUNDS = 4  # of relay and workers, in which everything comes to rest


class Tree:
    """A state of the source tree: what is called so in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def find(self, name: str, folder: str) -> Any:
        """The function or class of this name in a folder."""
        for path in sorted((self.root / folder).rglob("*.py")):
            if re.search(rf"^(class|def) {name}\b", path.read_text(encoding="utf-8"), re.M):
                module = path.relative_to(self.root).with_suffix("").as_posix().replace("/", ".")
                return getattr(importlib.import_module(module), name)
        raise LookupError(name)


class Mailbox:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.letters: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        letter = message_from_bytes(envelope.content, policy=default)
        self.letters.append(str(letter.get_body(("plain",)).get_content()))  # type: ignore[attr-defined]
        return "250 OK"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Walker:
    """A house in this process: an API, a relay and workers, each with connections of its own."""

    def __init__(self, tree: Tree, data: Path, stack: ExitStack) -> None:
        self.tree, self._later = tree, timedelta()
        self.box = Mailbox()
        port = _free_port()
        mail = Controller(self.box, hostname="127.0.0.1", port=port, ready_timeout=20)
        mail.start()
        stack.callback(mail.stop)
        store = stack.enter_context(tree.find("Embedded", "infra")(data))
        settings = tree.find("Settings", "infra")(
            data=data, given_secret="a secret of the walks", smtp_url=f"smtp://127.0.0.1:{port}", lenient=True
        )
        self.url = store.url
        self.loop = asyncio.new_event_loop()
        stack.callback(self.loop.close)
        wire = tree.find("wire", "service")
        api, relay, working = (wire(settings, self.url, self.now) for _ in range(3))
        for deps in (relay, api):
            stack.callback(lambda deps=deps: self.do(deps.close()))
        app = tree.find("create_app", "service")(api)
        self.client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://house")
        self._queue = tree.find("connect_sync", "infra")(self.url)
        stack.callback(self._queue.close)
        self.relay = tree.find("Relay", "workers")(relay, tree.find("Jobs", "workers")(self._queue))
        runtime = tree.find("Runtime", "workers")(settings, self.url, working)
        stack.callback(runtime.close)
        tree.find("use", "workers")(runtime)
        self.app, self._worker = app, tree.find("Worker", "workers")
        self.do(tree.find("Outbox", "infra")(relay.client).ensure_groups())

    def now(self) -> datetime:
        return datetime.now(UTC) + self._later

    def wait(self, seconds: int) -> None:
        """Nobody waits: it is later."""
        self._later += timedelta(seconds=seconds)

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.do(self.client.request(method, f"/api{path}", headers=headers, json=body))
        assert answer.status_code < 300, answer.text
        return answer

    def step(self) -> None:
        """The relay passes on what is new."""
        while self.do(self.relay.step()):
            pass

    def work(self, *queues: str) -> None:
        """Workers do what is in the queues."""
        worker = self._worker(queues, connection=self._queue, serializer=JSONSerializer)
        worker.work(burst=True, logging_level="WARNING")

    def settle(self) -> None:
        """Until nobody owes anything."""
        for _ in range(ROUNDS):
            self.step()
            self.do(self.relay.sweep())
            self.work("bots", "calls", "notify")

    def guest(self, name: str) -> str:
        return str(self.ask("POST", "/accounts", body={"name": name}).json()["token"])

    def look(self, token: str, match: Any) -> Any:
        return self.ask("GET", f"/matches/{match['id']}", token).json()

    def send(self, token: str, seen: Any) -> Any:
        """The first legal action of a match that was looked at."""
        body = {"seq": seen["seq"], "action": seen["legal"][0]}
        return self.ask("POST", f"/matches/{seen['id']}/actions", token, body).json()

    def act(self, token: str, match: Any) -> Any:
        return self.send(token, self.look(token, match))


class Walk:
    """One of the four: its steps, each with what was traced."""

    def __init__(self, title: str, house: Walker) -> None:
        self.title, self._house = title, house
        self.steps: list[tuple[str, Trace]] = []

    @contextmanager
    def step(self, name: str, under: tuple[str, ...] = ()) -> Iterator[None]:
        trace = Trace(self._house.tree.root, under)
        self.steps.append((name, trace))
        self._house.loop.set_default_executor(ThreadPoolExecutor())  # only threads that begin now are seen
        with trace.running():
            yield

    @property
    def traces(self) -> list[Trace]:
        return [trace for _, trace in self.steps]


def an_action(house: Walker) -> Walk:
    """A person acts against a built-in bot, the bot answers, and somebody watches."""
    walk = Walk("One action", house)
    anna = house.guest("Anna")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    match = house.ask("POST", "/matches", anna, {"game": TIDES, "seats": seats}).json()
    house.settle()
    house.act(anna, match)  # the first time everything is read from the store: here nothing is
    house.settle()
    seen = house.look(anna, match)
    house.app.deps.waiting._known.clear()  # kept for two seconds: a quick machine would still know
    with walk.step("the request"):
        house.send(anna, seen)
    with walk.step("the relay"):
        house.step()
    with walk.step("the bot's turn"):
        house.work("bots")
    after = house.look(anna, match)
    assert after["seq"] > seen["seq"] + 1, "the bot has not answered"
    with _watched(house, after) as heard, walk.step("whoever watches", WATCHERS):
        house.send(anna, after)
        house.do(heard(after["seq"] + 1))
    return walk


@contextmanager
def _watched(house: Walker, match: Any) -> Iterator[Any]:
    """A stream that has told all of a match so far; gives a function that waits for an event on it."""
    path = f"/api/matches/{match['id']}/stream"
    told: list[bytes] = []
    news, gone = asyncio.Event(), asyncio.Event()
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "headers": [(b"host", b"house")],
        "client": ("127.0.0.1", 1), "server": ("house", 80), "state": {},
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        told.append(message.get("body", b""))
        news.set()

    async def heard(seq: int) -> None:
        async with asyncio.timeout(SOON_S):
            while f"id: {seq}\n".encode() not in b"".join(told):
                news.clear()
                await news.wait()

    async def subscribed() -> None:
        """When the subscription begins, everybody is woken to look at everything: that is not the walk."""
        async with asyncio.timeout(SOON_S), house.app.deps.watch.listen("nobody") as woken:
            await woken

    house.do(subscribed())
    task = house.loop.create_task(house.app(scope, receive, send))
    house.do(heard(match["seq"]))
    yield heard
    gone.set()
    house.do(asyncio.wait([task]))


def a_notice(house: Walker) -> Walk:
    """Somebody's turn begins; a minute later a letter says so."""
    walk = Walk("One notice", house)
    anna, bert = house.guest("Nora"), house.guest("Bert")
    house.ask("PUT", "/me/channels/mail", anna, {"kind": "email", "address": "nora@example.org"})
    link = house.box.letters[-1].split("/api/confirm/")[1].split()[0]
    house.ask("POST", f"/confirm/{link}")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = house.ask(
        "POST", "/matches", anna, {"game": "machi-koro", "seats": seats, "options": {"first_seat": 0}}
    ).json()
    house.ask("POST", f"/matches/{match['id']}/seats/1", bert)
    for player, seat in ((anna, 0), (bert, 1)):  # Nora is to act after Bert has
        while house.look(player, match)["to_act"] == [seat]:
            house.act(player, match)
            if seat == 0:
                house.settle()
    sent = len(house.box.letters)
    with walk.step("the relay notes it", NOTICES):
        house.step()
    house.wait(61)
    with walk.step("a minute later it is due", NOTICES):
        house.do(house.relay.sweep())
    with walk.step("it is delivered"):
        house.work("notify")
    assert len(house.box.letters) == sent + 1, house.box.letters
    return walk


def a_webhook_turn(house: Walker) -> Walk:
    """A remote bot is called, and its answer is played."""
    walk = Walk("One turn by webhook", house)
    anna = house.guest("Olga")
    find = house.tree.find
    runner = find("Runner", "bots/sdk")(_FirstLegal(), find("Client", "bots/sdk")("http://127.0.0.1:9", "-"))
    server = find("WebhookServer", "bots/sdk")(runner, SECRET, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    delivery = {"kind": "webhook", "url": f"http://127.0.0.1:{server.server_address[1]}/"}
    made = house.ask("POST", "/bots", anna, {"name": "robo", "games": [TIDES], "delivery": delivery}).json()
    server.secret = made["secret"]
    seats = [{"kind": "me"}, {"kind": "remote", "bot": "robo"}]
    match = house.ask("POST", "/matches", anna, {"game": TIDES, "seats": seats}).json()
    house.settle()
    before = house.act(anna, match)
    with walk.step("the relay asks for a call", WEBHOOKS):
        house.step()
    with walk.step("it is called, and answers"):
        house.work("calls")
    after = house.look(anna, match)
    server.shutdown()
    server.server_close()
    assert after["seq"] > before["seq"], "the bot has not answered"
    return walk


class _FirstLegal:
    def choose(self, turn: Any) -> Any:
        return turn.legal[0]


def a_replay(house: Walker) -> Walk:
    """All positions of a match, as its reader knew them."""
    walk = Walk("One replay", house)
    anna = house.guest("Petr")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    match = house.ask("POST", "/matches", anna, {"game": TIDES, "seats": seats}).json()
    for _ in range(3):
        house.settle()
        house.act(anna, match)
    house.settle()
    house.look(anna, match)  # whoever was heard lately is not looked up again
    with walk.step("the request"):
        answer = house.ask("GET", f"/matches/{match['id']}/views", anna)
    assert len(answer.text.splitlines()) > 3, answer.text
    return walk


WALKS = (an_action, a_notice, a_webhook_turn, a_replay)


def walked(root: Path, data: Path) -> list[Walk]:
    """All four in a tree."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with ExitStack() as stack:
        house = Walker(Tree(root), data, stack)
        return [walk(house) for walk in WALKS]
