"""What people are told besides their turns: proposals, starts, rematches, substitutes, the end."""

from datetime import timedelta
from random import Random

import pytest

from infra.store import keys
from infra.store.redis import call
from service.notices.owed import Owed
from tests.letterbox import text_of
from tests.posting import PEOPLE, START, subjects, table, until_turn, with_mail
from workers.notices import deliver

pytestmark = pytest.mark.anyio
A, B, C = (f"{name}@example.org" for name in ("anna", "bert", "cyril"))


@pytest.fixture
async def two(house, box):
    """Anna and Bert, with addresses; both have played, and it is Bert's turn."""
    anna, bert, match = await table(house, locale="en")
    match = await until_turn(anna, await until_turn(bert, match, 0), 1)
    await with_mail(house, box, anna, to=A)
    await with_mail(house, box, bert, to=B)
    return anna, bert, match


@pytest.fixture
def later(hand, post):
    """Some time passes, and what is due by then is told."""

    async def later(**delta):
        await post.run()
        hand.on(**(delta or {"minutes": 2}))
        await post.run()
        await post.run()

    return later


def last(box, to, subject=""):
    """The text of the latest letter to somebody (about something)."""
    letters = [letter for letter in box.letters if letter["To"] == to and subject in letter["Subject"]]
    return text_of(letters[-1])


async def test_the_end_is_told_to_whom_it_was_not_the_doing_of(house, box, two, later):
    anna, bert, match = two
    await bert.ask("DELETE", f"/api/matches/{match['id']}/seats/1")
    await later()
    assert subjects(box, B) == []
    assert subjects(box, A) == ["The match is over: Machi Koro"]
    text = last(box, A)
    assert f"Won by: {anna.account['name']}." in text
    assert f"{bert.account['name']} resigns." in text
    assert "scores" not in text  # nobody counted
    await later(days=1)
    assert len(box.letters) == 1


async def test_the_end_is_told_with_points_and_to_who_left_the_seat(house, box, two, later):
    anna, bert, match = two
    await anna.post(f"/api/matches/{match['id']}/seats/0/leave")
    rng = Random(5)
    while match["status"] == "running":
        match = await house.play_out(bert, match, rng)
    await later()
    assert "The match is over: Machi Koro" in subjects(box, A)
    assert "Final scores:" in last(box, A)


@pytest.mark.parametrize("what", ["pause", "abandon"])
async def test_a_wish_is_told_once_and_says_how_long_it_holds(house, box, two, later, what):
    anna, _bert, match = two
    await anna.post(f"/api/matches/{match['id']}/{what}")
    await later()
    await later(hours=1)
    title = {"pause": "Pause the match? Machi Koro", "abandon": "End the match without a winner? Machi Koro"}[
        what
    ]
    assert subjects(box, B).count(title) == 1
    assert subjects(box, A) == []
    assert "until somebody plays on; after that it can be" in last(box, B)


async def test_a_wish_that_was_taken_back_at_once_is_not_told(house, box, two, later):
    anna, _bert, match = two
    for wish in (True, False):
        await anna.post(f"/api/matches/{match['id']}/pause", {"agree": wish})
    await later()
    assert "Pause the match? Machi Koro" not in subjects(box, B)


async def test_who_proposes_many_times_sends_few_letters(house, box, two, later):
    anna, _bert, match = two
    for _ in range(8):
        await anna.post(f"/api/matches/{match['id']}/pause", {"agree": True})
        await later()
        await anna.post(f"/api/matches/{match['id']}/pause", {"agree": False})
    assert subjects(box, B).count("Pause the match? Machi Koro") == 3
    await later(hours=15)  # another day
    await anna.post(f"/api/matches/{match['id']}/pause", {"agree": True})
    await later()
    assert subjects(box, B).count("Pause the match? Machi Koro") == 4


async def test_a_question_says_what_would_be_taken_back_and_until_when(house, hand, box, two, later):
    anna, bert, match = two
    await bert.ask("PATCH", "/api/me", json={"quiet_hours": {"from": "21:00", "to": "09:00"}})
    before = await anna.look(match)
    match = await until_turn(bert, match, 0)
    match = await until_turn(anna, match, 1)
    await bert.ask("PATCH", "/api/me", json={"vacation": {"from": "2026-11-17", "to": "2026-11-17"}})
    asked = await anna.post(f"/api/matches/{match['id']}/undo", {"seq": match["seq"], "to": before["seq"]})
    assert asked.status_code == 202, asked.text
    await later()
    text = last(box, B, "Take-back requested:")
    assert "This would be taken back:" in text
    assert f"{anna.account['name']} builds" in text
    # 24 waking hours: 12 today, none on the day of vacation, 12 on Wednesday.
    assert "You can answer until Wed 18 Nov 2026, 21:00 (UTC)." in text
    hand.now = START + timedelta(days=2, hours=11, minutes=59)
    await later(seconds=1)
    assert (await anna.look(match))["asked"] is not None
    await later(minutes=2)
    assert (await anna.look(match))["asked"] is None


