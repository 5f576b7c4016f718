"""Machi Koro once more, as plainly as it can be written: dictionaries, loops, the tables typed from rules.md.

It shares no code and no data file with the engine, so that a mistake would have to be made twice.
"""

from typing import Any

# id: cost, totals, colour, coins, symbol
CARDS: dict[str, tuple[int, tuple[int, ...], str, int, str]] = {
    "wheat_field": (1, (1,), "blue", 1, "wheat"),
    "ranch": (1, (2,), "blue", 1, "cow"),
    "bakery": (1, (2, 3), "green", 1, "bread"),
    "cafe": (2, (3,), "red", 1, "cup"),
    "convenience_store": (2, (4,), "green", 3, "bread"),
    "forest": (3, (5,), "blue", 1, "gear"),
    "stadium": (6, (6,), "purple", 2, "major"),
    "tv_station": (7, (6,), "purple", 5, "major"),
    "business_center": (8, (6,), "purple", 0, "major"),
    "cheese_factory": (5, (7,), "green", 3, "factory"),
    "furniture_factory": (3, (8,), "green", 3, "factory"),
    "mine": (6, (9,), "blue", 5, "gear"),
    "family_restaurant": (3, (9, 10), "red", 2, "cup"),
    "apple_orchard": (3, (10,), "blue", 3, "wheat"),
    "fruit_and_vegetable_market": (2, (11, 12), "green", 2, "fruit"),
}
LANDMARKS = {"train_station": 4, "shopping_mall": 10, "amusement_park": 16, "radio_tower": 22}
FACTORIES = {"cheese_factory": "cow", "furniture_factory": "gear", "fruit_and_vegetable_market": "wheat"}


