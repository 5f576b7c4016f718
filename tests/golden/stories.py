"""Matches in which everything happens that can happen at a table: for golden logs, and for forgers.

Every kind of event is in one of them; whoever does something does it in their own name.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

from bots.arena import EPOCH, Played
from engine import accord, advice, codec, table, tenure, undo
from engine.events import Holder, Place
from engine.game import AnyGame, Result
from engine.log import load
from engine.match import Match
from engine.table import LogWriter, NewTable
from tests.tables import MatchEnded, asker, person, player, revealing, step

CLOCK = {"kind": "per_move", "seconds": 86400}
SITTING = {
    "person": person(0),
    "bot": Holder("bot", "random"),
    "remote": Holder("remote", "account:robot"),
}
EVE = Holder("person", "account:eve")
SYSTEM = "system"
MAX_HANDS = 200


class Story:
    """A writer that goes from hand to hand."""

    def __init__(self, game: AnyGame, name: str, number: int = 0) -> None:
        self.game, self.number = game, number
        self.rng = Random(f"{game.key} {name} {number}" if number else f"{game.key} {name}")
        self.ident = "tale" + codec.digest(f"{game.key} {name}".encode())[:12]
        self.writer = LogWriter(None, EPOCH, person(0).id)

    @property
    def match(self) -> Match:
        return self.writer.match

    def seed(self) -> bytes:
        return self.rng.randbytes(32)

    def by(self, who: str) -> LogWriter:
        self.writer.by = who
        return self.writer

    def hand(self, seat: int) -> LogWriter:
        """The writer in the hand of whoever plays there."""
        return self.by(player(self.match, seat))

    def open(self, *kinds: str, timeout: str = "", listed: bool = True) -> None:
        """A table with a place of each kind; persons, bots and remote bots sit there at once."""
        places = [Place(kind) for kind in kinds]  # type: ignore[arg-type]
        holders = [SITTING.get(kind) for kind in kinds]
        clock = {**CLOCK, "timeout": timeout} if timeout else None
        new = NewTable(self.ident, places, holders, self.seed(), listed, clock)
        table.open_match(self.writer, self.game.key, self.game.Options(), new)

    def sit(self, seat: int, holder: Holder, nonce: str = "") -> None:
        table.sit(self.by(holder.id), seat, holder, nonce)

    def all_sit(self) -> None:
        for seat, chair in enumerate(self.match.chairs):
            if chair.holder is None:
                self.sit(seat, person(seat), f"nonce of {seat}")

    def play(self, actions: int = 1) -> None:
        """So many actions, after which there is more to play."""
        for _ in range(actions):
            step(self.writer, self.rng)
        if self.match.status != "running":
            raise MatchEnded

    def play_until(self, wanted: Callable[[Match], bool]) -> Match:
        while not wanted(self.match):
            step(self.writer, self.rng)
        return self.match

    def play_out(self) -> None:
        self.play_until(lambda match: match.status == "finished")

    def then(self, seq: int) -> Match:
        return load(self.writer.lines[:seq])

    def take_back(self) -> None:
        """Freely, if there is anything that may be taken back so."""
        if False not in revealing(self.game):
            return
        match = self.play_until(lambda m: undo.free_to(m, m.runner) is not None and m.runner in m.people)
        free = undo.free_to(match, match.runner)
        assert match.runner is not None
        assert free is not None
        undo.undo(self.hand(match.runner), match.runner, free[0], self.then(free[0]))

    def ask_back(self, agree: bool | None) -> None:
        """What cannot be taken back freely: all agree, one refuses, or nobody answers."""
        self.play()
        match = self.play_until(lambda m: asker(m) is not None)
        seat, to = asker(match), match.seq - 1
        assert seat is not None
        undo.undo(self.hand(seat), seat, to, self.then(to))
        if agree is None:
            undo.expire(self.by(SYSTEM))
            return
        for other in undo.waited_for(self.match)[: None if agree else 1]:
            undo.answer(self.hand(other), other, agree, self.then(to))

    def together(self, what: accord.What) -> None:
        for seat in self.match.people:
            accord.agree(self.hand(seat), seat, what)


def evening(story: Story) -> None:
    """People come and go; they take back, agree, refuse, rest, and play to the end."""
    story.open("person", "open", listed=False)
    table.sit(story.by(person(0).id), 0, person(0), "given later")
    table.leave(story.writer, 0, person(0).id)
    story.sit(0, person(0))
    table.sit(story.writer, 0, person(0), "given last")
    story.sit(1, person(1), "given at once")
    story.take_back()
    story.ask_back(agree=True)
    story.play(2)
    story.ask_back(agree=False)
    story.play(2)
    story.ask_back(agree=None)
    story.together("pause")
    story.play()
    accord.resume(story.hand(0), 0)
    accord.agree(story.hand(1), 1, "abandon")
    accord.agree(story.hand(1), 1, "abandon", False)
    story.play_out()


def absent(story: Story) -> None:
    """Seats change hands: time runs out, a caretaker plays, owners return, a substitute steps in."""
    story.open("person", "invite", timeout="caretaker")
    story.all_sit()
    late = story.play_until(lambda m: bool(m.to_act)).to_act[0]
    tenure.time_out(story.by(SYSTEM), late, "caretaker")
    story.play(2)
    tenure.return_to(story.by(person(late).id), late, person(late).id)
    story.play(2)
    tenure.hand_over(story.hand(1), 1, person(1).id)
    story.play()
    tenure.substitute(story.by(EVE.id), 1, EVE)
    story.play(3)
    tenure.return_to(story.by(person(1).id), 1, person(1).id)
    story.play(2)
    table.resign(story.hand(1), 1, person(1).id)


def late(story: Story) -> None:
    """Time runs out, and that is the end."""
    story.open("person", "open", timeout="resign")
    story.all_sit()
    story.play(4)
    tenure.time_out(story.by(SYSTEM), story.match.to_act[0], "resign")


def patient(story: Story) -> None:
    """Time runs out, and everybody waits on; then they give the match up."""
    story.open("person", "open", timeout="wait")
    story.all_sit()
    tenure.time_out(story.by(SYSTEM), story.match.to_act[0], "wait")
    story.play(3)
    story.together("abandon")


def helped(story: Story) -> None:
    """One against a bot, who asks what the bot would do."""
    story.open("person", "bot")
    for _ in range(2):
        story.play_until(lambda m: 0 in m.to_act)
        advice.ask(story.hand(0), 0)
        story.play(2)
    story.play_out()


def programs(story: Story) -> None:
    """A person, and a program of somebody else's."""
    story.open("person", "remote")
    story.play_out()


