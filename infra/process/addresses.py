"""Addresses of stores and queues: which sort of server one names, and what of it is ours to understand.

`redis+cluster://…` or `?cluster=1` is a cluster; `redis+sentinel://one:26379,two:26379/name` is whichever
server these sentinels call the master of that name.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
SENTINELS = ("redis+sentinel", "rediss+sentinel")
SENTINEL_PORT = 26379


class Sentinels(NamedTuple):
    """Who to ask, and for what: the password is the server's own, the sentinels' is a part of the query."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    username: str | None
    password: str | None
    sentinel_password: str | None
    tls: bool


def scheme(url: str) -> str:
    return urlsplit(url).scheme


def is_cluster(url: str) -> bool:
    """By scheme and query alone: a host may be called what it likes.

    >>> is_cluster("redis+cluster://a"), is_cluster("redis://a?cluster=1"), is_cluster("redis://my.cluster.local")
    (True, True, False)
    """
    return plain(url)[1]


def plain(url: str) -> tuple[str, bool]:
    """Take our own `cluster` marks off an address: the client library would refuse them."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    if "cluster" not in query and "+" not in parts.scheme:
        return url, False
    wanted = query.pop("cluster", "0") == "1" or parts.scheme.endswith("+cluster")
    rest = parts._replace(scheme=parts.scheme.removesuffix("+cluster"), query=urlencode(query))
    return urlunsplit(rest), wanted


def sentinels(url: str) -> Sentinels | None:
    """
    >>> sentinels("redis+sentinel://:pw@one,two:5000/queue").hosts
    (('one', 26379), ('two', 5000))
    >>> sentinels("redis://one") is None
    True
    """
    parts = urlsplit(url)
    if parts.scheme not in SENTINELS:
        return None
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    name = parts.path.strip("/")
    if not name or not all(hosts.split(",")):
        raise ValueError("write it as redis+sentinel://host:26379,host:26379/name")
    query = dict(parse_qsl(parts.query))
    return Sentinels(
        tuple(_host(one) for one in hosts.split(",")),
        name,
        unquote(user) or None,
        unquote(password) or None,
        query.get("sentinel_password"),
        parts.scheme.startswith("rediss"),
    )


def without_password(url: str) -> str:
    """For logs and sentences.

    >>> without_password("redis://u:secret@host:1/0"), without_password("unix:///a/b.sock?password=secret")
    ('redis://host:1/0', 'unix:///a/b.sock')
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _host(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":") if text.rpartition(":")[2].isdigit() else (text, "", "")
    return host.strip("[]"), int(port or SENTINEL_PORT)
