// Written by `make docs` from the game's own View; whoever changes that writes it anew.

export interface View {
  seat: number | null;
  options: Options;
  phase: "build" | "deal" | "open" | "over";
  round: number;
  rounds: number;
  chief: number;
  to_act: number | null;
  site: (Offer)[];
  stacks_left: number;
  unseen: (number)[];
  unseen_hexes: Record<string, number>;
  players: (PlayerView)[];
  architect: ArchitectView | null;
}

export interface Options {
  long_game?: boolean;
  first_seat?: number | null;
  variant_houses?: boolean;
  variant_markets?: boolean;
  variant_barracks?: boolean;
  variant_temples?: boolean;
  variant_gardens?: boolean;
  solo_level?: "callicrates" | "hippodamos" | "metagenes" | null;
}

export interface Offer {
  price: number;
  tile: number;
  hexes: [string, string, string];
}

export interface PlayerView {
  stones: number;
  city: City;
  cells: (Cell)[];
  score: Score;
}

export interface City {
  builds?: (Placed)[];
}

export interface Placed {
  tile: number;
  q: number;
  r: number;
  rotation: number;
  level: number;
}

export interface Cell {
  q: number;
  r: number;
  level: number;
  hex: string;
  tile: number;
}

export interface Score {
  districts: Record<string, District>;
  stones: number;
  total: number;
  quarries?: number;
}

export interface District {
  value: number;
  stars: number;
  points: number;
}

export interface ArchitectView {
  stones: number;
  tiles: (number)[];
  score: Score;
}
