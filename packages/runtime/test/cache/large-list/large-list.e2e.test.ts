import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { handledLater } from "@kubescaffold/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Message } from "./cache-pods.ts";
import { type PodServer, startPodServer } from "./pod-server.ts";

const COUNT = 10_000;
const LIVENESS_MS = 180_000;
// Ten times what is required of an idle machine.
const LONGEST_DELAY_MS = 2000;
const LONGEST_PROBE_MS = 5000;

type Synced = Extract<Message, { kind: "synced" }>;

describe("a cache of 10,000 Pods of 9 KB", () => {
  let server: PodServer;
  let synced: Synced;
  const probes: { readonly status: number; readonly ms: number }[] = [];

  beforeAll(async () => {
    server = await startPodServer(COUNT);
    synced = await run(server.url, async (port, isDone) => {
      while (!isDone()) {
        const start = performance.now();
        const { status } = await fetch(`http://127.0.0.1:${String(port)}/healthz`);
        probes.push({ status, ms: performance.now() - start });
      }
    });
  }, LIVENESS_MS);

  afterAll(() => server.stop());

  it("row 90: needs at most three times the size of their JSON, and four and a half times while it syncs", () => {
    expect(synced.count).toBe(COUNT);
    expect(server.bytes).toBeGreaterThan(COUNT * 8500);
    const { base, peak, settled } = synced.rss;
    expect((settled - base) / server.bytes).toBeLessThan(3);
    expect((peak - base) / server.bytes).toBeLessThan(4.5);
  });

  it("row 91: does not block the event loop while it syncs, and probes are answered", () => {
    expect(synced.delayP99Ms).toBeLessThan(LONGEST_DELAY_MS);
    expect(probes.length).toBeGreaterThan(0);
    expect(probes.filter(({ status, ms }) => status !== 200 || ms > LONGEST_PROBE_MS)).toEqual([]);
  });
});

/** Runs the program, and calls the probes while it syncs. */
async function run(url: string, probe: (port: number, isDone: () => boolean) => Promise<void>): Promise<Synced> {
  const program = fileURLToPath(new URL("cache-pods.ts", import.meta.url));
  const child = fork(program, [url], {
    execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source", "--expose-gc"],
  });
  let result: Synced | undefined;
  let probing = Promise.resolve();
  child.on("message", (message: Message) => {
    if (message.kind === "started") {
      probing = handledLater(probe(message.healthPort, () => result !== undefined).finally(() => child.disconnect()));
    } else result = message;
  });
  const status = await new Promise((resolve) => {
    child.on("exit", resolve);
  });
  if (result === undefined) throw new Error(`the program ended with status ${String(status)}`);
  await probing;
  return result;
}
