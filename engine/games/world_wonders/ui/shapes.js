// Patterns of pieces: turning them, and where they lie.

/** @typedef {[number, number]} Cell */

/** A pattern after clockwise quarter turns (WW-15). @param {string[]} pattern @param {number} rot */
export function turned(pattern, rot) {
  let now = pattern;
  for (let n = 0; n < rot; n++) now = [...now[0]].map((_, c) => [...now].reverse().map((row) => row[c]).join(""));
  return now;
}

/**
 * The cells that a pattern covers from its corner; gaps and blanks are not covered.
 * @param {string[]} pattern
 * @returns {Cell[]}
 */
export const filled = (pattern) => pattern.flatMap((row, y) => [...row].flatMap((mark, x) => ("#LWA".includes(mark)
  ? [/** @type {Cell} */ ([x, y])] : [])));

/**
 * The pattern of a piece that is being placed.
 * @param {any} view
 * @param {any} data
 * @param {string} piece
 * @returns {string[]}
 */
export function patternOf(view, data, piece) {
  if (piece === "long_road") return data.roads.long.pattern;
  if (piece === "short2") return ["##"];
  if (piece === "short1" || piece === "tower") return ["#"];
  if (piece === "building") return view.buildings.find((/** @type {any} */ tile) =>
    tile.stack === view.purchase?.stack)?.shape || ["#"];
  const card = data.monuments.find((/** @type {any} */ one) => one.id === view.purchase?.card);
  return (piece === "monument" ? card?.pattern : card?.parts[Number(piece.slice(4)) - 1]) || ["#"];
}

/** Where a placement's cells lie. @param {any} view @param {any} data @param {any} action @returns {Cell[]} */
export const covered = (view, data, action) => filled(turned(patternOf(view, data, action.piece), action.rot)).map(([x,
  y]) => [x + action.x, y + action.y]);

/** The outline of cells as a path: the edges that no second cell shares. @param {Cell[]} cells @param {number} size */
export function border(cells, size) {
  const inside = new Set(cells.map(([x, y]) => `${x},${y}`));
  return cells.map(([x, y]) => {
    const [l, t, r, b] = [x * size, y * size, (x + 1) * size, (y + 1) * size];
    return (inside.has(`${x},${y - 1}`) ? "" : `M${l} ${t}H${r}`) + (inside.has(`${x},${y + 1}`) ? ""
      : `M${l} ${b}H${r}`)
      + (inside.has(`${x - 1},${y}`) ? "" : `M${l} ${t}V${b}`) + (inside.has(`${x + 1},${y}`) ? "" : `M${r} ${t}V${b}`);
  }).join("");
}
