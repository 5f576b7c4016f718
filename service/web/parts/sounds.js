// What is heard at a table: the most important of what has just happened, one tone a moment.
import { useEffect, useRef } from "../lib.js";
import { play } from "../sound.js";

/**
 * @param {any} match
 * @param {(view: any) => number[] | null} [scores]
 */
export function useSounds(match, scores) {
  const mine = match.you !== null && match.to_act.includes(match.you);
  const points = match.you === null || !match.view ? 0 : scores?.(match.view)?.[match.you] ?? 0;
  const before = useRef({ seq: match.seq, mine, points, status: match.status });
  useEffect(() => {
    const old = before.current;
    before.current = { seq: match.seq, mine, points, status: match.status };
    if (old.seq === match.seq || match.you === null) return;
    if (match.status === "finished" && old.status === "running") play("end");
    else if (points > old.points) play("points");
    else if (mine && !old.mine) play("turn");
    else if (old.mine) play("placed");
  }, [match.seq]);
}
