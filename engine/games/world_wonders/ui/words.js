// The board's own words. Plain JSON after `export default`: a test compares the languages.
export default {
  "en": {
    "type.buy": "buy", "type.place": "place", "type.take_loan": "take a loan", "type.repay_loan": "repay the loan", "type.leave": "leave the round", "type.automa_discard": "discard for the automaton",
    "field.item": "item", "field.stack": "building", "field.slot": "pedestal", "field.piece": "piece", "field.x": "column", "field.y": "row", "field.rot": "rotation",
    "ww.round": "Round {round} of {rounds}", "ww.market": "Market", "ww.monuments": "Monuments", "ww.city": "City of {name}", "ww.rotate": "Rotate", "ww.left": "Rotate to the left", "ww.keys": "wheel or R; tap again for the next fit",
    "ww.tower": "Tower", "ww.pedestal": "Pedestal {n}", "ww.all_coins": "all", "ww.vp": "{n} VP", "ww.population": "Population", "ww.coins": "Coins", "ww.loan": "loan", "ww.out": "out of the round", "ww.goals": "Goals", "ww.buildings": "Buildings and their prices", "ww.prizes": "{first} VP, second {second} VP", "ww.target": "Target: {n}", "ww.score": "Score now: {n}", "ww.order": "Order",
    "figure.points": "Points", "figure.coins": "Coins", "figure.population": "Population", "figure.food": "Food", "figure.ceramics": "Ceramics", "figure.gears": "Gears",
    "piece.long_road": "long road", "piece.short2": "short road of 2", "piece.short1": "short road of 1", "piece.tower": "tower", "piece.building": "building", "piece.monument": "monument", "piece.part": "part {n}",
    "item.long_road": "long road", "item.short_roads": "short roads", "item.tower": "tower", "item.building": "building", "item.pedestal": "pedestal", "item.monument": "monument",
    "need.road": "road", "need.sidewalk": "sidewalk", "need.natural": "natural wealth", "need.water": "water", "need.room": "room", "need.met": "your city has this", "need.unmet": "your city lacks this beside free cells",
    "prompt.buy": "Buy something from the market.", "prompt.place": "Place the {piece}: tap a glowing cell.", "prompt.confirm": "Confirm, rotate, or tap again.", "prompt.automa": "Choose what the automaton takes.",
    "why.one_way": "It fits here only this way round.", "why.gone": "{name}: not on offer any more."
  },
  "cs": {
    "type.buy": "koupit", "type.place": "umístit", "type.take_loan": "vzít si dluh", "type.repay_loan": "splatit dluh", "type.leave": "vystoupit z kola", "type.automa_discard": "odhodit za automatického protivníka",
    "field.item": "co", "field.stack": "budova", "field.slot": "piedestal", "field.piece": "díl", "field.x": "sloupec", "field.y": "řada", "field.rot": "otočení",
    "ww.round": "{round}. kolo z {rounds}", "ww.market": "Nabídka", "ww.monuments": "Monumenty", "ww.city": "Město: {name}", "ww.rotate": "Otočit", "ww.left": "Otočit doleva", "ww.keys": "kolečko nebo R; další ťuknutí zkusí jinou polohu",
    "ww.tower": "Věž", "ww.pedestal": "Piedestal {n}", "ww.all_coins": "vše", "ww.vp": "{n} VB", "ww.population": "Populace", "ww.coins": "Mince", "ww.loan": "dluh", "ww.out": "mimo kolo", "ww.goals": "Cíle", "ww.buildings": "Budovy a jejich ceny", "ww.prizes": "{first} VB, druhý {second} VB", "ww.target": "Cíl: {n}", "ww.score": "Body teď: {n}", "ww.order": "Pořadí",
    "figure.points": "Body", "figure.coins": "Mince", "figure.population": "Populace", "figure.food": "Potrava", "figure.ceramics": "Keramika", "figure.gears": "Kola",
    "piece.long_road": "dlouhá cesta", "piece.short2": "krátká cesta 2", "piece.short1": "krátká cesta 1", "piece.tower": "věž", "piece.building": "budova", "piece.monument": "monument", "piece.part": "část {n}",
    "item.long_road": "dlouhá cesta", "item.short_roads": "krátké cesty", "item.tower": "věž", "item.building": "budova", "item.pedestal": "piedestal", "item.monument": "monument",
    "need.road": "cesta", "need.sidewalk": "chodník", "need.natural": "přírodní bohatství", "need.water": "voda", "need.room": "místo", "need.met": "tvé město to má", "need.unmet": "tvému městu to vedle volných polí chybí",
    "prompt.buy": "Kup něco z nabídky.", "prompt.place": "Umísti: {piece}. Ťukni na svítící políčko.", "prompt.confirm": "Potvrď, otoč, nebo ťukni znovu.", "prompt.automa": "Vyber, co si vezme automatický protivník.",
    "why.one_way": "Sem se vejde jen takto.", "why.gone": "{name}: už není v nabídce."
  }
};
