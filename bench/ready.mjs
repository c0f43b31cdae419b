// Asks a server whether it is ready until it says so.
import http from "node:http";
import https from "node:https";
import { setTimeout } from "node:timers/promises";

const INTERVAL_MS = 5;

/** Returns once `/readyz`, or another path, is answered with 200. Throws when that takes longer than a minute. */
export async function untilReady({ server, ca }, path = "/readyz") {
  const deadline = Date.now() + 60_000;
  while (!(await isReady(new URL(path, server), ca))) {
    if (Date.now() > deadline) throw new Error(`${server} was not ready within a minute`);
    await setTimeout(INTERVAL_MS);
  }
}

function isReady(url, ca) {
  const { get } = url.protocol === "https:" ? https : http;
  const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
  return new Promise((resolve) => {
    get(url, { agent: false, ...trust }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200));
    }).on("error", () => resolve(false));
  });
}