async def test_a_start_is_told_to_who_is_not_to_act(house, box, later):
    guests = [await house.guest() for _ in range(3)]
    for guest, to in zip(guests, (A, B, C), strict=True):
        await with_mail(house, box, guest, to=to)
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    match = await guests[0].open(game="machi-koro", seats=seats)
    for seat in (1, 2):
        await guests[seat].post(f"/api/matches/{match['id']}/seats/{seat}")
    await later()
    [first] = (await guests[0].look(match))["to_act"]
    for seat, to in enumerate((A, B, C)):
        expected = {first: ["Your turn: Machi Koro"], 2: []}.get(seat, ["The match has begun: Machi Koro"])
        assert subjects(box, to) == expected  # the last one to sit down saw it begin
    await later(days=1)
    assert len(box.letters) == 2


async def test_a_rematch_is_told_until_one_sits_there(house, box, two, later):
    _anna, bert, match = two
    await bert.ask("DELETE", f"/api/matches/{match['id']}/seats/1")
    await later()
    box.letters.clear()
    assert (await bert.post(f"/api/matches/{match['id']}/rematch")).is_success
    await later()
    await later(days=1)
    assert subjects(box, A) == ["Rematch? Machi Koro"]
    assert f"{bert.account['name']} would like to play Machi Koro again" in last(box, A)
    assert subjects(box, B) == []


async def test_a_rematch_that_was_joined_at_once_is_not_told(house, box, two, later):
    anna, bert, match = two
    await bert.ask("DELETE", f"/api/matches/{match['id']}/seats/1")
    for guest in (bert, anna):
        assert (await guest.post(f"/api/matches/{match['id']}/rematch")).is_success
    await later()
    assert "Rematch? Machi Koro" not in [*subjects(box, A), *subjects(box, B)]


async def substituted(bert, cyril, match):
    """Cyril plays for Bert."""
    path = f"/api/matches/{match['id']}/seats/1"
    assert (await bert.post(f"{path}/leave")).is_success
    code = (await bert.post(f"{path}/invite")).json()["code"]
    taken = await cyril.post(path, {"invite": code})
    assert taken.is_success, taken.text


@pytest.fixture
async def three(house, box, two):
    """Anna, Bert, and Cyril who plays for Bert; it is Bert's turn."""
    anna, bert, match = two
    cyril = await house.guest()
    await with_mail(house, box, cyril, to=C)
    await substituted(bert, cyril, match)
    return anna, bert, cyril, match


async def test_a_substitute_is_told_to_all_but_themselves(house, box, three, later):
    _anna, bert, cyril, _match = three
    await later()
    name = cyril.account["name"]
    assert f"{name} is now playing for you in Machi Koro." in last(box, B)
    assert f"{name} is now playing for {bert.account['name']} in Machi Koro." in last(box, A)
    assert subjects(box, C) == []


async def test_a_substitutes_time_out_is_theirs(house, box, three, later):
    _anna, _bert, cyril, _match = three
    await later(hours=23)
    await later(hours=2)
    await later()
    assert subjects(box, C)[-1] == "You are no longer playing: Machi Koro"
    assert "Your time in Machi Koro ran out" in last(box, C)
    assert subjects(box, B)[-1] == "A bot is playing for you: Machi Koro"
    assert f"{cyril.account['name']}, who played for you in Machi Koro, ran out of time" in last(box, B)
    assert "Your time" not in last(box, B)


async def test_a_substitute_hears_of_the_owners_return_and_nothing_of_the_match(house, box, three, later):
    _anna, bert, cyril, match = three
    await until_turn(cyril, match, 0)
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    await later()
    assert f"{bert.account['name']} is back and playing" in last(box, C)
    assert "rolls" not in last(box, C)


async def test_a_substitutes_news_begin_when_they_stepped_in(house, box, three, later):
    anna, bert, cyril, match = three
    match = await until_turn(cyril, match, 0)
    await bert.post(f"/api/matches/{match['id']}/seats/1")  # Bert plays himself for a while
    await until_turn(anna, match, 1)
    await until_turn(bert, match, 0)
    dana = await house.guest()
    await with_mail(house, box, dana, to=C)
    await substituted(bert, dana, match)
    stepped = (await dana.look(match))["seq"]
    await until_turn(anna, match, 1)
    await later()
    text = last(box, C)
    assert "Since you stepped in:" in text
    assert f"/replay#{stepped}" in text
    assert f"{bert.account['name']} builds" not in text


