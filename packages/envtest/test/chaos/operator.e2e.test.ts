import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { afterAll, describe, expect, it } from "vitest";

import { figuresOf } from "./operator/figures.ts";
import { runSeed, type SeedOutcome } from "./operator/run-seed.ts";

const SEEDS = Number(process.env["KUBESCAFFOLD_CHAOS_SEEDS"] ?? "3");
const SECONDS = Number(process.env["KUBESCAFFOLD_CHAOS_SECONDS"] ?? "1");
const FIRST_SEED = Number(process.env["KUBESCAFFOLD_CHAOS_SEED"] ?? "1");
const SEEDS_OF_MEMORY_TEST = 20;
const LARGEST_GROWTH = 0.05;

const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index);
const outcomes: SeedOutcome[] = [];

describe("two managers behind a faulty network", () => {
  it.each(seeds)(
    "row 96: seed %i: every change is reconciled, caches equal the server, one manager leads, and all stop",
    { timeout: SECONDS * 1000 + 120_000 },
    async (seed) => {
      const outcome = await runSeed(seed, SECONDS);
      outcomes.push(outcome);
      const command = `npm run chaos -- --seed ${String(seed)} --seeds 1 --seconds ${String(SECONDS)}`;
      expect(outcome.violations, `reproduce with: ${command}`).toEqual([]);
    },
  );

  it("the process exits by itself", { timeout: 120_000 }, async () => {
    const program = fileURLToPath(new URL("operator/run-and-exit.ts", import.meta.url));
    const child = fork(program, [String(FIRST_SEED)], {
      execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    let violations: unknown;
    child.on("message", (message) => {
      violations = message;
    });
    const status = await new Promise((resolve) => {
      child.on("exit", resolve);
    });
    expect({ status, errors, violations }).toEqual({ status: 0, errors: "", violations: [] });
  });

  it.each(SEEDS < SEEDS_OF_MEMORY_TEST ? [] : [SEEDS])(
    "memory does not grow in the last half of the seeds (%i)",
    () => {
      const heap = outcomes.map(({ heapBytes }) => heapBytes);
      const quarter = Math.floor(heap.length / 4);
      // Modules are loaded and optimized in the first half; code that V8 optimizes later is part of the heap, too.
      const before = median(heap.slice(-2 * quarter, -quarter));
      expect(median(heap.slice(-quarter)) / before - 1).toBeLessThan(LARGEST_GROWTH);
    },
  );
});

afterAll(() => {
  if (process.env["KUBESCAFFOLD_CHAOS_SEEDS"] !== undefined) process.stdout.write(figuresOf(outcomes, SECONDS));
});

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
