"""What the operator may choose, read once from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from infra.process import addresses
from infra.process.bounds import Bounds
from infra.process.room import FLOOR_MB

LOG_LEVELS = ("debug", "info", "warning", "error")
QUEUE_WORDS = ("embedded", "store")
DURABILITIES = ("local", "replicated", "relaxed")  # the first is the default
SHORTEST_SECRET = 16
S3_SCHEME = "s3://"


@dataclass(frozen=True)
class Settings:
    """Every choice of the operator; `None` for an address means: the embedded server."""

    redis_url: str | None = None  # the store; without it `turnlog up` starts the embedded one
    queue_url: str | None = None  # the job queue: an address, `embedded` (default of `up`) or `store`
    durability: str = "local"  # what an answer 200 promises: local, replicated or relaxed
    replicas: int = 1  # replicas that must have an event where the level is replicated
    replica_patience: int = 2000  # milliseconds in which these replicas must confirm
    managed: bool = False  # 1: the store hides its settings, and its operator vouches for them
    data: Path = Path("data")  # directory of the embedded store
    host: str = "127.0.0.1"  # address on which to listen; 0.0.0.0 serves the network
    port: int = 8000  # port on which to listen
    apis: int = 1  # processes of `turnlog up` that answer requests
    relays: int = 1  # processes of `turnlog up` that pass appends on
    workers: int = 1  # processes for bots that answer at once
    heavy_workers: int = 1  # processes for bots that think; so many of their turns are played at a time
    turns_each: int = 4  # bots' turns in the queue at once for each opener of matches, quick and slow each
    thinking_each: int = 4  # seconds of thinking in the queue at once for each opener of matches
    public_url: str | None = None  # the address that people's browsers use; links and cookies depend on it
    rate_limit: int = 500  # requests a second of one token, or of one address without a token
    body_limit: int = 64 * 1024  # bytes of a request
    import_limit: int = 4 * 1024 * 1024  # bytes of a log that is sent to be imported
    min_free: int = FLOOR_MB  # MB on the disk of the embedded store, below which it takes nothing new
    head_timeout: int = 15  # seconds in which the head of a request must arrive
    body_timeout: int = 30  # seconds in which its body must arrive, more if it keeps coming
    drain: int = 0  # seconds for which an API that was told to end still listens, and `/ready` says 503
    connections: int = 1000  # connections of one address at a time; this machine itself is not counted
    log_level: str = "info"  # what is logged: debug, info, warning or error
    smtp_url: str | None = field(default=None, repr=False)  # the mail server; without it no mail is sent
    mail_from: str = "turnlog@localhost"  # the sender of letters
    lenient: bool = False  # 1: users' channels and bots may use plain HTTP and private addresses
    bot_patience: int = 900  # seconds that a remote bot has for a turn where no clock runs
    guest_days: int = 30  # days after which a guest who was not seen and has not played expires
    archive: str | None = None  # where finished matches go: a folder, or s3://bucket/prefix
    archive_days: int = 30  # days after its end when a match goes there; 0 keeps all in the store
    archive_endpoint: str | None = None  # where an S3-compatible store answers; without it Amazon's own
    archive_region: str = "us-east-1"  # the region that such a store was told to be in
    archive_key: str | None = None  # the id of the access key for it
    archive_secret: str | None = field(default=None, repr=False)  # the secret of that access key
    bounds: Bounds = field(default_factory=Bounds)  # what one caller may leave behind
    given_secret: str | None = field(default=None, repr=False)  # signs cookies and links; made if not given

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> Settings:
        """Read `TURNLOG_*`; a value that makes no sense is a ValueError that names its variable.

        >>> Settings.from_env({"TURNLOG_PORT": "9000"}).port
        9000
        """
        return cls(
            redis_url=_redis(env, "TURNLOG_REDIS_URL"),
            queue_url=_queue(env, "TURNLOG_QUEUE_URL"),
            durability=_word(env, "TURNLOG_DURABILITY", DURABILITIES),
            replicas=_number(env, "TURNLOG_REPLICAS", cls.replicas, 1, 10),
            replica_patience=_number(env, "TURNLOG_REPLICA_PATIENCE", cls.replica_patience, 1, 60_000),
            managed=_flag(env, "TURNLOG_STORE_MANAGED"),
            data=Path(_text(env, "TURNLOG_DATA") or "data").expanduser(),
            host=_text(env, "TURNLOG_HOST") or cls.host,
            port=_number(env, "TURNLOG_PORT", cls.port, 0, 65535),
            apis=_number(env, "TURNLOG_API", cls.apis, 1, 64),
            relays=_number(env, "TURNLOG_RELAYS", cls.relays, 1, 16),
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
            drain=_number(env, "TURNLOG_DRAIN", cls.drain, 0, 600),
            connections=_number(env, "TURNLOG_CONNECTIONS", cls.connections, 1, 1_000_000),
            log_level=_word(env, "TURNLOG_LOG_LEVEL", LOG_LEVELS, "info"),
            smtp_url=_smtp(env, "TURNLOG_SMTP_URL"),
            mail_from=_text(env, "TURNLOG_MAIL_FROM") or cls.mail_from,
            lenient=_flag(env, "TURNLOG_ALLOW_PRIVATE"),
            bot_patience=_number(env, "TURNLOG_BOT_PATIENCE", cls.bot_patience, 1, 31_536_000),
            guest_days=_number(env, "TURNLOG_GUEST_DAYS", cls.guest_days, 1, 36_500),
            archive=_archive(env, "TURNLOG_ARCHIVE"),
            archive_days=_number(env, "TURNLOG_ARCHIVE_DAYS", cls.archive_days, 0, 36_500),
            archive_endpoint=_web(env, "TURNLOG_ARCHIVE_ENDPOINT"),
            archive_region=_text(env, "TURNLOG_ARCHIVE_REGION") or cls.archive_region,
            archive_key=_text(env, "TURNLOG_ARCHIVE_KEY"),
            archive_secret=_text(env, "TURNLOG_ARCHIVE_SECRET"),
            bounds=_bounds(env),
            given_secret=_secret(env, "TURNLOG_SECRET"),
        )

    def queue_at(self, store: str) -> str:
        """The address of the job queue, for a role that is started by hand; the store's own by default.

        Raises ValueError if nothing is there that a queue could be.
        """
        if self.queue_url == "embedded":
            raise ValueError("TURNLOG_QUEUE_URL=embedded is for `turnlog up`: name the queue's address.")
        if self.queue_url not in (None, "store"):
            return str(self.queue_url)
        if addresses.is_cluster(store):
            raise ValueError(
                "The store is a cluster, which cannot hold the job queue: set TURNLOG_QUEUE_URL to a single"
                " server (or redis+sentinel://), without persistence."
            )
        return store

    @property
    def archive_at(self) -> str | None:
        """Where finished matches go. Beside the embedded store by itself; another store may have many
        machines, and only their operator knows what they share.
        """
        if self.archive is None and self.redis_url is None:
            return str(self.data.absolute() / "archive")
        return self.archive

    @property
    def base(self) -> str:
        """The address of this service as people's browsers know it, for links."""
        return self.public_url or f"http://{self.host}:{self.port}"

    @property
    def local(self) -> bool:
        """Whether only this very machine reaches the service: no wider address, and no proxy in front."""
        return self.public_url is None and (self.host == "localhost" or is_loopback(self.host))


