"""The one table of errors: a stable code, an HTTP status, and a sentence in both languages.

Whatever goes wrong on purpose is a Problem; the API turns it into problem JSON (RFC 9457), the command line
into a line on stderr. A game's own refusals arrive as `illegal_action` with the game's code as `reason`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.game import Lang


class Entry(NamedTuple):
    status: int
    en: str
    cs: str


TABLE: Mapping[str, Entry] = {
    "bad_request": Entry(400, "The request cannot be read: {detail}", "Požadavek nelze přečíst: {detail}"),
    "bad_name": Entry(400, "This name cannot be used: {detail}", "Toto jméno nelze použít: {detail}"),
    "bad_password": Entry(
        400,
        "A password has {min} to {max} characters.",
        "Heslo má {min} až {max} znaků.",
    ),
    "bad_setting": Entry(400, "This setting is not possible: {detail}", "Toto nastavení není možné: {detail}"),
    "bad_scope": Entry(400, "There is no scope “{scope}”.", "Oprávnění „{scope}“ neexistuje."),
    "bad_options": Entry(400, "These options are not possible: {detail}", "Tyto volby nejsou možné: {detail}"),
    "bad_clock": Entry(400, "This clock is not possible: {detail}", "Tyto hodiny nejsou možné: {detail}"),
    "bad_channel": Entry(400, "This channel cannot be used: {detail}", "Tento kanál nelze použít: {detail}"),
    "no_mail": Entry(409, "This house sends no mail.", "Tento server neposílá poštu."),
    "not_delivered": Entry(502, "It did not arrive: {detail}", "Nedorazilo to: {detail}"),
    "bad_link": Entry(404, "This link does not hold, or no longer.", "Tento odkaz neplatí, nebo už neplatí."),
    "bad_seats": Entry(
        400, "This game is for {min} to {max} players.", "Tato hra je pro {min} až {max} hráčů."
    ),
    "bad_nonce": Entry(
        400,
        "A nonce has at most {limit} printable characters and no comma.",
        "Nonce má nejvýše {limit} tisknutelných znaků a žádnou čárku.",
    ),
    "bad_log": Entry(400, "The log does not hold, line {line}: {detail}", "Záznam nesouhlasí, řádek {line}: {detail}"),
    "other_rules": Entry(
        400,
        "Line {line} was decided under other rules than those of this server, and no server that is trusted here has signed the log: it cannot be checked.",
        "Řádek {line} byl rozhodnut podle jiných pravidel, než má tento server, a záznam nepodepsal žádný server, kterému se tu věří: nelze ho ověřit.",
    ),
    "bad_signature": Entry(
        400,
        "The signature under the log is not that of key {key}.",
        "Podpis pod záznamem nepatří klíči {key}.",
    ),
    "incomplete_log": Entry(400, "The log is incomplete: {detail}", "Záznam není úplný: {detail}"),
    "unknown_game": Entry(404, "There is no game “{game}”.", "Hra „{game}“ neexistuje."),
    "unknown_bot": Entry(400, "There is no bot “{bot}”.", "Bot „{bot}“ neexistuje."),
    "unknown_account": Entry(400, "There is nobody called “{name}”.", "Nikdo jménem „{name}“ tu není."),
    "bad_delivery": Entry(400, "Turns cannot be delivered like this: {detail}", "Takhle nelze tahy doručovat: {detail}"),
    "bot_cannot_play": Entry(400, "The bot “{bot}” does not play this game.", "Bot „{bot}“ tuto hru nehraje."),
    "bot_seated_twice": Entry(400, "A remote bot takes one seat of a table.", "Vzdálený bot má u stolu jen jedno místo."),
    "bot_not_for_you": Entry(403, "The owner of “{bot}” has not let you seat it.", "Majitel bota „{bot}“ ti nedovolil ho posadit."),
    "bot_in_sandbox": Entry(
        403,
        "“{bot}” is being tried out: only its owner seats it, at tables that are not listed.",
        "„{bot}“ se teprve zkouší: sadí ho jen jeho majitel, ke stolům mimo seznam.",
    ),
    "bot_disabled": Entry(409, "“{bot}” takes no seats at the moment.", "„{bot}“ si teď k žádnému stolu nesedá."),
    "unauthenticated": Entry(401, "Sign in first, or send a valid token.", "Nejdřív se přihlas nebo pošli platný token."),
    "wrong_password": Entry(401, "Name and password do not match.", "Jméno a heslo nesouhlasí."),
    "forbidden": Entry(403, "You may not do that.", "To nesmíš udělat."),
    "csrf": Entry(403, "The page is too old: reload it.", "Stránka je zastaralá: načti ji znovu."),
    "not_your_seat": Entry(403, "You do not sit at this table.", "U tohoto stolu nesedíš."),
    "bots_alone": Entry(
        403,
        "Tables of bots alone are for accounts with a password: choose one in the settings, or sit down yourself.",
        "Stoly jen pro boty jsou pro účty s heslem: nastav si ho, nebo si k nim sedni.",
    ),
    "wrong_invite": Entry(403, "This seat is for invited players.", "Toto místo je pro pozvané hráče."),
    "blocked": Entry(403, "You cannot sit down at this table.", "K tomuto stolu si nemůžeš sednout."),
    "not_found": Entry(404, "There is nothing here.", "Tady nic není."),
    "no_such_player": Entry(404, "There is no other player of that name.", "Jiný hráč s tímto jménem tu není."),
    "no_such_seat": Entry(404, "There is no seat {seat}.", "Místo {seat} neexistuje."),
    "method_not_allowed": Entry(405, "This cannot be done here.", "Tady to udělat nelze."),
    "stale_seq": Entry(
        409,
        "The match has moved on: it is at event {current}. Look again.",
        "Partie se mezitím posunula na událost {current}. Podívej se znovu.",
    ),
    "command_reused": Entry(
        409,
        "This Idempotency-Key was used for another command.",
        "Tento Idempotency-Key už patří jinému příkazu.",
    ),
    "not_your_turn": Entry(409, "It is not your turn.", "Nejsi na tahu."),
    "not_started": Entry(409, "The match has not started.", "Partie ještě nezačala."),
    "not_open": Entry(409, "The match is not open any more.", "Ke stolu už nelze přisednout."),
    "not_running": Entry(409, "The match is not being played.", "Partie se nehraje."),
    "already_away": Entry(409, "A caretaker plays for this seat already.", "Za toto místo už hraje zástupce."),
    "away": Entry(
        409,
        "Somebody else plays for you: take your seat back first.",
        "Hraje za tebe někdo jiný: nejdřív se vrať na své místo.",
    ),
    "nothing_to_undo": Entry(409, "There is nothing to take back there.", "Tam není co vracet."),
    "nothing_asked": Entry(409, "Nobody waits for your answer.", "Nikdo nečeká na tvou odpověď."),
    "already_asked": Entry(409, "The others are being asked already.", "Ostatní už jsou dotázáni."),
    "already_paused": Entry(409, "The match is paused already.", "Partie už je pozastavena."),
    "not_paused": Entry(409, "The match is not paused.", "Partie není pozastavena."),
    "not_over": Entry(409, "The match is not over yet.", "Partie ještě neskončila."),
    "no_free_seat": Entry(409, "There is no free seat for you.", "Není pro tebe volné místo."),
    "seat_taken": Entry(409, "Seat {seat} is taken.", "Místo {seat} je obsazené."),
    "already_seated": Entry(409, "You already sit at this table.", "U tohoto stolu už sedíš."),
    "already_resigned": Entry(409, "You have resigned already.", "Už jsi partii vzdal."),
    "name_taken": Entry(409, "This name is taken.", "Toto jméno je obsazené."),
    "not_a_guest": Entry(409, "This account has a password already.", "Tento účet už heslo má."),
    "log_differs": Entry(409, "A different match with this id exists.", "Pod tímto číslem je uložena jiná partie."),
    "changed_too_often": Entry(
        409,
        "This has changed too often at this table: it stays as it is.",
        "Tohle se u tohoto stolu měnilo příliš často: zůstane to, jak to je.",
    ),
    "too_many": Entry(409, "You may have at most {limit} of these.", "Můžeš jich mít nejvýše {limit}."),
    "too_large": Entry(413, "The request is larger than {limit} bytes.", "Požadavek je větší než {limit} bajtů."),
    "long_log": Entry(
        413,
        "A log that is sent here has at most {events} events and {undos} undos.",
        "Záznam, který sem někdo pošle, má nejvýše {events} událostí a {undos} vrácení.",
    ),
    "costly_log": Entry(
        422,
        "To check this log takes more work than is done for one; whoever keeps this house may import it by hand.",
        "Ověřit tento záznam je víc práce, než se pro jeden vynaloží; správce serveru ho může nahrát ručně.",
    ),
    "illegal_action": Entry(422, "{detail}", "{detail}"),
    "rate_limited": Entry(429, "Too many requests: wait a moment.", "Příliš mnoho požadavků: chvíli počkej."),
    "too_many_accounts": Entry(
        429,
        "At most {limit} new accounts may come from one address in this time. Try again in {minutes} min.",
        "Z jedné adresy může za tuto dobu přibýt nejvýše {limit} účtů. Zkus to znovu za {minutes} min.",
    ),
    "too_many_tables": Entry(
        429,
        "You may open {limit} tables an hour. Try again in {minutes} min.",
        "Za hodinu můžeš otevřít {limit} stolů. Zkus to znovu za {minutes} min.",
    ),
    "too_many_open_tables": Entry(
        409,
        "You have {limit} tables that are not over: play or cancel one of them first.",
        "Máš {limit} stolů, které neskončily: nejdřív některý dohraj nebo zruš.",
    ),
    "too_many_letters": Entry(
        429,
        "That is enough mail for today: at most {limit}. Try again in {minutes} min.",
        "Pro dnešek už je zpráv dost: nejvýše {limit}. Zkus to znovu za {minutes} min.",
    ),
    "too_many_recoveries": Entry(
        429,
        "A new password was asked for often enough: look into your mail, or try again in {minutes} min.",
        "O nové heslo už se žádalo dost: podívej se do pošty, nebo to zkus znovu za {minutes} min.",
    ),
    "too_many_attempts": Entry(
        429,
        "Too many passwords were tried. Try again in {seconds} s.",
        "Hesel se zkoušelo příliš mnoho. Zkus to znovu za {seconds} s.",
    ),
    "too_often": Entry(
        429,
        "That is possible {limit} times in this time. Try again in {minutes} min.",
        "To jde za tuto dobu nejvýše {limit}krát. Zkus to znovu za {minutes} min.",
    ),
    "busy": Entry(
        503,
        "Too many people sign in at this moment. Try again in a few seconds.",
        "Právě se přihlašuje příliš mnoho lidí. Zkus to za pár vteřin znovu.",
    ),
    "internal": Entry(500, "Something broke on our side; nothing was changed.", "Něco se u nás pokazilo; nic se nezměnilo."),
    "damaged_log": Entry(
        500,
        "The log of this match is damaged at event {line}. It is kept as it is and all other matches go on; `turnlog audit` tells the operator more.",
        "Záznam této partie je poškozen u události {line}. Zůstává, jak je, a všechny ostatní partie jdou dál; správci řekne víc `turnlog audit`.",
    ),
    "no_room": Entry(
        503,
        "Nothing can be stored at the moment: the disk of this house is full. Reading goes on and nothing is lost; ask again later with the same Idempotency-Key.",
        "Teď nelze nic uložit: disk tohoto serveru je plný. Číst lze dál a nic se neztratilo; zkus to později znovu se stejným Idempotency-Key.",
    ),
    "unavailable": Entry(
        503,
        "The store does not answer; ask again with the same Idempotency-Key.",
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
        return (entry.cs if lang == "cs" else entry.en).format_map(_Gaps(params))

    def body(self, lang: Lang) -> dict[str, Any]:
        return {
            "type": f"/docs/errors#{self.code}",
            "title": self.code.replace("_", " "),
            "status": self.status,
            "code": self.code,
            "detail": self.sentence(lang),
            **self.extra,
        }


class Illegally(Problem):
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


class _Gaps(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"
