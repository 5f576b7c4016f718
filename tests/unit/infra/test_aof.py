"""Damage of every kind in a file of commands: found where it is, and nothing else is left out."""

from itertools import accumulate
from random import Random

from infra.embedded.aof import damaged


def command(*words: bytes) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


def step(number: int) -> bytes:
    """An append as the store writes it."""
    inner = [
        (b"XADD", b"tl:{1}:m:m:log", b"%d-0" % number, b"e", b'{"seq":%d}' % number),
        (b"HSET", b"c", b"k", b"1"),
    ]
    return command(b"MULTI") + b"".join(command(*words) for words in inner) + command(b"EXEC")


STEPS = [command(b"SELECT", b"0"), *(step(n) for n in range(1, 6)), command(b"SET", b"a", b"b")]
WHOLE = b"".join(STEPS)
ENDS = list(accumulate(map(len, STEPS)))
PLACES = list(zip([0, *ENDS], ENDS, strict=False))


def without(data: bytes) -> bytes:
    """What a repair leaves."""
    bad = list(damaged(data))
    starts, ends = [0, *(end for _, end in bad)], [*(start for start, _ in bad), len(data)]
    return b"".join(data[a:b] for a, b in zip(starts, ends, strict=True))


def test_what_is_whole_is_left_alone():
    assert list(damaged(WHOLE)) == []
    assert list(damaged(b"")) == []


def test_a_cut_tail_costs_the_last_step_alone():
    for kept in range(len(WHOLE)):
        whole = b"".join(one for one, (_, end) in zip(STEPS, PLACES, strict=True) if end <= kept)
        cut = [] if len(whole) == kept else [(len(whole), kept)]
        assert list(damaged(WHOLE[:kept])) == cut, kept


def test_any_changed_byte_costs_its_own_step_and_at_most_a_neighbour():
    rng = Random(1)
    for place in range(len(WHOLE)):
        data = bytearray(WHOLE)
        data[place] = rng.choice([b for b in b"019*$\r\nxE" if b != WHOLE[place]])
        left = without(bytes(data))
        assert list(damaged(left)) == []
        (own,) = (n for n, (start, end) in enumerate(PLACES) if start <= place < end)
        lost = {n for n, one in enumerate(STEPS) if one not in left}
        assert lost <= {own - 1, own, own + 1}, (place, lost)


def test_a_huge_length_does_not_swallow_the_rest():
    data = WHOLE.replace(b'$9\r\n{"seq":2}', b'$999999999\r\n{"seq":2}')
    assert without(data) == WHOLE.replace(STEPS[2], b"")


def test_what_nobody_here_sends_is_not_believed_after_damage():
    data = STEPS[1][:-3] + b"\r\n" + command(b"FLUSHALL") + STEPS[2]
    assert without(data) == STEPS[2]
