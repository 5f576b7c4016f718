// A remote bot in JavaScript (Node 18 or later, no dependency), over the stream.
//
//   TURNLOG_BOT_TOKEN=… node bot.js http://127.0.0.1:8000
//
// It plays a random legal action. Put your own idea into choose().
"use strict";

const url = process.argv[2] || "http://127.0.0.1:8000";
const token = process.env.TURNLOG_BOT_TOKEN || "";
const headers = { Authorization: `Bearer ${token}` };
const answered = new Set(); // keys of turns: the same turn may be delivered more than once
const SETTLED = ["stale_seq", "not_your_turn", "command_reused", "not_found", "away", "game_over"];

function choose(turn) {
  return turn.legal[Math.floor(Math.random() * turn.legal.length)];
}

const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

async function answer(turn) {
  const key = `turn:${turn.match}:${turn.seat}:${turn.seq}`;
  if (answered.has(key)) return;
  answered.add(key);
  const body = JSON.stringify({ seq: turn.seq, action: choose(turn) });
  for (let wait = 0.5; wait < 60; wait *= 2) {
    try {
      const reply = await fetch(`${url}/api/matches/${turn.match}/actions`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json", "Idempotency-Key": key },
        body,
      });
      const said = await reply.json().catch(() => ({}));
      if (reply.ok || SETTLED.includes(said.code) || SETTLED.includes(said.reason)) return;
      if (reply.status < 500 && reply.status !== 429) {
        console.error(`match ${turn.match} at ${turn.seq} was refused:`, reply.status, said);
        break;
      }
    } catch (problem) {
      console.error(String(problem)); // sending it again does no harm: the key says that it is the same answer
    }
    await sleep(wait);
  }
  answered.delete(key); // not heard: take it when it is delivered again
}

async function comeBack(away) {
  const path = `${url}/api/matches/${away.match}/seats/${away.seat}`;
  const body = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: "{}" };
  await fetch(path, body).catch((problem) => console.error(String(problem))); // told again while it is away
}

async function listen() {
  const alive = new AbortController();
  const quiet = () => alive.abort(new Error("the stream went quiet"));
  let watchdog = setTimeout(quiet, 20000); // an empty line comes every 7 s
  try {
    const reply = await fetch(`${url}/api/bot/stream`, { headers, signal: alive.signal });
    if (reply.status === 401 || reply.status === 403) {
      console.error("the service refuses this token");
      process.exit(1);
    }
    if (!reply.ok) throw new Error(`the stream answered ${reply.status}`);
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of reply.body) {
      clearTimeout(watchdog);
      watchdog = setTimeout(quiet, 20000);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop();
      for (const line of lines.filter((text) => text.trim())) {
        const message = JSON.parse(line);
        if ((message.kind || "turn") === "turn") answer(message);
        if (message.kind === "away") comeBack(message);
      }
      listen.wait = 0.5;
    }
  } finally {
    clearTimeout(watchdog);
  }
}

async function main() {
  listen.wait = 0.5;
  for (;;) {
    await listen().catch((problem) => console.error(String(problem)));
    await sleep(listen.wait * (0.5 + Math.random() / 2));
    listen.wait = Math.min(30, 2 * listen.wait);
  }
}

main();
