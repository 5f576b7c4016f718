// Reads one case a line (the log in base64, keys, draws) and answers one report a line, by the page's own verifier.
import { createInterface } from "node:readline";
import { verify } from "./verify/index.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { log, keys, draws } = JSON.parse(line);
  console.log(JSON.stringify(await verify(new Uint8Array(Buffer.from(log, "base64")), keys, draws)));
}
