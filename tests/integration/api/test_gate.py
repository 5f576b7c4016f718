"""What every request passes: ids, limits, headers, compression, one line in the log."""

import asyncio
import gzip

import pytest
import structlog

from infra.process.errors import StoreUnavailable

pytestmark = pytest.mark.anyio


async def test_every_answer_carries_a_request_id(house):
    assert len((await house.nobody.get("/health")).headers["x-request-id"]) == 16
    given = await house.nobody.get("/health", headers={"X-Request-ID": "from-the-proxy"})
    assert given.headers["x-request-id"] == "from-the-proxy"
    odd = await house.nobody.get("/health", headers={"X-Request-ID": 'a"b{}\t'})
    assert odd.headers["x-request-id"] != 'a"b{}\t'


async def test_one_line_in_the_log_for_each_request(deps, open_another):
    with structlog.testing.capture_logs() as lines:
        async with open_another(deps) as house:  # made here: the gate binds its logger once
            guest = await house.guest()
            match = await guest.open()
            await guest.act(match)
    assert [line["event"] for line in lines] == ["request"] * 3
    last = lines[-1]
    assert (last["method"], last["status"]) == ("POST", 200)
    assert (last["match"], last["seq"]) == (match["id"], match["seq"] + 1)
    assert last["path"].endswith("/actions")
    assert guest.token not in str(lines)


async def test_no_line_of_the_log_opens_anything(deps, open_another):
    """Whoever reads the log could use links of letters, and tokens put into an address by mistake."""
    secret = "WyJ4Il0.a-link"
    paths = [f"/recovery/{secret}", *(f"/api/{word}/{secret}" for word in ("confirm", "unsubscribe"))]
    with structlog.testing.capture_logs() as lines:
        async with open_another(deps) as house:
            guest = await house.guest()
            for path in (*paths, f"/api/confirm/{secret}/", f"/api/me/tokens/{guest.token}"):
                await house.nobody.get(path)
                await house.nobody.post(path)
            await house.nobody.post(f"/api/recovery/{secret}", {"password": "a good password"})
    assert len(lines) == 12
    assert secret not in str(lines)
    assert guest.token not in str(lines)


async def test_security_headers_are_everywhere(house):
    for path in ("/api/games", "/api/nothing", "/api/docs", "/health"):
        headers = (await house.nobody.get(path)).headers
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"]


async def test_larger_answers_are_packed_for_those_who_can_unpack(house):
    packed = await house.nobody.get("/api/games", headers={"Accept-Encoding": "gzip"})
    plain = await house.nobody.get("/api/games", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["vary"]
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.content == plain.content
    assert "content-encoding" not in (await house.nobody.get("/health")).headers


async def test_a_long_log_is_packed_too(house, guest, rng):
    match = await guest.open()
    await house.play_out(guest, match, rng)
    path = f"/api/matches/{match['id']}/log"
    packed = await house.nobody.get(path)
    plain = await house.nobody.get(path, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content


async def test_a_body_over_its_limit(house, guest):
    match = await guest.open()
    large = b'{"seq": 4, "action": "' + b"x" * 70_000 + b'"}'
    for path in (f"/api/matches/{match['id']}/actions", "/api/matches", "/api/accounts"):
        answer = await guest.ask("POST", path, content=large)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert "65536" in answer.json()["detail"]
    assert await house.length(match) == match["seq"]


async def test_a_body_over_its_limit_without_a_length(served):
    guest = await served.guest()
    match = await guest.open()

    async def endless():
        for _ in range(100):
            yield b" " * 1000

    for path in (f"/api/matches/{match['id']}/actions", "/api/matches", "/api/accounts"):
        answer = await guest.ask("POST", path, content=endless())
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_a_chunked_body_within_the_limit(served):
    guest = await served.guest()

    async def parts():
        yield b'{"game": "tides-of-time", '
        yield b'"seats": [{"kind": "me"}, {"kind": "open"}]}'

    assert (await guest.ask("POST", "/api/matches", content=parts())).status_code == 201


async def test_imports_may_be_larger(wired, deps, open_another):
    other = wired(import_limit=200_000)
    async with open_another(other) as house:
        guest = await house.guest()
        within = await guest.ask("POST", "/api/import", content=b"x" * 100_000)
        beyond = await guest.ask("POST", "/api/import", content=b"x" * 200_001)
    assert (within.json()["code"], beyond.json()["code"]) == ("bad_log", "too_large")
    await other.close()


async def test_too_many_requests(wired, deps, open_another):
    other = wired(rate_limit=20)
    async with open_another(other) as house:
        answers = await asyncio.gather(*(house.nobody.get("/api/games") for _ in range(60)))
        refused = [answer for answer in answers if answer.status_code == 429]
        assert 0 < len(refused) <= 40
        assert refused[0].json()["code"] == "rate_limited"
        assert int(refused[0].headers["retry-after"]) >= 1
        assert (await house.nobody.get("/health")).status_code == 200
    await other.close()


async def test_each_token_has_a_limit_of_its_own(wired, deps, open_another):
    other = wired(rate_limit=30)
    async with open_another(other) as house:
        first, second = await house.guest(), await house.guest()
        for guest in (first, second):
            await guest.get("/api/me")  # known from here on
        await asyncio.gather(*(first.get("/api/me") for _ in range(80)))
        assert (await second.get("/api/me")).status_code == 200
    await other.close()


async def test_a_store_that_is_away_is_said_so(house, guest, monkeypatch):
    match = await guest.open()

    async def away(*args, **more):
        raise StoreUnavailable("gone")

    monkeypatch.setattr(house.deps.store, "append", away)
    answer = await guest.act(match)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "Idempotency-Key" in answer.json()["detail"]


async def test_a_bug_is_answered_and_logged_once(deps, open_another, monkeypatch):
    with structlog.testing.capture_logs() as lines:
        async with open_another(deps) as house:
            guest = await house.guest()
            match = await guest.open()
            monkeypatch.setattr(deps.names, "of", None)
            answer = await guest.get(f"/api/matches/{match['id']}")
            ordinary = await guest.post(
                "/api/matches", {"game": "tides-of-time", "seats": [{"kind": "me"}, {"kind": "open"}]}
            )
    for broken in (answer, ordinary):
        assert (broken.status_code, broken.json()["code"]) == (500, "internal")
        assert "NoneType" not in broken.text
    failed = [line for line in lines if line["event"] == "request failed"]
    assert len(failed) == 2
    assert failed[0]["exc_info"]


def test_packing_is_the_same_every_time():
    assert gzip.compress(b"x" * 2000, 3, mtime=0) == gzip.compress(b"x" * 2000, 3, mtime=0)
