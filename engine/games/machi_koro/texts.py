"""The sentences of Machi Koro. Card names stay in the nominative, so that no name has to be declined."""

from collections.abc import Mapping

from engine.game import Lang

TEXTS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "roll_one": "Roll one die",
        "roll_two": "Roll two dice",
        "keep": "Keep the roll",
        "reroll": "Roll again",
        "tv": "Take {coins} from player {player}",
        "trade": "Give {give}, take {take} from player {player}",
        "skip_trade": "Do not trade",
        "build": "Build {card} for {cost}",
        "pass": "Build nothing",
        "establishment": "establishment",
        "landmark": "landmark",
        "turned": "Into the market comes {card}.",
        "began": "{name} goes first.",
        "rolled": "{name} rolls {dice}.",
        "kept": "{name} keeps {dice}.",
        "again": "{name} rolls again.",
        "extra": "Doubles: another turn follows.",
        "nothing": "Nothing can be built.",
        "traded": "{name} gives {give} to {other} and takes {take}.",
        "declined": "{name} does not trade.",
        "built": "{name} builds the {sort} {card} for {cost}.",
        "won": "{name} builds {card} for {cost}, the fourth landmark, and wins.",
        "passed": "{name} builds nothing.",
    },
    "cs": {
        "roll_one": "Hodit jednou kostkou",
        "roll_two": "Hodit dvěma kostkami",
        "keep": "Ponechat hod",
        "reroll": "Hodit znovu",
        "tv": "Vzít {coins} od hráče {player}",
        "trade": "Dát {give}, vzít {take} od hráče {player}",
        "skip_trade": "Nevyměnit",
        "build": "Postavit {sort} {card} za {cost}",
        "pass": "Nestavět",
        "establishment": "objekt",
        "landmark": "dominantu",
        "turned": "Do nabídky přichází {card}.",
        "began": "Začíná {name}.",
        "rolled": "{name} hází {dice}.",
        "kept": "{name} si ponechává {dice}.",
        "again": "{name} hází znovu.",
        "extra": "Stejná čísla: následuje tah navíc.",
        "nothing": "Nelze nic postavit.",
        "traded": "{name} dává {give}, dostává {take}; výměna: {other}.",
        "declined": "{name} nevyměňuje.",
        "built": "{name} staví {sort} {card} za {cost}.",
        "won": "{name} staví {sort} {card} za {cost}, svou čtvrtou, a vítězí.",
        "passed": "{name} nestaví.",
    },
}

REFUSALS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "bad_dice": "Choose one or two dice.",
        "bad_target": "Choose an opponent.",
        "unknown_card": 'There is no card "{card}".',
        "purple_trade": "Purple establishments cannot be traded.",
        "not_owned": "You do not own {card}.",
        "target_not_owned": "That player does not own {card}.",
        "same_card": "Trade two different kinds.",
        "already_built": "You have already built {card}.",
        "not_available": "{card} is not available.",
        "purple_owned": "You may own only one {card}.",
        "copy_limit": "Nobody may own more than {n} of the same kind.",
        "too_expensive": "{card} costs {cost}, you have {coins}.",
        "bad_options": "The first seat must be one of the {seats} seats.",
    },
    "cs": {
        "bad_dice": "Zvol jednu nebo dvě kostky.",
        "bad_target": "Zvol některého soupeře.",
        "unknown_card": "Karta „{card}“ neexistuje.",
        "purple_trade": "Fialové objekty nelze měnit.",
        "not_owned": "Objekt {card} nemáš.",
        "target_not_owned": "Soupeř objekt {card} nemá.",
        "same_card": "Vyměň dva různé druhy.",
        "already_built": "Dominantu {card} už máš.",
        "not_available": "Objekt {card} není v nabídce.",
        "purple_owned": "Objekt {card} smíš mít jen jednou.",
        "copy_limit": "Nikdo nesmí mít více než {n} stejné objekty.",
        "too_expensive": "{card} stojí {cost}, máš {coins}.",
        "bad_options": "Začínat musí některé z míst, kterých je {seats}.",
    },
}

OPTIONS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "supply": "Market: all fifteen kinds (full), or only ten kinds face up, refilled from a deck (ten)",
        "copy_limit": "Nobody may own more than two establishments of the same kind (for beginners)",
        "first_seat": "The seat that goes first; none: chance decides",
    },
    "cs": {
        "supply": "Nabídka: všech patnáct druhů (full), nebo jen deset, doplňovaných z balíčku (ten)",
        "copy_limit": "Nikdo nesmí mít více než dva stejné objekty (pro začátečníky)",
        "first_seat": "Kdo začíná; není-li určeno, rozhodne náhoda",
    },
}