async def test_what_a_caretaker_did_is_news(house, box, two, later):
    anna, bert, match = two
    match = await until_turn(bert, match, 0)
    own = match["seq"]
    match = await until_turn(anna, match, 1)
    await later(hours=25)  # Bert's time runs out
    await house.bots_act(match["id"], Random(1))
    await later()
    text = last(box, B)
    assert "so a bot is playing for you" in text
    news = text.split("Since your last turn:")[1]
    assert f"A bot plays for {bert.account['name']} until they return." in news
    assert f"{bert.account['name']} rolls" in news or f"{bert.account['name']} builds" in news
    assert f"/replay#{own}" in text
    match = await until_turn(anna, await anna.look(match), 1)
    await bert.post(f"/api/matches/{match['id']}/seats/1")
    await bert.look(match)
    await until_turn(bert, match, 0)
    await until_turn(anna, match, 1)
    await later()
    assert f"A bot plays for {bert.account['name']}" not in last(box, B)  # he has acted since


async def test_on_vacation_nobody_is_told(house, hand, box, two, post, later):
    anna, bert, match = two
    await anna.ask("PATCH", "/api/me", json={"vacation": {"from": "2026-11-16", "to": "2026-11-17"}})
    match = await until_turn(bert, match, 0)
    since = (await house.deps.matches.now(match["id"])).since[0]
    owed, over = Owed("turn", match["id"], 0, since), (START + timedelta(days=1, hours=15)).timestamp()
    await post.run()
    assert (
        float(await call(house.deps.client, "ZSCORE", keys.NOTICES, owed.member)) / 1000 == over
    )  # from the first
    for _ in range(9):
        await later(hours=4)
        assert not await deliver.deliver(house.deps, owed.member, "mail")  # also if it were asked for
    assert subjects(box, A) == []
    assert float(await call(house.deps.client, "ZSCORE", keys.NOTICES, owed.member)) / 1000 == over
    hand.now = START + timedelta(days=1, hours=15)
    await post.run()
    assert subjects(box, A) == ["Your turn: Machi Koro"]


async def test_who_reads_once_a_day_is_warned_of_a_deadline_before_that(house, hand, box, later):
    anna, bert, match = await table(house, clock={"kind": "per_move", "seconds": 6 * 3600})
    wish = {"mode": "digest", "digest_at": "08:00", "reminders": []}
    await anna.ask("PATCH", "/api/me", json={"notify": wish})
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    await later(hours=4, minutes=29)
    assert box.letters == []
    await later(minutes=2)
    assert subjects(box) == ["Still your turn: Machi Koro"]
    assert "You have until Mon 16 Nov 2026, 15:00 (UTC)." in text_of(box.letters[0])


async def test_who_reads_once_a_day_is_told_there_of_later_deadlines(house, hand, box, later):
    anna, bert, match = await table(house)
    await anna.ask("PATCH", "/api/me", json={"notify": {"mode": "digest", "digest_at": "18:00"}})
    await with_mail(house, box, anna)
    await until_turn(bert, match, 0)
    for _ in range(23):
        await later(hours=1)
    assert subjects(box) == ["A match is waiting for you"]


async def test_letters_of_a_match_are_one_thread(house, box, two, later):
    anna, bert, match = two
    for _ in range(2):
        match = await until_turn(bert, match, 0)
        await later()
        match = await until_turn(anna, match, 1)
    other = await anna.open(**PEOPLE)
    await bert.post(f"/api/matches/{other['id']}/seats/1")
    other = await anna.look(other)
    if other["to_act"] == [1]:
        await until_turn(bert, other, 0)
    else:
        await until_turn(bert, await until_turn(anna, other, 1), 0)
    await later()
    first, second, *_, third = [letter for letter in box.letters if letter["To"] == A]
    assert first["References"] == first["In-Reply-To"] == second["References"] != third["References"]
    assert first["Message-ID"] != second["Message-ID"]
    assert first["Subject"] == f"Your turn: Machi Koro with {bert.account['name']}"
    mine = {letter["References"] for letter in box.letters if letter["To"] == B}
    assert first["References"] not in mine  # a reader's thread is their own


async def test_the_letter_that_asks_for_confirmation_says_for_whom_and_where(house, box):
    anna = await house.guest(locale="cs")
    await anna.ask("PUT", "/api/me/channels/mail", json={"kind": "email", "address": A})
    text = text_of(box.letters[-1])
    assert f"pro účet „{anna.account['name']}“" in text
    assert house.deps.settings.base in text.split("/api/confirm/")[0]
