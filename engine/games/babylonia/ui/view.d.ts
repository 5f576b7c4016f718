// Written by `make docs` from the game's own View; whoever changes that writes it anew.

export interface View {
  seat: number | null;
  options: Options;
  phase: "extra_turn" | "over" | "place" | "refill" | "resolve" | "setup" | "take_card";
  turn_of: number;
  turn_number: number;
  draws: number;
  players: (PlayerView)[];
  tiles: (TileView)[];
  ziggurats: ([number, number])[];
  resolved: ([number, number])[];
  offer: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9)[];
  discarded: ("city_p" | "city_s" | "city_m" | "city_sp" | "city_ms" | "city_mp" | "city_msp" | "field_5" | "field_6" | "field_7" | "field_city")[];
  placed: (TokenView)[];
  pending: ([number, number])[];
  chooser: number | null;
  ziggurat: [number, number] | null;
}

export interface Options {
  first_player?: number | "random";
  ziggurat_cards?: "basic" | "random7";
  resolve_order?: "auto" | "choose";
  river_tokens_open_fields?: boolean;
}

export interface PlayerView {
  score: number;
  points: Record<string, number>;
  city_tiles: ("city_p" | "city_s" | "city_m" | "city_sp" | "city_ms" | "city_mp" | "city_msp" | "field_5" | "field_6" | "field_7" | "field_city")[];
  cards: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9)[];
  spent: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9)[];
  face_up: FaceUp;
  face_down: ([number, number])[];
  stand_size: number;
  supply_size: number;
  face_down_kinds: ("priest" | "servant" | "merchant" | "farmer")[] | null;
  stand: ("priest" | "servant" | "merchant" | "farmer")[] | null;
  supply: Record<string, number> | null;
}

export interface FaceUp {
  priest: ([number, number])[];
  servant: ([number, number])[];
  merchant: ([number, number])[];
  farmer: ([number, number])[];
}

export interface TileView {
  hex: [number, number];
  tile: "city_p" | "city_s" | "city_m" | "city_sp" | "city_ms" | "city_mp" | "city_msp" | "field_5" | "field_6" | "field_7" | "field_city";
}

export interface TokenView {
  hex: [number, number];
  token: "priest" | "servant" | "merchant" | "farmer" | null;
}
