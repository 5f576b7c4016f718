"""News of a match for all who watch it here: read once, made out once for each seat, told to everybody.

Five thousand watchers of one match cost a process two reads of the log an event, as one watcher does. Nothing
is queued for anybody: a feed keeps the latest events as bytes that all share, and whoever lags behind reads
the log, a few at a time.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.game import Lang
from engine.kit.text import LANGS
from engine.log import BadLog, Match
from infra.process.errors import StoreUnavailable
from infra.store.watch import Subscription
from service.basics.errors import Problem
from service.bootstrap import Deps
from service.views import chat, sight

KEPT = 64  # events and messages that all share
PAGE = 200  # events read at once for a reader who is behind
MAX_BEHIND = 32  # read the log at the same time
SLICE = 200  # watchers woken before others get their turn
AGAIN_S = 1.0


class Feed:
    """One match as this process knows it."""

    def __init__(self, deps: Deps, match: Match, behind: asyncio.Semaphore) -> None:
        self._deps, self._behind = deps, behind
        self.match = match
        self.said = 0  # the newest message at the table
        self.watchers: set[Subscription] = set()
        self.ended = False
        self._closing = False
        self._notices: Subscription | None = None
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines: dict[int, bytes] = {}
        self._shown: dict[tuple[int, int | None, bool], bytes] = {}
        self._words: dict[tuple[int, Lang], bytes] = {}

    async def run(self) -> None:
        """Until nobody watches, or the match cannot be followed any more."""
        try:
            async with self._deps.watch.listen(self.match.id) as notices:
                self._notices = notices
                self.said = await self._deps.chat.last(self.match.id)
                await self._look(notices)
                self.begun.set_result(None)
                while not self._closing:
                    await notices
                    await self._insist(notices)
                    await self._wake()
        except (StoreUnavailable, Problem, BadLog) as problem:
            if not self.begun.done():
                self.begun.set_exception(problem)
                self.begun.exception()  # whoever waits for it hears of it; perhaps nobody does any more
        finally:
            self.ended = True
            for watcher in self.watchers:
                watcher.tell(0)

    def close(self) -> None:
        """End by oneself: a read that waits for the store may swallow a cancellation, and go on."""
        self._closing = True
        if self._notices is not None:
            self._notices.tell(0)

    async def _insist(self, notices: Subscription) -> None:
        """A store that is away is waited for: nobody misses anything, and nobody needs to come again."""
        while not self._closing:
            try:
                await self._look(notices)
            except StoreUnavailable:
                notices.look = True
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def _look(self, notices: Subscription) -> None:
        known, match = self.match.seq, await self._deps.matches.now(self.match.id)
        if match.seq < known or self._is_another(match):
            raise Problem("not_found")  # a log that became shorter, or another one, is not the one told of
        after = max(known, match.seq - KEPT)
        lines = await self._deps.store.read(match.id, after, match.seq - after) if after < match.seq else []
        if notices.look:
            notices.look = False
            await self._listen()
        self._lines.update(enumerate(lines, after + 1))
        self._trim(match.seq - KEPT)
        self.match = match

    def _is_another(self, match: Match) -> bool:
        """After a failover another log may have grown to the same length, or beyond."""
        then = self._deps.matches.past(match.id).get(self.match.seq)
        return then is not None and then.head != self.match.head

    async def _listen(self) -> None:
        """What was said at the table since, in both languages: each is made out once."""
        for lang in LANGS:
            for message in await chat.since(self._deps, self.match.id, self.said, lang):
                self._words[message["id"], lang] = b"event: chat\ndata: %b\n\n" % sight.encode(message)
        self.said = max((number for number, _ in self._words), default=self.said)

    def _trim(self, before: int) -> None:
        self._lines = {seq: line for seq, line in self._lines.items() if seq > before}
        self._shown = {key: text for key, text in self._shown.items() if key[0] > before}
        self._words = {key: text for key, text in self._words.items() if key[0] > self.said - KEPT}

    async def _wake(self) -> None:
        for number, watcher in enumerate(tuple(self.watchers), 1):
            watcher.tell(self.match.seq)
            if number % SLICE == 0:
                await asyncio.sleep(0)

    async def news(self, match: Match, after: int, seat: int | None) -> tuple[bytes, int]:
        """What a seat may read of the events after `after`, or of a page of them, and the last one's number.

        `match` is what was looked at: it decides what may be read, and nothing beyond it is told.
        """
        if after + 1 in self._lines:
            shown = [self._event(match, seq, seat) for seq in range(after + 1, match.seq + 1)]
            return b"".join(shown), match.seq
        async with self._behind:
            lines = await self._deps.store.read(match.id, after, min(PAGE, match.seq - after))
        texts = (_event(match, line, seq, seat) for seq, line in enumerate(lines, after + 1))
        return b"".join(texts), after + len(lines)

    def words(self, after: int, lang: Lang) -> bytes:
        """What was said since: without an id, so that `Last-Event-ID` stays a place in the log."""
        if after == self.said:
            return b""
        return b"".join(text for (number, of), text in self._words.items() if number > after and of == lang)

    def _event(self, match: Match, seq: int, seat: int | None) -> bytes:
        key = (seq, seat, match.status == "finished")
        found = self._shown.get(key)
        if found is None:
            found = self._shown[key] = _event(match, self._lines[seq], seq, seat)
        return found


def _event(match: Match, line: bytes, seq: int, seat: int | None) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (seq, sight.event_for(match, line, seat))


class Feeds:
    """The feeds of this process: one for each match that somebody watches."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._open: dict[str, tuple[Feed, asyncio.Task[None]]] = {}
        self._behind = asyncio.Semaphore(MAX_BEHIND)

    @asynccontextmanager
    async def watch(self, match: Match) -> AsyncIterator[tuple[Feed, Subscription]]:
        """Hear of everything from now on. Raises what keeps the match from being followed."""
        feed, notices = self._feed(match), Subscription()
        feed.watchers.add(notices)
        try:
            await asyncio.shield(feed.begun)
            yield feed, notices
        finally:
            feed.watchers.discard(notices)
            if not feed.watchers:
                await self._close(feed)

    def _feed(self, match: Match) -> Feed:
        feed, _ = self._open.get(match.id, (None, None))
        if feed is None or feed.ended:
            feed = Feed(self._deps, match, self._behind)
            self._open[match.id] = feed, asyncio.create_task(feed.run(), name=f"feed {match.id}")
        return feed

    async def _close(self, feed: Feed) -> None:
        kept, task = self._open.get(feed.match.id, (None, None))
        if kept is not feed or task is None:
            return  # it ended before, and another one took its place
        del self._open[feed.match.id]
        feed.close()
        await task
