"""The one table of errors: a stable code, an HTTP status, and a sentence in both languages.

Whatever goes wrong on purpose is a Problem; the API turns it into problem JSON (RFC 9457), the command line
into a line on stderr. A game's own refusals arrive as `illegal_action` with the game's code as `reason`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.game import Lang
from engine.kit.text import Gaps


class ErrorText(NamedTuple):
    status: int
    en: str
    cs: str


TABLE: Mapping[str, ErrorText] = {
    "bad_request": ErrorText(400, "The request cannot be read: {detail}", "Požadavek nelze přečíst: {detail}"),
    "bad_name": ErrorText(400, "This name cannot be used: {detail}", "Toto jméno nelze použít: {detail}"),
    "bad_password": ErrorText(
        400,
        "A password must have {min} to {max} characters.",
        "Heslo má {min} až {max} znaků.",
    ),
    "bad_setting": ErrorText(400, "This setting cannot be used: {detail}", "Toto nastavení není možné: {detail}"),
    "bad_scope": ErrorText(400, "Tokens have no permission called “{scope}”.", "Oprávnění „{scope}“ neexistuje."),
    "bad_options": ErrorText(400, "These options cannot be used: {detail}", "Tyto volby nejsou možné: {detail}"),
    "bad_clock": ErrorText(400, "This clock cannot be used: {detail}", "Tyto hodiny nejsou možné: {detail}"),
    "bad_channel": ErrorText(400, "Notices cannot be sent this way: {detail}", "Tento kanál nelze použít: {detail}"),
    "no_mail": ErrorText(409, "This server is not set up to send mail. Its operator can change that with TURNLOG_SMTP_URL.", "Tento server nemá nastavené odesílání pošty. Správce ho zapne nastavením TURNLOG_SMTP_URL."),
    "not_delivered": ErrorText(502, "The test message could not be delivered: {detail}", "Zkušební zprávu se nepodařilo doručit: {detail}"),
    "bad_link": ErrorText(404, "This link is not valid, or has expired. Ask for a new one.", "Tento odkaz neplatí, nebo už vypršel. Nech si poslat nový."),
    "bad_seats": ErrorText(
        400, "This game is for {min} to {max} players.", "Tato hra je pro {min} až {max} hráčů."
    ),
    "bad_nonce": ErrorText(
        400,
        "A nonce may have at most {limit} printable characters and no comma.",
        "Nonce má nejvýše {limit} tisknutelných znaků a žádnou čárku.",
    ),
    "bad_log": ErrorText(400, "The log is not valid, line {line}: {detail}", "Záznam nesouhlasí, řádek {line}: {detail}"),
    "other_rules": ErrorText(
        400,
        "Line {line} was decided under rules that this server does not have, and the log is not signed by a server that it trusts, so the log cannot be checked.",
        "Řádek {line} byl rozhodnut podle jiných pravidel, než má tento server, a záznam nepodepsal žádný server, kterému se tu věří: nelze ho ověřit.",
    ),
    "unknown_version": ErrorText(
        409,
        "The log is of a version that this server does not have, line {line}: {detail}. A newer Turnlog can read it.",
        "Záznam je ve verzi, kterou tento server nemá, řádek {line}: {detail}. Přečte ho novější Turnlog.",
    ),
    "bad_signature": ErrorText(
        400,
        "The log's signature was not made with key {key}.",
        "Podpis pod záznamem nepatří klíči {key}.",
    ),
    "incomplete_log": ErrorText(400, "The log is incomplete: {detail}", "Záznam není úplný: {detail}"),
    "unknown_game": ErrorText(404, "There is no game “{game}”.", "Hra „{game}“ neexistuje."),
    "unknown_bot": ErrorText(400, "There is no bot “{bot}”.", "Bot „{bot}“ neexistuje."),
    "unknown_account": ErrorText(400, "No player is called “{name}”.", "Nikdo jménem „{name}“ tu není."),
    "bad_delivery": ErrorText(400, "Turns cannot be delivered this way: {detail}", "Takhle nelze tahy doručovat: {detail}"),
    "bot_cannot_play": ErrorText(400, "The bot “{bot}” does not play this game.", "Bot „{bot}“ tuto hru nehraje."),
    "bot_seated_twice": ErrorText(400, "A remote bot can take only one seat at a table.", "Vzdálený bot má u stolu jen jedno místo."),
    "bot_not_for_you": ErrorText(403, "The owner of “{bot}” has not allowed you to seat it.", "Majitel bota „{bot}“ ti nedovolil ho posadit."),
    "bot_in_sandbox": ErrorText(
        403,
        "“{bot}” is still being tested: only its owner can seat it, and only at unlisted tables.",
        "„{bot}“ se teprve zkouší: sadí ho jen jeho majitel, ke stolům mimo seznam.",
    ),
    "bot_disabled": ErrorText(409, "“{bot}” is not accepting new matches at the moment.", "„{bot}“ si teď k žádnému stolu nesedá."),
    "unauthenticated": ErrorText(401, "Sign in first, or send a valid token.", "Nejdřív se přihlas nebo pošli platný token."),
    "wrong_password": ErrorText(401, "The name or the password is wrong.", "Jméno a heslo nesouhlasí."),
    "forbidden": ErrorText(403, "You are not allowed to do that.", "To nesmíš udělat."),
    "csrf": ErrorText(403, "This page is out of date. Reload it and try again.", "Stránka je zastaralá: načti ji znovu."),
    "not_your_seat": ErrorText(403, "You do not have a seat at this table.", "U tohoto stolu nesedíš."),
    "bots_alone": ErrorText(
        403,
        "Only accounts with a password can open tables at which only bots play. Set a password in the settings, or take a seat yourself.",
        "Stoly jen pro boty jsou pro účty s heslem: nastav si ho, nebo si k nim sedni.",
    ),
    "wrong_invite": ErrorText(403, "This seat is reserved for invited players.", "Toto místo je pro pozvané hráče."),
    "blocked": ErrorText(403, "You cannot take a seat at this table.", "K tomuto stolu si nemůžeš sednout."),
    "not_found": ErrorText(404, "There is nothing at this address.", "Na této adrese nic není."),
    "no_such_player": ErrorText(404, "There is no other player with that name.", "Jiný hráč s tímto jménem tu není."),
    "no_such_seat": ErrorText(404, "There is no seat {seat}.", "Místo {seat} neexistuje."),
    "method_not_allowed": ErrorText(405, "This address does not accept that method.", "Tato adresa takový požadavek nepřijímá."),
    "stale_seq": ErrorText(
        409,
        "The match has moved on to event {current}. Look again before you act.",
        "Partie se mezitím posunula na událost {current}. Podívej se znovu.",
    ),
    "command_reused": ErrorText(
        409,
        "This Idempotency-Key was already used for a different command.",
        "Tento Idempotency-Key už patří jinému příkazu.",
    ),
    "not_against_bots": ErrorText(
        409,
        "Hints are for matches against bots alone.",
        "Rady jsou jen pro partie proti samotným botům.",
    ),
    "not_your_turn": ErrorText(409, "It is not your turn.", "Nejsi na tahu."),
    "not_started": ErrorText(409, "The match has not started yet.", "Partie ještě nezačala."),
    "not_open": ErrorText(409, "This match is no longer open to join.", "Ke stolu už nelze přisednout."),
    "not_running": ErrorText(409, "This match is not running.", "Partie se nehraje."),
    "already_away": ErrorText(409, "A caretaker is already playing for this seat.", "Za toto místo už hraje zástupce."),
    "away": ErrorText(
        409,
        "Somebody else is playing for you. Take your seat back first.",
        "Hraje za tebe někdo jiný: nejdřív se vrať na své místo.",
    ),
    "nothing_to_undo": ErrorText(409, "There is nothing to take back.", "Tam není co vracet."),
    "nothing_asked": ErrorText(409, "Nobody is waiting for your answer.", "Nikdo nečeká na tvou odpověď."),
    "already_asked": ErrorText(409, "The other players are already being asked.", "Ostatní už jsou dotázáni."),
    "already_paused": ErrorText(409, "The match is already paused.", "Partie už je pozastavena."),
    "not_paused": ErrorText(409, "The match is not paused.", "Partie není pozastavena."),
    "not_over": ErrorText(409, "The match is not over yet.", "Partie ještě neskončila."),
    "no_free_seat": ErrorText(409, "There is no free seat for you.", "Není pro tebe volné místo."),
    "seat_taken": ErrorText(409, "Seat {seat} is taken.", "Místo {seat} je obsazené."),
    "already_seated": ErrorText(409, "You already have a seat at this table.", "U tohoto stolu už sedíš."),
    "already_resigned": ErrorText(409, "You have already resigned.", "Už jsi partii vzdal."),
    "name_taken": ErrorText(409, "This name is already taken.", "Toto jméno je obsazené."),
    "not_a_guest": ErrorText(409, "This account already has a password.", "Tento účet už heslo má."),
    "log_differs": ErrorText(409, "A different match with this id already exists here.", "Pod tímto číslem je uložena jiná partie."),
    "changed_too_often": ErrorText(
        409,
        "This has been changed too often at this table, so it stays as it is now.",
        "Tohle se u tohoto stolu měnilo příliš často: zůstane to, jak to je.",
    ),
    "too_many": ErrorText(409, "You may have at most {limit} of these.", "Můžeš jich mít nejvýše {limit}."),
    "too_large": ErrorText(413, "The request is larger than {limit} bytes.", "Požadavek je větší než {limit} bajtů."),
    "long_log": ErrorText(
        413,
        "An imported log may have at most {events} events and {undos} undos.",
        "Záznam, který sem někdo pošle, má nejvýše {events} událostí a {undos} vrácení.",
    ),
    "costly_log": ErrorText(
        422,
        "Checking this log takes more work than the server spends on one import. Its operator can import it on the command line.",
        "Ověřit tento záznam je víc práce, než se pro jeden vynaloží; správce serveru ho může nahrát ručně.",
    ),
    "illegal_action": ErrorText(422, "{detail}", "{detail}"),
    "rate_limited": ErrorText(429, "Too many requests. Wait a moment and try again.", "Příliš mnoho požadavků: chvíli počkej."),
    "too_many_accounts": ErrorText(
        429,
        "Too many new accounts from this address (at most {limit}). Try again in {minutes} min.",
        "Z jedné adresy může za tuto dobu přibýt nejvýše {limit} účtů. Zkus to znovu za {minutes} min.",
    ),
    "too_many_tables": ErrorText(
        429,
        "You can open at most {limit} tables an hour. Try again in {minutes} min.",
        "Za hodinu můžeš otevřít {limit} stolů. Zkus to znovu za {minutes} min.",
    ),
    "too_many_open_tables": ErrorText(
        409,
        "You have {limit} unfinished tables. Finish or cancel one of them first.",
        "Máš {limit} stolů, které neskončily: nejdřív některý dohraj nebo zruš.",
    ),
    "too_many_letters": ErrorText(
        429,
        "No more mail can be sent for now (at most {limit}). Try again in {minutes} min.",
        "Pro dnešek už je zpráv dost: nejvýše {limit}. Zkus to znovu za {minutes} min.",
    ),
    "too_many_recoveries": ErrorText(
        429,
        "A new password was requested several times already. Check your mail, or try again in {minutes} min.",
        "O nové heslo už se žádalo dost: podívej se do pošty, nebo to zkus znovu za {minutes} min.",
    ),
    "too_many_attempts": ErrorText(
        429,
        "Too many sign-in attempts. Try again in {seconds} s.",
        "Hesel se zkoušelo příliš mnoho. Zkus to znovu za {seconds} s.",
    ),
    "too_often": ErrorText(
        429,
        "You have done this too often (at most {limit} times). Try again in {minutes} min.",
        "To jde za tuto dobu nejvýše {limit}krát. Zkus to znovu za {minutes} min.",
    ),
    "busy": ErrorText(
        503,
        "Too many people are signing in right now. Try again in a few seconds.",
        "Právě se přihlašuje příliš mnoho lidí. Zkus to za pár vteřin znovu.",
    ),
    "internal": ErrorText(500, "Something went wrong on the server; nothing was changed.", "Něco se u nás pokazilo; nic se nezměnilo."),
    "damaged_log": ErrorText(
        500,
        "The log of this match is damaged at event {line}. It is kept as it is, and all other matches go on. The operator can see more with `turnlog audit`.",
        "Záznam této partie je poškozen u události {line}. Zůstává, jak je, a všechny ostatní partie jdou dál; správci řekne víc `turnlog audit`.",
    ),
    "not_proven": ErrorText(
        409,
        "This match is not in the archive under a published root yet. Matches go there some days after their end, and the root of a month is published when the month is over.",
        "Tato partie ještě není v archivu pod zveřejněným kořenem. Partie do něj přecházejí několik dní po konci a kořen měsíce se zveřejní, až měsíc skončí.",
    ),
    "archive_away": ErrorText(
        503,
        "This match lies in the archive, which is not responding. Try again later; all other matches go on.",
        "Tato partie leží v archivu a ten neodpovídá. Zkus to později; všechny ostatní partie jdou dál.",
    ),
    "no_room": ErrorText(
        503,
        "Nothing can be saved at the moment because the server's disk is full. Nothing is lost and reading still works; try again later with the same Idempotency-Key.",
        "Teď nelze nic uložit: disk tohoto serveru je plný. Číst lze dál a nic se neztratilo; zkus to později znovu se stejným Idempotency-Key.",
    ),
    "unavailable": ErrorText(
        503,
        "The store is not responding. Try again with the same Idempotency-Key.",
        "Úložiště neodpovídá; zkus to znovu se stejným Idempotency-Key.",
    ),
}  # fmt: skip


class Problem(Exception):
    """Refused: `code` is in TABLE, `params` fill its sentence, `extra` is shown beside it."""

    def __init__(self, code: str, extra: Mapping[str, Any] | None = None, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params
        self.extra = dict(extra or {})
        self.headers: dict[str, str] = {}

    @property
    def status(self) -> int:
        return TABLE[self.code].status

    def sentence(self, lang: Lang) -> str:
        entry = TABLE[self.code]
        params = {name: _said(value, lang) for name, value in self.params.items()}
        return (entry.cs if lang == "cs" else entry.en).format_map(Gaps(params))

    def body(self, lang: Lang) -> dict[str, Any]:
        return {
            "type": f"/docs/errors#{self.code}",
            "title": self.code.replace("_", " "),
            "status": self.status,
            "code": self.code,
            "detail": self.sentence(lang),
            **self.extra,
        }


class IllegalAction(Problem):
    """A game refused the action; its own words say why."""

    def __init__(self, game: Any, reason: str, params: Mapping[str, Any]) -> None:
        code = "not_your_turn" if reason == "not_your_turn" else "illegal_action"
        super().__init__(code, {"reason": reason})
        self._game, self._reason, self._params = game, reason, params

    def sentence(self, lang: Lang) -> str:
        return str(self._game.words.refusal(self._reason, self._params, lang))


def _said(value: Any, lang: Lang) -> Any:
    """A part of a sentence may itself be known in both languages."""
    return value[lang] if isinstance(value, Mapping) else value
