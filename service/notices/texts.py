"""The texts of notices, letter by letter: what people are told, in both languages."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from engine.game import Lang

DAYS: Mapping[Lang, Sequence[str]] = {
    "en": "Mon Tue Wed Thu Fri Sat Sun".split(),
    "cs": "po út st čt pá so ne".split(),
}
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
AND: Mapping[Lang, str] = {"en": " and ", "cs": " a "}

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "with": "{game} with {others}",
        "players": ", with {others}",
        "turn": "Your turn: {table}",
        "remind": "Still your turn: {table}",
        "begun": "The match has begun: {table}",
        "over": "The match is over: {table}",
        "asked": "Take-back requested: {table}",
        "wish_pause": "Pause the match? {table}",
        "wish_abandon": "End the match without a winner? {table}",
        "stepped": "A substitute is playing: {table}",
        "away": "A bot is playing for you: {table}",
        "relieved": "You are no longer playing: {table}",
        "rematch": "Rematch? {table}",
        "digest": "{count} matches are waiting for you",
        "digest_1": "A match is waiting for you",
        "turn_why": "It is your turn in {game}{players}.",
        "remind_why": "It is still your turn in {table}, and the others are waiting for you.",
        "begun_why": "Your match of {table} has begun. It is not your turn yet; you will hear from us when it is.",
        "over_why": "Your match of {table} has ended.",
        "asked_why": "{name} would like to take back a move in {game}. Do you agree?",
        "wish_pause_why": "{name} would like to pause {game}. No clock runs until somebody resumes it. Do "
        "you agree?",
        "wish_abandon_why": "{name} would like to end {game} without a winner. Do you agree?",
        "wish_holds": "The question stays open until somebody plays on; after that it can be asked again.",
        "stepped_why": "{name} is now playing for {owner} in {game}.",
        "stepped_owner_why": "{name} is now playing for you in {game}. You can take your seat back at any time.",
        "away_why": "Your time in {game} ran out, so a bot is playing for you. You can take your seat back whenever "
        "you like.",
        "away_out_why": "Time ran out for your seat in {game}, so you are out of the match. A bot plays on in your place.",
        "away_resigned_why": "{name}, who played for you in {game}, has resigned. A bot plays on in "
        "your seat.",
        "away_timed_out_why": "{name}, who played for you in {game}, ran out of time, so a bot is playing "
        "for you. "
        "Take your seat back whenever you like.",
        "away_left_why": "{name} no longer plays for you in {game}, so a bot is playing instead. "
        "Take your seat back whenever you like.",
        "relieved_timed_out_why": "Your time in {game} ran out, so a bot is now playing for {owner}.",
        "relieved_why": "A bot is now playing for {owner} in {game}. Thank you for stepping in.",
        "relieved_returned_why": "{owner} is back and playing in {game} again. Thank you for stepping in.",
        "rematch_why": "{name} would like to play {game} again. A seat is reserved for you.",
        "since": "Since your last turn:",
        "since_step": "Since you stepped in:",
        "so_far": "So far:",
        "back": "This would be taken back:",
        "more": "… and {count} more before that.",
        "deadline": "You have until {when} ({tz}).",
        "answer_by": "You can answer until {when} ({tz}). If nobody does, or somebody plays on, nothing "
        "is taken back.",
        "winners": "Won by: {names}.",
        "no_winner": "Nobody won.",
        "scores": "Final scores: {scores}.",
        "link": "Open the match",
        "replay": "Watch what happened",
        "home": "Open Turnlog",
        "test_link": "Open Turnlog",
        "test": "This is a test",
        "test_why": "If you can read this, notices will reach you here.",
        "confirm": "Please confirm this address",
        "confirm_why": "Somebody, probably you, asked to receive notices for the account “{name}” at {house} "
        "at this address. If it was not you, do nothing.",
        "confirm_link": "Confirm",
        "recover": "A new password",
        "recover_why": "Somebody, probably you, asked for a new password. The link works for one hour, once.",
        "recover_link": "Choose a password",
        "unsubscribe": "Unsubscribe from these messages",
    },
    "cs": {
        "with": "{game} – {others}",
        "players": ", spoluhráči: {others}",
        "turn": "Jsi na tahu: {table}",
        "remind": "Stále jsi na tahu: {table}",
        "begun": "Partie začala: {table}",
        "over": "Partie skončila: {table}",
        "asked": "Smí se tah vrátit? {table}",
        "wish_pause": "Dáme si přestávku? {table}",
        "wish_abandon": "Ukončíme partii? {table}",
        "stepped": "Hraje náhradník: {table}",
        "away": "Hraje za tebe bot: {table}",
        "relieved": "Už nehraješ: {table}",
        "rematch": "Ještě jednou? {table}",
        "digest": "Čekající partie: {count}",
        "digest_1": "Čeká na tebe partie",
        "turn_why": "Jsi na tahu ve hře {game}{players}.",
        "remind_why": "Ve hře {game} jsi stále na tahu: ostatní na tebe čekají.",
        "begun_why": "Tvá partie hry {game} začala. Na tahu zatím nejsi: dáme ti vědět.",
        "over_why": "Tvá partie hry {game} skončila.",
        "asked_why": "{name} chce ve hře {game} vzít něco zpět. Souhlasíš?",
        "wish_pause_why": "{name} chce hru {game} pozastavit: hodiny stojí, dokud někdo nebude chtít "
        "pokračovat. "
        "Souhlasíš?",
        "wish_abandon_why": "{name} chce hru {game} společně ukončit, bez vítěze. Souhlasíš?",
        "wish_holds": "Návrh platí, dokud někdo nezahraje; pak se na něj zapomene a lze jej podat znovu.",
        "stepped_why": "Ve hře {game} teď místo hráče {owner} hraje {name}.",
        "stepped_owner_why": "Ve hře {game} teď za tebe hraje {name}. Na své místo se můžeš kdykoli vrátit.",
        "away_why": "Ve hře {game} ti vypršel čas, a tak za tebe hraje bot. Na své místo se můžeš "
        "kdykoli vrátit.",
        "away_out_why": "Na tvém místě ve hře {game} vypršel čas, a proto z partie vypadáváš. Dál hraje bot.",
        "away_resigned_why": "Tvůj náhradník ({name}) hru {game} vzdal. Na tvém místě hraje dál bot.",
        "away_timed_out_why": "Ve hře {game} za tebe hraje bot: tvému náhradníkovi ({name}) vypršel čas. "
        "Na své místo se můžeš kdykoli vrátit.",
        "away_left_why": "Ve hře {game} za tebe hraje bot: tvůj náhradník ({name}) skončil. "
        "Na své místo se můžeš kdykoli vrátit.",
        "relieved_timed_out_why": "Ve hře {game} ti vypršel čas: místo hráče {owner} teď hraje bot.",
        "relieved_why": "Ve hře {game} teď místo hráče {owner} hraje bot. Díky za zastoupení.",
        "relieved_returned_why": "Ve hře {game} je {owner} zpět a hraje dál. Díky za zastoupení.",
        "rematch_why": "{name} si chce hru {game} zahrát znovu. Tvé místo u stolu na tebe čeká.",
        "since": "Od tvého posledního tahu:",
        "since_step": "Od chvíle, kdy hraješ jako náhradník:",
        "so_far": "Zatím:",
        "back": "Zpět by se vzalo:",
        "more": "… a předtím ještě dalších událostí: {count}.",
        "deadline": "Máš čas do {when} ({tz}).",
        "answer_by": "Odpovědět můžeš do {when} ({tz}). Když nikdo neodpoví nebo někdo zahraje, nic se "
        "nevrací.",
        "winners": "Vítězí: {names}.",
        "no_winner": "Nikdo nevyhrál.",
        "scores": "Konečný stav: {scores}.",
        "link": "Otevřít partii",
        "replay": "Přehrát, co se stalo",
        "home": "Otevřít Turnlog",
        "test_link": "Otevřít Turnlog",
        "test": "Zkušební zpráva",
        "test_why": "Pokud tohle čteš, upozornění sem docházejí.",
        "confirm": "Potvrď prosím tuto adresu",
        "confirm_why": "Někdo, nejspíš ty, sem chce dostávat upozornění pro účet „{name}“ na {house}. "
        "Pokud to nejsi ty, nedělej nic.",
        "confirm_link": "Potvrdit",
        "recover": "Nové heslo",
        "recover_why": "Někdo, nejspíš ty, požádal o nové heslo. Odkaz platí hodinu a jen jednou.",
        "recover_link": "Zvolit heslo",
        "unsubscribe": "Už tyto dopisy neposílat",
    },
}


def listed(names: Sequence[str], lang: Lang) -> str:
    """
    >>> listed(["Anna", "Bert", "Cyril"], "en")
    'Anna, Bert and Cyril'
    """
    return AND[lang].join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def table(game: str, others: Sequence[str], lang: Lang) -> str:
    """A match by its game and whom one plays with: what tells several of them apart.

    >>> table("Akropolis", ["Bert"], "en"), table("Akropolis", [], "cs")
    ('Akropolis with Bert', 'Akropolis')
    """
    return TEXTS[lang]["with"].format(game=game, others=listed(others, lang)) if others else game


def local(moment: float, tz: str, lang: Lang) -> str:
    """A moment as its reader writes it."""
    then = datetime.fromtimestamp(moment, ZoneInfo(tz))
    day = DAYS[lang][then.weekday()]
    if lang == "cs":
        return f"{day} {then.day}. {then.month}. {then.year} {then:%H:%M}"
    return f"{day} {then.day} {MONTHS[then.month - 1]} {then.year}, {then:%H:%M}"
