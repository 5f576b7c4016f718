// Every card as a night scene in ink and gold: a silhouette (a), its lit side (b), one accent (c) under a moon.
import { html } from "/static/lib.js";

/** @type {Record<string, [string, string][]>} drawn in 0..60 by 0..34, ground at 34 */
const ART = {
  kings_nest: [["a", "M18 34 24 16 30 8 36 16 42 34z"], ["b", "M30 8 36 16 42 34H33z"], ["c", "M25 14 27 8 30 12 33 8 35 14z"]],
  ancient_divide: [["a", "M0 34V14L10 8 22 18 26 34zM60 34V12L50 8 40 20 36 34z"], ["b", "M10 8 22 18 26 34H18zM50 8 60 12V34H52z"], ["c", "M22 18Q31 24 40 20L39.6 21.6Q31 26 22.4 20z"]],
  eternal_palace: [["a", "M10 34V22H18V14H24V8Q30 0 36 8V14H42V22H50V34z"], ["b", "M36 8V34H42V22H50V34H30V4Q34 4 36 8z"], ["c", "M28 34V26A2 2 0 0 1 32 26V34zM29.4 2H30.6V-1H29.4z"]],
  great_library_of_ahm: [["a", "M8 34V18L30 8 52 18V34z"], ["b", "M30 8 52 18V34H44V20L30 14z"], ["c", "M14 32V21H17V32zM21 32V21H24V32zM36 32V21H39V32zM43 32V21H46V32z"]],
  mana_well: [["a", "M18 34V26H42V34z"], ["b", "M36 26H42V34H36z"], ["c", "M30 6Q36 16 33 24H27Q24 16 30 6z"], ["b", "M16 24H44V27H16z"]],
  citadel_of_the_prophets: [["a", "M12 34 16 20H22L26 6 30 2 34 6 38 20H44L48 34z"], ["b", "M30 2 34 6 38 20H44L48 34H36z"], ["c", "M28 14A2 2 0 1 1 32 14 2 2 0 1 1 28 14z"]],
  golden_ziggurat: [["c", "M6 34V28H14V22H20V16H25V10H35V16H40V22H46V28H54V34z"], ["b", "M35 10V34H30V10zM40 16V34H37V16zM46 22V34H43V22z"], ["a", "M27 34V10H33V34z"]],
  gods_baths: [["a", "M6 34V16H10V26H50V16H54V34z"], ["c", "M10 26Q15 23 20 26T30 26 40 26 50 26V32H10z"], ["b", "M8 16Q8 8 16 8 30 2 44 8 52 8 52 16L50 16Q50 11 44 11 30 6 16 11 10 11 10 16z"]],
  maze_of_the_damned: [["a", "M6 34V14H54V34H48V20H12V34zM18 34V24H42V34H36V29H24V34z"], ["b", "M48 14H54V34H48zM36 24H42V34H36z"], ["c", "M28 34A2 2 0 1 1 32 34z"]],
  eye_of_the_north: [["a", "M4 34 20 12 30 20 42 6 58 34z"], ["b", "M42 6 58 34H44L38 14z"], ["c", "M20 22Q30 12 40 22 30 32 20 22zM27 22A3 3 0 1 0 33 22 3 3 0 1 0 27 22z"]],
  jinn_shackles: [["a", "M8 34V28H52V34z"], ["c", "M22 26Q18 12 30 6 42 12 38 26 30 20 22 26z"], ["b", "M12 22A4 4 0 1 1 20 22 4 4 0 1 1 12 22zM14 22A2 2 0 1 0 18 22 2 2 0 1 0 14 22zM40 22A4 4 0 1 1 48 22 4 4 0 1 1 40 22zM42 22A2 2 0 1 0 46 22 2 2 0 1 0 42 22z"]],
  old_mans_pass: [["a", "M0 34 14 4 27 30 33 30 46 4 60 34z"], ["b", "M14 4 27 30 24 34zM46 4 60 34H52z"], ["c", "M28 34 29 28H31L32 34z"]],
  blood_tear_spring: [["a", "M4 34Q8 18 20 18L24 10 36 10 40 18Q52 18 56 34z"], ["b", "M36 10 40 18Q52 18 56 34H46Q44 22 34 20z"], ["c", "M30 12Q35 20 34 26 32 31 30 31 28 31 26 26 25 20 30 12z"]],
  sky_pillars: [["a", "M12 34V6H18V34zM27 34V0H33V34zM42 34V6H48V34z"], ["b", "M16 6H18V34H16zM31 0H33V34H31zM46 6H48V34H46z"], ["c", "M9 6H21V3H9zM24 1H36V-2H24zM39 6H51V3H39z"]],
  vestibule: [["a", "M8 34V10H52V34H42V22A12 12 0 0 0 18 22V34z"], ["b", "M42 10H52V34H46V20Z"], ["c", "M28 34V24A2 2 0 0 1 32 24V34zM8 10H52V7H8z"]],
  molehill: [["a", "M4 34Q14 14 30 14T56 34z"], ["b", "M30 14Q46 14 56 34H44Q40 20 30 14z"], ["c", "M26 34V29A4 4 0 0 1 34 29V34z"]],
  roof_of_the_world: [["a", "M0 34 16 14 24 22 36 2 60 34z"], ["b", "M36 2 60 34H46L38 14z"], ["c", "M36 2 42 10 38 9 35 12 32 9z"]],
  sapphire_port: [["c", "M0 28Q8 25 15 28T30 28 45 28 60 28V34H0z"], ["a", "M14 27H46L41 32H19z"], ["b", "M29 4H31V27H29zM32 6 46 22H32zM28 8V22H16z"]],
};

const STARS = "M6 5h1v1h-1zM14 9h.8v.8h-.8zM50 5h1v1h-1zM44 12h.8v.8h-.8zM24 4h.8v.8h-.8zM55 14h.8v.8h-.8zM4 16h.8v.8h-.8z";

/** @param {{id: string}} props */
export const Scene = ({ id }) => html`<svg class="tt-scene" viewBox="0 -3 60 37" preserveAspectRatio="xMidYMax slice"
  aria-hidden="true">
  <rect class="sky" x="-20" y="-20" width="100" height="60" /><path class="stars" d=${STARS} /><circle class="moon"
    cx="48" cy="6" r="4" />
  <path class="hills" d="M-20 34V27Q6 21 24 27T80 25V34z" />${(ART[id] || []).map(([tone, d]) => html`<path
    class=${tone} fill-rule="evenodd" d=${d} />`)}</svg>`;
