// Written by `make docs` from the game's own View; whoever changes that writes it anew.

export interface View {
  options: Options;
  data: string;
  phase: "automaton" | "automaton_choice" | "first_road" | "over" | "placing" | "prepare" | "refill" | "turn";
  round: number;
  rounds: number;
  order: (number)[];
  active: number;
  loan_taken_this_turn: boolean;
  draws: number;
  awaits: (Await)[];
  buildings: (TileView)[];
  long_roads: number;
  short_roads: number;
  towers: number;
  pedestals: (number | null)[];
  monuments: (string | null)[];
  unseen_monuments: (string)[];
  goals: (string)[];
  unseen_solo_cards: (string)[];
  automaton_monuments: (string)[];
  target: number | null;
  discards: (string)[];
  asked: Asked | null;
  purchase: PurchaseView | null;
  cities: (CityView)[];
}

export interface Options {
  map_side?: "A" | "B";
  resource_side?: "A" | "B";
  advanced?: boolean;
  goal_rounding?: "nearest" | "up";
  solo_mode?: "easy" | "hard";
  start_order?: "random" | "seats";
  voluntary_leave?: boolean;
}

export interface Await {
  kind: "goal" | "map" | "monument" | "order" | "solo" | "tile";
  at?: number;
}

export interface TileView {
  stack: string;
  price: number;
  shape: (string)[];
  tile: string | null;
  kind: string;
  resources: Record<string, number>;
  unseen: (string)[];
}

export interface Asked {
  card: string;
  section: number;
  item: number;
  stacks: (string)[];
}

export interface PurchaseView {
  item: "building" | "long_road" | "monument" | "pedestal" | "short_roads" | "tower";
  pieces: (string)[];
  stack?: string;
  tile?: string;
  card?: string;
  cells?: ([number, number])[];
}

export interface CityView {
  map: string;
  rows: (string)[];
  objects: (ObjectView)[];
  spent: number;
  limit: number;
  coins: number;
  loan: boolean;
  loan_taken_this_round: boolean;
  resources: Record<string, number>;
  population: number;
  monuments: (string)[];
  first_road_placed: boolean;
  out: boolean;
  score: (Line)[];
  lacking: ((string)[])[];
}

export interface ObjectView {
  object: "building" | "monument" | "road" | "tower";
  cells: ([number, number])[];
  kind?: string;
  tile?: string;
  card?: string;
}

export interface Line {
  what: string;
  points: number;
  rule?: string;
}
