// Written by `make docs` from the game's own View; whoever changes that writes it anew.

export interface View {
  seat: number | null;
  options: Options;
  phase: "build" | "business_center" | "deck" | "first" | "one_die" | "over" | "reroll" | "roll" | "tv_station" | "two_dice";
  active: number;
  turn: number;
  dice: (number)[];
  rerolled: boolean;
  extra_turn: boolean;
  players: (PlayerView)[];
  supply: Record<string, number>;
  deck: Record<string, number>;
  deck_size: number;
  winner: number | null;
}

export interface Options {
  supply?: "full" | "ten";
  copy_limit?: 2 | null;
  first_seat?: number | null;
}

export interface PlayerView {
  coins: number;
  cards: Record<string, number>;
  landmarks: (string)[];
}
