"""Jobs are asked for again without harm, whatever a dying worker left under their ids."""

import pytest
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from infra.process.errors import StoreUnavailable
from infra.store.redis import connect_sync
from workers.jobs import BotTurn, Jobs, Notice, StandIn

NOTICE, TURN = Notice("turn m 0 3", "mail"), BotTurn("m", 0, 3)


@pytest.fixture
def connection(embedded):
    connection = connect_sync(embedded.url)
    connection.flushall()
    yield connection
    connection.close()


def waiting(connection, queue):
    return connection.lrange(f"rq:queue:{queue}", 0, -1)


@pytest.mark.parametrize("left", [{"last_heartbeat": "x"}, {"status": "started"}, {"status": "finished"}])
def test_the_remains_of_a_job_do_not_keep_its_id(connection, left):
    jobs = Jobs(connection)
    for job in (NOTICE, TURN):
        connection.hset(f"rq:job:{job.job_id}", mapping=left)
    jobs.notices([NOTICE])
    jobs.bot_turns([TURN])
    assert waiting(connection, "notify") == [NOTICE.job_id.encode()]
    assert waiting(connection, "bots") == [TURN.job_id.encode()]


def test_asking_twice_queues_once(connection):
    jobs = Jobs(connection)
    for _ in range(2):
        jobs.notices([NOTICE])
        jobs.bot_turns([TURN])
    assert len(waiting(connection, "notify")) == len(waiting(connection, "bots")) == 1


@pytest.mark.parametrize("job", [NOTICE, TURN], ids=["notice", "turn"])
def test_a_job_that_ends_while_it_is_dropped_is_asked_for_again(connection, job):
    """RQ reads the executions of a job one by one, and raises if a worker has taken one away meanwhile."""
    jobs = Jobs(connection)
    ask, queue = (jobs.notices, "notify") if job is NOTICE else (jobs.bot_turns, "bots")
    ask([job])
    connection.lpop(f"rq:queue:{queue}")
    connection.hset(f"rq:job:{job.job_id}", "status", "started")
    connection.zadd(f"rq:executions:{job.job_id}", {"gone": 2**40})
    ask([job])
    assert waiting(connection, queue) == [job.job_id.encode()]
    assert not connection.exists(f"rq:executions:{job.job_id}")


def test_a_job_whose_hash_is_taken_away_meanwhile_is_asked_for_again(connection, monkeypatch):
    jobs = Jobs(connection)
    jobs.bot_turns([TURN])
    connection.lpop("rq:queue:bots")
    fetch = Job.fetch

    def and_then_it_expires(*given, **more):
        found = fetch(*given, **more)
        connection.delete(found.key)
        return found

    monkeypatch.setattr(Job, "fetch", and_then_it_expires)
    jobs.bot_turns([TURN])
    assert waiting(connection, "bots") == [TURN.job_id.encode()]


def test_a_turn_that_waits_is_known_by_the_queue_it_is_in(connection):
    """Also one that an earlier version put into another queue than it would go to now."""
    jobs = Jobs(connection)
    assert not jobs.waits(TURN)
    jobs.bot_turns([TURN], "bots-heavy")
    jobs.bot_turns([TURN], "bots")
    assert jobs.waits(TURN)
    assert waiting(connection, "bots") == []
    connection.lpop("rq:queue:bots-heavy")
    assert not jobs.waits(TURN)


def test_a_queue_that_is_away_is_said_so():
    jobs = Jobs(connect_sync("redis://127.0.0.1:9"))  # nobody listens there
    with pytest.raises(StoreUnavailable):
        jobs.notices([NOTICE])
    with pytest.raises(StoreUnavailable):
        jobs.bot_turns([TURN])


def test_a_worker_takes_more_turns_out_of_its_queue_in_their_order(connection):
    jobs, late = Jobs(connection), StandIn("m", 1, 3)
    others = [BotTurn("n", 0, since) for since in range(3)]
    jobs.bot_turns([TURN])
    jobs.stand_ins([late])
    jobs.bot_turns(others)
    assert jobs.take("bots", 3) == [TURN, late, others[0]]
    assert not jobs.waits(TURN)
    assert not connection.exists(f"rq:job:{TURN.job_id}"), "its id is free again"
    jobs.bot_turns([TURN])
    assert jobs.take("bots", 9) == [*others[1:], TURN]
    assert jobs.take("bots", 9) == jobs.take("bots-heavy", 1) == []


def test_what_a_worker_cannot_play_stays_in_the_queue(connection):
    """As a later version may put it there; and a job whose hash is gone is none."""
    jobs = Jobs(connection)
    for name in ("other", "another"):
        Queue("bots", connection=connection, serializer=JSONSerializer).enqueue_call(
            f"tests.{name}", job_id=name
        )
    jobs.bot_turns([TURN, BotTurn("gone", 0, 1)])
    connection.delete("rq:job:bot-gone-1-0")
    assert jobs.take("bots", 9) == [TURN]
    assert waiting(connection, "bots") == [b"other", b"another"]
