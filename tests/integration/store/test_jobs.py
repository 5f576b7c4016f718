"""Jobs are asked for again without harm, whatever a dying worker left under their ids."""

import pytest

from infra.errors import StoreUnavailable
from infra.redis import connect_sync
from workers.jobs import Jobs, Notice, Turn

NOTICE, TURN = Notice("turn m 0 3", "mail"), Turn("m", 0, 3)


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
    jobs.bot_turns_again([TURN])
    assert waiting(connection, "notify") == [NOTICE.job_id.encode()]
    assert waiting(connection, "bots") == [TURN.job_id.encode()]


def test_asking_twice_queues_once(connection):
    jobs = Jobs(connection)
    for _ in range(2):
        jobs.notices([NOTICE])
        jobs.bot_turns([TURN])
        jobs.bot_turns_again([TURN])
    assert len(waiting(connection, "notify")) == len(waiting(connection, "bots")) == 1


def test_a_queue_that_is_away_is_said_so():
    jobs = Jobs(connect_sync("redis://127.0.0.1:9"))  # nobody listens there
    with pytest.raises(StoreUnavailable):
        jobs.notices([NOTICE])
    with pytest.raises(StoreUnavailable):
        jobs.bot_turns([TURN])
