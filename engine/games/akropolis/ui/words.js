// The board's own words. Plain JSON after `export default`: a test compares the languages.
export default {
  "en": {
    "type.build": "build", "field.slot": "tile", "field.q": "column", "field.r": "row", "field.rotation": "rotation",
    "ak.round": "Round {round} of {rounds}", "ak.site": "Construction Site", "ak.free": "free", "ak.left_stacks": "stacks left: {n}",
    "ak.city": "City of {name}", "ak.stones": "stones", "ak.chief": "Chief Architect", "ak.rotate": "Rotate", "ak.left": "Rotate to the left", "ak.keys": "wheel or R",
    "ak.space": "Space {q}, {r}, level {level}", "ak.score": "Score now", "ak.value": "value", "ak.stars": "stars", "ak.points": "points", "ak.tile": "Tile: {hexes}; price {price}",
    "ak.architect": "Illustrious architect", "ak.tiles": "tiles: {n}",
    "prompt.tile": "Choose a tile.", "prompt.space": "Choose a glowing space for it.", "prompt.turn": "Rotate it if you like, then confirm.",
    "ak.pays": "{quarters}, for {price|# stone|# stones}", "figure.points": "Points", "figure.stones": "Stones", "why.one_way": "It fits here only this way round."
  },
  "cs": {
    "type.build": "přiložit desku", "field.slot": "deska", "field.q": "sloupec", "field.r": "řada", "field.rotation": "otočení",
    "ak.round": "{round}. kolo z {rounds}", "ak.site": "Staveniště", "ak.free": "zdarma", "ak.left_stacks": "zbývá sloupků: {n}",
    "ak.city": "Město: {name}", "ak.stones": "kameny", "ak.chief": "Hlavní architekt", "ak.rotate": "Otočit", "ak.left": "Otočit doleva", "ak.keys": "kolečko nebo R",
    "ak.space": "Místo {q}, {r}, patro {level}", "ak.score": "Body teď", "ak.value": "hodnota", "ak.stars": "hvězdičky", "ak.points": "body", "ak.tile": "Deska: {hexes}; cena {price}",
    "ak.architect": "Slavný architekt", "ak.tiles": "desek: {n}",
    "prompt.tile": "Vyber desku.", "prompt.space": "Vyber pro ni svítící místo.", "prompt.turn": "Případně otoč a potvrď.",
    "ak.pays": "{quarters}, za {price|# kámen|# kameny|# kamenů}", "figure.points": "Body", "figure.stones": "Kameny", "why.one_way": "Sem se vejde jen takto."
  }
};
