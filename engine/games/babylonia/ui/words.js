// The board's own words. Plain JSON after `export default`: a test compares the languages.
export default {
  "en": {
    "type.place": "place a token", "type.done": "enough tokens", "type.resolve": "resolve", "type.take_card": "take a card", "type.extra_turn": "extra turn",
    "field.token": "token", "field.hex": "hex", "field.use": "use it",
    "ba.stand": "Your stand", "ba.supply": "supply {n}", "ba.standsize": "stand {n}", "ba.cards": "Ziggurat cards", "ba.of": "{name}: {n|# point|# points}", "ba.tokens": "Tokens of {name}",
    "ba.map": "Map", "ba.cities": "City tiles: {n}", "ba.hidden": "face down", "ba.spent": "used", "ba.tiles": "Cities and fields", "ba.ziggurats": "Ziggurats", "ba.resolved": "resolved",
    "pt.fields": "fields", "pt.ziggurats": "ziggurats", "pt.nobles": "nobles", "pt.city_tiles": "city tiles", "pt.cards": "cards",
    "prompt.token": "Choose a token from your stand.", "prompt.hex": "Choose a glowing hex for it.", "prompt.confirm": "Confirm, or choose another hex.", "prompt.resolve": "Choose what to resolve first.", "prompt.take_card": "Choose a ziggurat card.", "prompt.extra_turn": "Use your extra turn?",
    "figure.points": "Points", "figure.city_tiles": "City tiles", "figure.cards": "Cards",
    "why.no_token": "Choose a token first.", "why.no_kind": "This kind of token cannot be placed now."
  },
  "cs": {
    "type.place": "umístit žeton", "type.done": "dost žetonů", "type.resolve": "vyhodnotit", "type.take_card": "vzít kartu", "type.extra_turn": "další tah",
    "field.token": "žeton", "field.hex": "políčko", "field.use": "použít",
    "ba.stand": "Tvůj stojan", "ba.supply": "zásoba {n}", "ba.standsize": "stojan {n}", "ba.cards": "Karty zikkuratů", "ba.of": "{name}: {n|# bod|# body|# bodů}", "ba.tokens": "Žetony: {name}",
    "ba.map": "Mapa", "ba.cities": "Destičky měst: {n}", "ba.hidden": "lícem dolů", "ba.spent": "použitá", "ba.tiles": "Města a pole", "ba.ziggurats": "Zikkuraty", "ba.resolved": "vyhodnocen",
    "pt.fields": "pole", "pt.ziggurats": "zikkuraty", "pt.nobles": "občané", "pt.city_tiles": "destičky měst", "pt.cards": "karty",
    "prompt.token": "Vyber žeton ze stojanu.", "prompt.hex": "Vyber pro něj svítící políčko.", "prompt.confirm": "Potvrď, nebo vyber jiné políčko.", "prompt.resolve": "Vyber, co se vyhodnotí první.", "prompt.take_card": "Vyber kartu zikkuratu.", "prompt.extra_turn": "Použít další tah?",
    "figure.points": "Body", "figure.city_tiles": "Destičky měst", "figure.cards": "Karty",
    "why.no_token": "Nejdřív vyber žeton.", "why.no_kind": "Tento druh žetonu teď umístit nejde."
  }
};
