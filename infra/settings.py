"""What the operator may choose, read once from the environment."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from infra.bounds import Bounds
from infra.files import kept
from infra.room import FLOOR_MB

LOG_LEVELS = ("debug", "info", "warning", "error")
REDIS_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
SHORTEST_SECRET = 16


@dataclass(frozen=True)
class Settings:
    """Every choice of the operator; `None` for an address means: the embedded server."""

    redis_url: str | None = None
    queue_url: str | None = None
    data: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1  # processes for bots that answer at once …
    heavy_workers: int = 1  # … and for those that think; so many of their turns are played at a time
    turns_each: int = 4  # bots' turns in the queue at once for who opened their matches, quick and slow each
    thinking_each: int = 4  # seconds of thinking in the queue at once for who opened the matches
    public_url: str | None = None
    rate_limit: int = 500
    body_limit: int = 64 * 1024
    import_limit: int = 16 * 1024 * 1024
    min_free: int = FLOOR_MB  # MB on the disk of the embedded store, below which it takes nothing new
    head_timeout: int = 15  # seconds in which the head of a request must arrive …
    body_timeout: int = 30  # … and its body, longer if it keeps coming
    connections: int = 1000  # of one address at a time; this machine itself is not counted
    log_level: str = "info"
    smtp_url: str | None = field(default=None, repr=False)  # it may hold a password
    mail_from: str = "turnlog@localhost"
    lenient: bool = False  # users' channels may use plain HTTP and private addresses
    bot_patience: int = 900  # seconds that a remote bot has for a turn where no clock runs
    guest_days: int = 30  # after which a guest who was not seen and has not played expires
    bounds: Bounds = field(default_factory=Bounds)  # what one caller may leave behind
    given_secret: str | None = field(default=None, repr=False)

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> Settings:
        """Read `TURNLOG_*`; a value that makes no sense is a ValueError that names its variable.

        >>> Settings.from_env({"TURNLOG_PORT": "9000"}).port
        9000
        """
        return cls(
            redis_url=_redis(env, "TURNLOG_REDIS_URL"),
            queue_url=_queue(env, "TURNLOG_QUEUE_URL"),
            data=Path(_text(env, "TURNLOG_DATA") or "data").expanduser(),
            host=_text(env, "TURNLOG_HOST") or cls.host,
            port=_number(env, "TURNLOG_PORT", cls.port, 0, 65535),
            workers=_number(env, "TURNLOG_WORKERS", cls.workers, 1, 64),
            heavy_workers=_number(env, "TURNLOG_HEAVY_WORKERS", cls.heavy_workers, 1, 64),
            turns_each=_number(env, "TURNLOG_TURNS_EACH", cls.turns_each, 1, 1000),
            thinking_each=_number(env, "TURNLOG_THINKING_EACH", cls.thinking_each, 1, 3600),
            public_url=_web(env, "TURNLOG_PUBLIC_URL"),
            rate_limit=_number(env, "TURNLOG_RATE_LIMIT", cls.rate_limit, 1, 1_000_000),
            body_limit=_number(env, "TURNLOG_BODY_LIMIT", cls.body_limit, 1024, 1 << 30),
            import_limit=_number(env, "TURNLOG_IMPORT_LIMIT", cls.import_limit, 1024, 1 << 30),
            min_free=_number(env, "TURNLOG_MIN_FREE", cls.min_free, 1, 1_000_000),
            head_timeout=_number(env, "TURNLOG_HEAD_TIMEOUT", cls.head_timeout, 1, 3600),
            body_timeout=_number(env, "TURNLOG_BODY_TIMEOUT", cls.body_timeout, 1, 3600),
            connections=_number(env, "TURNLOG_CONNECTIONS", cls.connections, 1, 1_000_000),
            log_level=_level(env, "TURNLOG_LOG_LEVEL"),
            smtp_url=_smtp(env, "TURNLOG_SMTP_URL"),
            mail_from=_text(env, "TURNLOG_MAIL_FROM") or cls.mail_from,
            lenient=_flag(env, "TURNLOG_ALLOW_PRIVATE"),
            bot_patience=_number(env, "TURNLOG_BOT_PATIENCE", cls.bot_patience, 1, 31_536_000),
            guest_days=_number(env, "TURNLOG_GUEST_DAYS", cls.guest_days, 1, 36_500),
            bounds=_bounds(env),
            given_secret=_secret(env, "TURNLOG_SECRET"),
        )

    @property
    def base(self) -> str:
        """The address of this service as people's browsers know it, for links."""
        return self.public_url or f"http://{self.host}:{self.port}"

    @property
    def secret(self) -> str:
        """The key that signs cookies: given, or made on first use and kept in the data directory."""
        return self.given_secret or kept(self.data / "secret", lambda: secrets.token_urlsafe(32))


def _text(env: Mapping[str, str], name: str) -> str | None:
    return env.get(name, "").strip() or None


def _number(env: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = _text(env, name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {text!r}.")
    return int(text)


def _bounds(env: Mapping[str, str]) -> Bounds:
    """Every quota by its own variable."""
    default = Bounds()
    names = Bounds.names().items()
    return Bounds(**{f: _number(env, name, getattr(default, f), 1, 1_000_000_000) for f, name in names})


def _redis(env: Mapping[str, str], name: str) -> str | None:
    url = _text(env, name)
    if url is not None and urlsplit(url).scheme not in REDIS_SCHEMES:
        raise ValueError(f"{name} must start with one of {', '.join(s + '://' for s in REDIS_SCHEMES)}.")
    return url


def _queue(env: Mapping[str, str], name: str) -> str | None:
    url = _redis(env, name)
    if url is not None and "cluster" in url:
        raise ValueError(f"{name} must be a single server: the job queue does not speak Redis Cluster.")
    return url


def _smtp(env: Mapping[str, str], name: str) -> str | None:
    url = _text(env, name)
    if url is not None and (urlsplit(url).scheme not in ("smtp", "smtps") or not urlsplit(url).hostname):
        raise ValueError(f"{name} must be an address such as smtp://user:password@mail.example.org:587.")
    return url


def _flag(env: Mapping[str, str], name: str) -> bool:
    text = (_text(env, name) or "0").lower()
    if text not in ("0", "1", "false", "true", "no", "yes"):
        raise ValueError(f"{name} must be 0 or 1, not {text!r}.")
    return text in ("1", "true", "yes")


def _web(env: Mapping[str, str], name: str) -> str | None:
    url = _text(env, name)
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"{name} must be an address such as https://games.example.org, not {url!r}.")
    return url.rstrip("/")


def _level(env: Mapping[str, str], name: str) -> str:
    level = (_text(env, name) or "info").lower()
    if level not in LOG_LEVELS:
        raise ValueError(f"{name} must be one of {', '.join(LOG_LEVELS)}, not {level!r}.")
    return level


def _secret(env: Mapping[str, str], name: str) -> str | None:
    secret = _text(env, name)
    if secret is not None and len(secret) < SHORTEST_SECRET:
        raise ValueError(f"{name} must have at least {SHORTEST_SECRET} characters.")
    return secret
