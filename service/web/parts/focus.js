// A keyboard keeps its place: when what had the focus is gone, the board takes it, and Tab goes on from there.
import { useEffect, useRef } from "../lib.js";

/** What an element with a board in it needs for that. */
export function useFocusKept() {
  const area = useRef(/** @type {any} */ (null));
  const held = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (!held.current || held.current.isConnected || document.activeElement !== document.body) return;
    held.current = null;
    area.current?.querySelector(".board")?.focus({ preventScroll: true });
  });
  return { ref: area, onFocusCapture: (/** @type {FocusEvent} */ event) => void (held.current = event.target) };
}
