"""Settings come from the environment once, and a bad value is a sentence that names its variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from infra.process.settings import Settings


def test_an_empty_environment_gives_the_defaults():
    settings = Settings.from_env({})
    assert (settings.redis_url, settings.queue_url) == (None, None)
    assert (settings.data, settings.port, settings.rate_limit) == (Path("data"), 8000, 500)
    assert (settings.body_limit, settings.import_limit) == (64 * 1024, 4 * 1024 * 1024)


def test_values_are_read_and_tidied():
    settings = Settings.from_env(
        {
            "TURNLOG_REDIS_URL": " redis+cluster://one:7000 ",
            "TURNLOG_QUEUE_URL": "redis://two",
            "TURNLOG_DATA": "/var/lib/my games",
            "TURNLOG_PORT": "0",
            "TURNLOG_PUBLIC_URL": "https://games.example.org/",
            "TURNLOG_LOG_LEVEL": "WARNING",
        }
    )
    assert settings.redis_url == "redis+cluster://one:7000"
    assert settings.data == Path("/var/lib/my games")
    assert (settings.port, settings.log_level) == (0, "warning")
    assert settings.public_url == "https://games.example.org"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TURNLOG_PORT", "eighty"),
        ("TURNLOG_PORT", "65536"),
        ("TURNLOG_PORT", "-1"),
        ("TURNLOG_PORT", "²"),
        ("TURNLOG_WORKERS", "0"),
        ("TURNLOG_RATE_LIMIT", "1.5"),
        ("TURNLOG_BODY_LIMIT", "1"),
        ("TURNLOG_REDIS_URL", "localhost:6379"),
        ("TURNLOG_QUEUE_URL", "redis+cluster://one"),
        ("TURNLOG_QUEUE_URL", "redis://one?cluster=1"),
        ("TURNLOG_PUBLIC_URL", "games.example.org"),
        ("TURNLOG_LOG_LEVEL", "loud"),
        ("TURNLOG_SECRET", "short"),
    ],
)
def test_a_bad_value_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"^{name} must .*\\.$"):
        Settings.from_env({name: value})


def test_a_given_secret_is_used_and_never_shown():
    settings = Settings.from_env({"TURNLOG_SECRET": "correct horse battery"})
    assert settings.given_secret == "correct horse battery"
    assert "horse" not in repr(settings)


@pytest.mark.parametrize(
    ("env", "local"),
    [
        ({}, True),
        ({"TURNLOG_HOST": "localhost"}, True),
        ({"TURNLOG_HOST": "::1"}, True),
        ({"TURNLOG_HOST": "0.0.0.0"}, False),
        ({"TURNLOG_HOST": "games.example.org"}, False),
        ({"TURNLOG_PUBLIC_URL": "https://games.example.org"}, False),  # a proxy stands in front
    ],
)
def test_a_house_knows_whether_only_its_own_machine_reaches_it(env, local):
    assert Settings.from_env(env).local is local
