// Written by `make docs` from the game's own View; whoever changes that writes it anew.

export interface View {
  seat: number | null;
  options: Options;
  phase: "deal" | "draft" | "keep" | "over";
  round: number;
  pick: number;
  deck_size: number;
  players: [PlayerView, PlayerView];
  discards: (Discard)[];
  opponent_known: (string)[] | null;
}

export interface Options {
  allow_change?: boolean;
  nest_wins_zero_ties?: boolean;
  roof_counts_for_singles?: boolean;
}

export interface PlayerView {
  hand_size: number;
  hand: (string)[] | null;
  kingdom: (string)[];
  relics: (string)[];
  committed: boolean;
  choice: Play | Keep | null;
  scores: (number)[];
  breakdown: (Record<string, number>)[];
}

export interface Play {
  type: "play";
  card: "kings_nest" | "ancient_divide" | "eternal_palace" | "great_library_of_ahm" | "mana_well" | "citadel_of_the_prophets" | "golden_ziggurat" | "gods_baths" | "maze_of_the_damned" | "eye_of_the_north" | "jinn_shackles" | "old_mans_pass" | "blood_tear_spring" | "sky_pillars" | "vestibule" | "molehill" | "roof_of_the_world" | "sapphire_port";
}

export interface Keep {
  type: "keep";
  relic: "kings_nest" | "ancient_divide" | "eternal_palace" | "great_library_of_ahm" | "mana_well" | "citadel_of_the_prophets" | "golden_ziggurat" | "gods_baths" | "maze_of_the_damned" | "eye_of_the_north" | "jinn_shackles" | "old_mans_pass" | "blood_tear_spring" | "sky_pillars" | "vestibule" | "molehill" | "roof_of_the_world" | "sapphire_port";
  discard: "kings_nest" | "ancient_divide" | "eternal_palace" | "great_library_of_ahm" | "mana_well" | "citadel_of_the_prophets" | "golden_ziggurat" | "gods_baths" | "maze_of_the_damned" | "eye_of_the_north" | "jinn_shackles" | "old_mans_pass" | "blood_tear_spring" | "sky_pillars" | "vestibule" | "molehill" | "roof_of_the_world" | "sapphire_port";
}

export interface Discard {
  round: number;
  seat: number;
  card: string;
}
