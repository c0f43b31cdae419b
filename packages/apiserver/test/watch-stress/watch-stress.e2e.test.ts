import { describe, expect, it } from "vitest";

import { runStress } from "./run-stress.ts";

// A run of the test suite; `npm run stress:watches` states larger ones.
const WRITES = Number(process.env["WATCH_STRESS_WRITES"] ?? 60);
const WRITERS = Number(process.env["WATCH_STRESS_WRITERS"] ?? 6);
const WATCHERS = Number(process.env["WATCH_STRESS_WATCHERS"] ?? 30);
const SEED = Number(process.env["WATCH_STRESS_SEED"] ?? 1);
const TIMEOUT_MS = process.env["WATCH_STRESS_WRITES"] === undefined ? 60_000 : 24 * 60 * 60 * 1000;

describe("watches beside many writers", () => {
  it.each(["in-process", "http"] as const)(
    "send every watcher the changes of the store, none lost, repeated, or out of order (%s)",
    { timeout: TIMEOUT_MS },
    async (transport) => {
      const size = { seed: SEED, writers: WRITERS, writes: WRITES, watchers: WATCHERS };
      const { problems, changes, events } = await runStress(size, transport);
      expect(problems).toEqual([]);
      // Most writes change something, and most watchers see many of the changes.
      expect(changes).toBeGreaterThan((WRITERS * WRITES) / 4);
      expect(events).toBeGreaterThan(changes);
    },
  );
});