def is_loopback(address: str) -> bool:
    """
    >>> is_loopback("127.0.0.9"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("somewhere")
    (True, True, False, False)
    """
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


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


def _redis(env: Mapping[str, str], name: str, known: tuple[str, ...] = addresses.SCHEMES) -> str | None:
    url = _text(env, name)
    if url is not None and addresses.scheme(url) not in known:
        raise ValueError(f"{name} must start with one of {', '.join(s + '://' for s in known)}.")
    return url


def _queue(env: Mapping[str, str], name: str) -> str | None:
    """An address, or a word: `embedded` is a server that `turnlog up` starts, `store` the store itself."""
    if _text(env, name) in QUEUE_WORDS:
        return _text(env, name)
    url = _redis(env, name, (*addresses.SCHEMES, *addresses.SENTINELS))
    if url is None:
        return None
    if addresses.is_cluster(url):
        raise ValueError(f"{name} must be a single server: the job queue does not speak Redis Cluster.")
    try:
        addresses.sentinels(url)
    except ValueError as problem:
        raise ValueError(f"{name}: {problem}.") from None
    return url


def _archive(env: Mapping[str, str], name: str) -> str | None:
    """A folder as a whole path, because roles may start elsewhere; a bucket needs a key."""
    where = _text(env, name)
    if where is None:
        return None
    if where.startswith(S3_SCHEME):
        if not where.removeprefix(S3_SCHEME).strip("/"):
            raise ValueError(f"{name} must name a bucket, such as s3://turnlog/archive.")
        if not (_text(env, f"{name}_KEY") and _text(env, f"{name}_SECRET")):
            raise ValueError(f"{name}={where} needs {name}_KEY and {name}_SECRET.")
        return where
    path = Path(where).expanduser()
    if "://" in where or not path.is_absolute():
        raise ValueError(f"{name} must be the whole path of a folder, or s3://bucket/prefix, not {where!r}.")
    return str(path)


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


def _word(env: Mapping[str, str], name: str, words: tuple[str, ...], default: str = "") -> str:
    word = (_text(env, name) or default or words[0]).lower()
    if word not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, not {word!r}.")
    return word


def _secret(env: Mapping[str, str], name: str) -> str | None:
    secret = _text(env, name)
    if secret is not None and len(secret) < SHORTEST_SECRET:
        raise ValueError(f"{name} must have at least {SHORTEST_SECRET} characters.")
    return secret