class Table:
    """A game that is told what chance does: `dice` and `deck` are lists it takes from the front."""

    def __init__(self, seats: int, first: int, limit: int | None, deck: list[str] | None) -> None:
        self.n, self.limit, self.active, self.turn = seats, limit, first, 1
        self.coins = [3] * seats
        self.cities: list[dict[str, int]] = [{"wheat_field": 1, "bakery": 1} for _ in range(seats)]
        self.built: list[set[str]] = [set() for _ in range(seats)]
        self.supply = {card: 4 if CARDS[card][2] == "purple" else 6 for card in CARDS}
        self.deck: list[str] = []  # cards to come, as far as they are known
        self.hidden = 0  # how many cards are face down
        if deck is not None:
            self.supply, self.deck, self.hidden = {}, deck, 84
            self.refill()
        self.dice: list[int] = []
        self.rolls: list[int] = []  # dice to come
        self.rerolled = self.extra = False
        self.phase = "start"
        self.winner: int | None = None

    def refill(self) -> None:  # MK-70, MK-71
        while len(self.supply) < 10 and self.hidden:
            self.hidden -= 1
            card = self.deck.pop(0)
            self.supply[card] = self.supply.get(card, 0) + 1

    # --- the automatic steps -------------------------------------------------------------------------------

    def run(self) -> None:
        """Until somebody must decide (MK-30)."""
        while True:
            if self.phase == "start":
                self.dice, self.rerolled, self.extra = [], False, False
                if "train_station" in self.built[self.active]:
                    self.phase = "roll"
                    return
                self.throw(1)
            elif self.phase == "thrown":
                if "radio_tower" in self.built[self.active] and not self.rerolled:
                    self.phase = "reroll"
                    return
                self.phase = "final"
            elif self.phase == "final":
                self.pay_out()
                self.phase = "tv?"
            elif self.phase == "tv?":
                self.phase = "bc?"
                if sum(self.dice) == 6 and self.cities[self.active].get("tv_station"):
                    others = [s for s in range(self.n) if s != self.active]
                    if self.n == 2:
                        self.take(others[0], 5)
                    elif any(self.coins[s] for s in others):
                        self.phase = "tv_station"
                        return
            elif self.phase == "bc?":
                self.phase = "build?"
                if sum(self.dice) == 6 and self.cities[self.active].get("business_center") and self.trades():
                    self.phase = "business_center"
                    return
            elif self.phase == "build?":
                if self.builds():
                    self.phase = "build"
                    return
                self.phase = "end"
            else:
                assert self.phase == "end"
                if not self.extra:
                    self.active = (self.active + 1) % self.n
                self.turn += 1
                self.phase = "start"

    def throw(self, dice: int) -> None:
        self.dice = [self.rolls.pop(0) for _ in range(dice)]
        self.phase = "thrown"

    def take(self, victim: int, most: int) -> None:
        coins = min(most, self.coins[victim])
        self.coins[victim] -= coins
        self.coins[self.active] += coins

    def pay_out(self) -> None:  # MK-22 to MK-25
        me, total = self.active, sum(self.dice)
        doubles = len(self.dice) == 2 and self.dice[0] == self.dice[1]
        self.extra = doubles and "amusement_park" in self.built[me]
        for step in range(1, self.n):
            other = (me - step) % self.n
            due = sum(self.worth(other, card) for card in self.awake(other, total, "red"))
            paid = min(due, self.coins[me])
            self.coins[me] -= paid
            self.coins[other] += paid
        for seat in range(self.n):
            self.coins[seat] += sum(self.worth(seat, card) for card in self.awake(seat, total, "blue"))
        self.coins[me] += sum(self.worth(me, card) for card in self.awake(me, total, "green"))
        if total == 6 and self.cities[me].get("stadium"):
            for other in range(self.n):
                if other != me:
                    self.take(other, 2)

    def awake(self, seat: int, total: int, colour: str) -> list[str]:
        """Every single copy that the total activates."""
        city = self.cities[seat]
        return [
            card
            for card in city
            for _ in range(city[card])
            if total in CARDS[card][1] and CARDS[card][2] == colour
        ]

    def worth(self, seat: int, card: str) -> int:
        coins, symbol = CARDS[card][3], CARDS[card][4]
        if card in FACTORIES:
            city = self.cities[seat]
            return coins * sum(k for other, k in city.items() if CARDS[other][4] == FACTORIES[card])
        return coins + (symbol in ("bread", "cup") and "shopping_mall" in self.built[seat])

    # --- decisions -----------------------------------------------------------------------------------------

    def builds(self) -> list[dict[str, Any]]:  # MK-50
        me, city = self.active, self.cities[self.active]
        found = []
        for card, (cost, _, colour, _, _) in CARDS.items():
            most = 1 if colour == "purple" else self.limit or 99
            if self.supply.get(card) and cost <= self.coins[me] and city.get(card, 0) < most:
                found.append({"type": "build", "card": card})
        for card, cost in LANDMARKS.items():
            if card not in self.built[me] and cost <= self.coins[me]:
                found.append({"type": "build", "card": card})
        return found

    def trades(self) -> list[dict[str, Any]]:  # MK-43 to MK-45
        me, most = self.active, self.limit or 99
        return [
            {"type": "trade", "give": give, "target": target, "take": take}
            for target in range(self.n)
            for give in self.cities[me]
            for take in self.cities[target]
            if target != me
            and give != take
            and "purple" not in (CARDS[give][2], CARDS[take][2])
            and self.cities[me].get(take, 0) < most
            and self.cities[target].get(give, 0) < most
        ]

    def legal(self) -> list[dict[str, Any]]:
        if self.phase == "roll":
            return [{"type": "roll", "dice": 1}, {"type": "roll", "dice": 2}]
        if self.phase == "reroll":
            return [{"type": "keep"}, {"type": "reroll"}]
        if self.phase == "tv_station":
            return [{"type": "tv_station", "target": s} for s in range(self.n) if s != self.active]
        if self.phase == "business_center":
            return [*self.trades(), {"type": "skip_trade"}]
        return [*self.builds(), {"type": "pass"}] if self.phase == "build" else []

    def act(self, action: dict[str, Any]) -> None:
        kind = action["type"]
        if kind == "roll":
            self.throw(action["dice"])
        elif kind == "keep":
            self.phase = "final"
        elif kind == "reroll":
            self.rerolled = True
            self.throw(len(self.dice))
        elif kind == "tv_station":
            self.take(action["target"], 5)
            self.phase = "bc?"
        elif kind == "trade":
            self.move(action["give"], self.active, action["target"])
            self.move(action["take"], action["target"], self.active)
            self.phase = "build?"
        elif kind == "skip_trade":
            self.phase = "build?"
        elif kind == "build":
            self.build(action["card"])
        else:
            assert kind == "pass"
            self.phase = "end"
        if self.winner is None:
            self.run()

    def move(self, card: str, giver: int, taker: int) -> None:
        self.cities[taker][card] = self.cities[taker].get(card, 0) + 1
        self.cities[giver][card] -= 1
        if not self.cities[giver][card]:
            del self.cities[giver][card]

    def build(self, card: str) -> None:
        me = self.active
        self.phase = "end"
        if card in LANDMARKS:
            self.coins[me] -= LANDMARKS[card]
            self.built[me].add(card)
            if len(self.built[me]) == 4:
                self.winner, self.phase = me, "over"
            return
        self.coins[me] -= CARDS[card][0]
        self.cities[me][card] = self.cities[me].get(card, 0) + 1
        self.supply[card] -= 1
        if not self.supply[card]:
            del self.supply[card]
        self.refill()