def crowd(story: Story) -> None:
    """Three; one gives up, a caretaker plays on and comes behind the others."""
    story.open("bot", "open", "open")
    story.all_sit()
    story.play(6)
    table.resign(story.hand(1), 1, person(1).id)
    story.play_out()


def cancelled(story: Story) -> None:
    """Nobody came."""
    story.open("person", "open")
    table.cancel(story.by(person(0).id), person(0).id)


def forked(story: Story) -> None:
    """A new match from a moment of another one."""
    source = Story(story.game, "source", story.number)
    source.open("person", "open")
    source.all_sit()
    source.play(6)
    places, holders = [Place("person"), Place("bot")], [SITTING["person"], SITTING["bot"]]
    then = source.match
    table.fork(
        story.writer, then, then.state, NewTable(story.ident, places, holders, story.seed(), listed=False)
    )
    story.play_out()


def moved(story: Story) -> None:
    """A match that was running when it was imported: new dice, and others sit down."""
    story.open("person", "open")
    story.all_sit()
    story.play(4)
    table.reseal(story.by(SYSTEM), story.ident, story.seed())
    story.sit(1, EVE, "of somebody new")
    story.sit(0, person(1))
    story.play_out()


STORIES = {
    story.__name__: story
    for story in (evening, absent, late, patient, helped, programs, crowd, cancelled, forked, moved)
}


def told(game: AnyGame, name: str) -> Played:
    """The story, with the first of some hands that plays long enough for it."""
    for number in range(MAX_HANDS):
        story = Story(game, name, number)
        with suppress(MatchEnded):
            STORIES[name](story)
            result = story.match.result or Result((), (), (), ())
            return Played(story.match, result, 0, story.writer.lines)
    raise LookupError(f"{game.key}: in {MAX_HANDS} tries no match was long enough for the story {name!r}")


def stories(game: AnyGame) -> Iterator[tuple[str, Played]]:
    """Every story that this game has enough seats for."""
    for name in STORIES:
        if name != "crowd" or 3 in game.players:
            yield f"story-{name}", told(game, name)
