"""Mail to a server that wants encryption and a password: both ways to encrypt, and what is refused."""

import pytest
from aiosmtpd.smtp import AuthResult

from infra.outside.mail import Letter, Mail, MailError
from tests import certificates
from tests.letterbox import Letterbox

pytestmark = pytest.mark.anyio
LETTER = Letter("anna@example.org", "Your turn", "text", "<p>text</p>", "ident")


@pytest.fixture
def tls(tmp_path, monkeypatch):
    context, trusted = certificates.make(tmp_path, ["localhost"])
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    return context


def knows_the_house(server, session, envelope, mechanism, data):
    right = data.login == b"house" and data.password == b"p@ss word"
    return AuthResult(success=right, handled=False)


async def send(box, scheme="smtp", login="house:p%40ss%20word@"):
    await Mail(f"{scheme}://{login}localhost:{box.port}", "house@example.org").send(LETTER, 0.0)


async def test_starttls_and_a_password(tls):
    with Letterbox(
        tls_context=tls, require_starttls=True, authenticator=knows_the_house, auth_required=True
    ) as box:
        await send(box)
        with pytest.raises(MailError, match="535"):
            await send(box, login="house:wrong@")
    assert [letter["Message-ID"] for letter in box.letters] == ["<ident@example.org>"]
    assert box.secured == [True]


async def test_tls_from_the_first_byte(tls):
    # This server does not count a line that was encrypted from the start as such: it must be told so.
    with Letterbox(ssl_context=tls, authenticator=knows_the_house, auth_require_tls=False) as box:
        await send(box, "smtps")
        with pytest.raises(MailError, match="535"):
            await send(box, "smtps", login="house:wrong@")
    assert box.secured == [True]


async def test_a_certificate_of_somebody_else_ends_it(tls, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE")
    with Letterbox(tls_context=tls) as box, pytest.raises(MailError, match="certificate"):
        await send(box)
    assert box.letters == []


async def test_a_password_goes_over_no_open_line():
    heard = []

    def listens(server, session, envelope, mechanism, data):
        heard.append(data)
        return AuthResult(success=True)

    with Letterbox(authenticator=listens, auth_require_tls=False) as box:
        with pytest.raises(MailError):
            await send(box)
        await send(box, login="")  # a server of one's own needs neither
    assert heard == []
    assert box.secured == [False]
