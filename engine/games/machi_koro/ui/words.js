// The board's own words. Plain JSON after `export default`: a test compares the languages.
export default {
  "en": {
    "type.roll": "roll", "type.keep": "keep the roll", "type.reroll": "roll again", "type.tv_station": "TV station", "type.trade": "trade",
    "type.skip_trade": "do not trade", "type.build": "build", "type.pass": "build nothing",
    "field.give": "my card", "field.take": "their card", "field.dice": "dice",
    "mk.market": "Market", "mk.landmarks": "Landmarks", "mk.coins": "{n} coins", "mk.left": "{n} left", "mk.gone": "sold out", "mk.deck": "deck {n}", "mk.city": "City of {name}",
    "mk.no_roll": "No dice yet", "mk.threw": "last roll: {n}, {gain} coins", "mk.rolled": "{name} rolled {n}.", "mk.costs": "Costs {n}.", "result.by": "{name} has built {n|# landmark|# landmarks}, {more} more than {other}.", "figure.landmarks": "Landmarks", "figure.coins": "Coins", "mk.again": "another turn follows", "mk.cost": "costs {n}",
    "when.blue": "any turn", "when.green": "my turn", "when.red": "others' turns", "when.purple": "my turn", "mk.built": "built", "mk.not_built": "not built",
    "prompt.roll": "Roll the dice.", "prompt.reroll": "Keep the roll, or roll again?", "prompt.build": "Build one card, or nothing.",
    "prompt.tv_station": "Tap the player who pays you.", "prompt.business_center": "Trade: tap one of your cards, then one of theirs.",
    "prompt.take": "Now tap the card you want.",
    "why.not_tradable": "This card cannot be traded now."
  },
  "cs": {
    "type.roll": "hodit", "type.keep": "nechat hod", "type.reroll": "hodit znovu", "type.tv_station": "televizní studio", "type.trade": "výměna",
    "type.skip_trade": "neměnit", "type.build": "stavět", "type.pass": "nestavět",
    "field.give": "moje karta", "field.take": "jejich karta", "field.dice": "kostky",
    "mk.market": "Nabídka", "mk.landmarks": "Dominanty", "mk.coins": "mincí: {n}", "mk.left": "zbývá {n}", "mk.gone": "vyprodáno", "mk.deck": "balíček {n}", "mk.city": "Město: {name}",
    "mk.no_roll": "Ještě se neházelo", "mk.threw": "poslední hod: {n}, mince: {gain}", "mk.rolled": "{name}: hod {n}.", "mk.costs": "Stojí {n}.", "result.by": "{name} má {n|# dominantu|# dominanty|# dominant}, o {more} více než {other}.", "figure.landmarks": "Dominanty", "figure.coins": "Mince", "mk.again": "následuje další tah", "mk.cost": "stojí {n}",
    "when.blue": "každý tah", "when.green": "můj tah", "when.red": "tah soupeře", "when.purple": "můj tah", "mk.built": "postaveno", "mk.not_built": "nepostaveno",
    "prompt.roll": "Hoď kostkami.", "prompt.reroll": "Nechat hod, nebo hodit znovu?", "prompt.build": "Postav jednu kartu, nebo nic.",
    "prompt.tv_station": "Ťukni na hráče, který ti zaplatí.", "prompt.business_center": "Výměna: ťukni na svou kartu, pak na cizí.",
    "prompt.take": "Teď ťukni na kartu, kterou chceš.",
    "why.not_tradable": "Tuto kartu teď vyměnit nejde."
  }
};
