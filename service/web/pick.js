// Choosing an action by parts. The page knows no rules: it only narrows the list that the server sent.

/**
 * @typedef {Record<string, any>} Action
 * @typedef {{action: Action, label: string}} Offer
 */

/** Whether two values of a field are the same: numbers, strings, short lists. @param {any} a @param {any} b */
export const same = (a, b) => a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));

/** Whether an action agrees with everything chosen so far. @param {Action} action @param {Action} pick */
export const agrees = (action, pick) => Object.entries(pick).every(([field, value]) => same(action[field], value));

/** @param {Action[]} legal @param {string[]} labels @param {Action} pick @returns {Offer[]} */
export function offers(legal, labels, pick) {
  /** @type {Offer[]} */
  const found = [];
  legal.forEach((action, n) => {
    if (agrees(action, pick)) found.push({ action, label: labels[n] || JSON.stringify(action) });
  });
  return found;
}

/**
 * The different values of a field among these actions, in their order.
 * @param {Action[]} actions
 * @param {string} field
 */
export function valuesOf(actions, field) {
  const found = new Map();
  for (const action of actions) if (field in action) found.set(JSON.stringify(action[field]), action[field]);
  return [...found.values()];
}

/**
 * The next field that still makes a difference.
 * @param {Action[]} actions
 * @param {Action} pick
 * @returns {string | null}
 */
export function nextField(actions, pick) {
  const fields = new Set(actions.flatMap((action) => Object.keys(action)));
  for (const field of fields) {
    if (!(field in pick) && valuesOf(actions, field).length > 1) return field;
  }
  return null;
}

/**
 * A choice that is still possible after the match moved on; what does not fit any more is dropped.
 * @param {Action[]} legal
 * @param {Action} pick
 */
export function still(legal, pick) {
  return legal.some((action) => agrees(action, pick)) ? pick : {};
}
