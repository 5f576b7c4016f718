// News of a match as they happen. A broken line shows, comes back by itself and misses nothing.
const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * @param {string} address of the stream, without `after`
 * @param {number} after the last event that is known
 * @param {{event: (seq: number) => void, chat: (said: any) => void, state: (state: "live" | "lost" | "over") => void}}
 *   on
 * @returns {() => void} ends it
 */
export function watch(address, after, on) {
  let source = /** @type {EventSource | null} */ (null);
  let timer = 0;
  let wait = FIRST_MS;
  let ended = false;

  const open = () => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}after=${after}`);
    source.onopen = () => {
      wait = FIRST_MS;
      on.state("live");
    };
    source.onmessage = (message) => {
      after = Math.max(after, Number(message.lastEventId));
      on.event(after);
    };
    source.addEventListener("chat", (message) => on.chat(JSON.parse(message.data)));
    source.onerror = retry;
  };
  // The browser gives up on some answers (a proxy's 502, say) and is slow on others: we do it ourselves.
  const retry = () => {
    source?.close();
    if (ended) return;
    on.state("lost");
    clearTimeout(timer);
    timer = window.setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_MS);
  };
  const lost = () => on.state("lost");
  const found = () => {
    wait = FIRST_MS;
    open();
  };
  window.addEventListener("offline", lost);
  window.addEventListener("online", found);
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source?.close();
    window.removeEventListener("offline", lost);
    window.removeEventListener("online", found);
  };
}
