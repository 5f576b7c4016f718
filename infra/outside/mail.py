"""E-mail through the operator's own server."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.utils import formatdate
from html import escape
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import aiosmtplib

from infra.process.errors import InfraError

TIMEOUT_S = 15.0
# What every server takes: no quotes, no comments, nothing that could begin another header.
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


class MailError(InfraError):
    """Not taken; `permanent` if asking again will not help."""

    def __init__(self, reason: str, permanent: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent


class Letter(NamedTuple):
    to: str
    subject: str
    text: str
    html: str
    ident: str  # the same for a letter that is sent again
    unsubscribe: str = ""
    thread: str = ""  # the same for letters that belong together


def is_address(text: str) -> bool:
    """
    >>> is_address("anna@example.org"), is_address("a@b\\nBcc: eve@example.org"), is_address("a@b@c")
    (True, False, False)
    """
    return len(text) <= 254 and ADDRESS.fullmatch(text) is not None and ".." not in text


class Mail:
    """Sends letters; made from `smtp://user:password@host:port` or `smtps://…`."""

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or "localhost"
        self._secure = parts.scheme == "smtps"
        self._port = parts.port or (465 if self._secure else 25)
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        # A password goes over no open line; without one, encryption is taken where the server offers it.
        self._start_tls = True if self._user and not self._secure else None
        self._sender = sender

    async def send(self, letter: Letter, now: float) -> None:
        """Hand a letter to the server. Raises MailError."""
        try:
            await aiosmtplib.send(
                _message(letter, self._sender, now),
                hostname=self._host,
                port=self._port,
                username=self._user,
                password=self._password,
                use_tls=self._secure,
                start_tls=self._start_tls,
                timeout=TIMEOUT_S,
            )
        except aiosmtplib.SMTPRecipientsRefused as problem:
            refused = problem.recipients[0]
            raise MailError(f"{refused.code} {refused.message}", refused.code >= 550) from None
        except aiosmtplib.SMTPResponseException as problem:
            raise MailError(f"{problem.code} {problem.message}") from None
        except (aiosmtplib.SMTPException, OSError, ValueError) as problem:
            raise MailError(str(problem) or type(problem).__name__) from None


def _message(letter: Letter, sender: str, now: float) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, letter.to, letter.subject
    message["Date"] = formatdate(now)
    host = sender.rpartition("@")[2].rstrip(">")
    message["Message-ID"] = f"<{letter.ident}@{host}>"
    if letter.thread:  # no letter has this id: mail programs put together what refers to the same one
        message["In-Reply-To"] = message["References"] = f"<{letter.thread}@{host}>"
    message["Auto-Submitted"] = "auto-generated"
    if letter.unsubscribe:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    return message


def page(lines: list[str], links: list[tuple[str, str]], footer: str, footer_link: str) -> str:
    """The same words for readers of HTML; `links` are pairs of a label and an address."""
    body = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
    more = "".join(f'<p><a href="{escape(link)}">{escape(label)}</a></p>' for label, link in links)
    end = f'<p><small><a href="{escape(footer_link)}">{escape(footer)}</a></small></p>' if footer_link else ""
    return f'<!doctype html><html><head><meta charset="utf-8"></head><body>{body}{more}{end}</body></html>'
