import { Worker } from "node:worker_threads";

import type { Finding } from "./check-input.ts";
import type { WorkerOrder, WorkerReport } from "./fuzz-worker.ts";

/** An input that fails, made as short as it could be. */
export interface FoundInput {
  readonly input: string;
  readonly finding: Finding;
}

/** What came of fuzzing one target. */
export interface TargetResult {
  readonly executions: number;
  readonly covered: number;
  readonly corpus: number;
  readonly found: readonly FoundInput[];
}

/** How a target is fuzzed. */
export interface TargetRun {
  readonly bundle: string;
  readonly counters: number;
  readonly seed: number;
  readonly forMs: number;
}

// A worker reports at least twice a second; minimizing a slow input takes longer.
const SILENCE_MS = 20_000;
const RUNNING_BYTES = 1024 * 1024;

/** Fuzzes a bundled target in a worker; an input that does not come to an end is a finding, and ends the run of the target. */
export async function runTarget({ bundle, counters, seed, forMs }: TargetRun): Promise<TargetResult> {
  const running = new SharedArrayBuffer(RUNNING_BYTES);
  const order: WorkerOrder = { seed, counters, forMs, running };
  const worker = new Worker(bundle, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: 1024 } });
  const found: FoundInput[] = [];
  let totals = { executions: 0, covered: 0, corpus: 0 };
  await new Promise<void>((resolve) => {
    const stop = (finding: Finding | undefined): void => {
      if (finding !== undefined) found.push({ input: runningInput(running), finding });
      clearTimeout(watch);
      void worker.terminate().then(() => resolve());
    };
    const hang = (): void => stop({ signature: "hang", message: `did not end within ${String(SILENCE_MS / 1000)} s` });
    let watch = setTimeout(hang, SILENCE_MS);
    worker.on("message", (report: WorkerReport) => {
      clearTimeout(watch);
      watch = setTimeout(hang, SILENCE_MS);
      if (report.kind === "finding") found.push({ input: report.input, finding: report.finding });
      else totals = { executions: report.executions, covered: report.covered, corpus: report.corpus };
      if (report.kind === "done") stop(undefined);
    });
    worker.on("error", (error) =>
      stop({ signature: `crash: ${error.message}`, message: error.stack ?? error.message }),
    );
  });
  return { ...totals, found };
}

function runningInput(running: SharedArrayBuffer): string {
  const length = new Uint32Array(running, 0, 1)[0] ?? 0;
  return Buffer.from(new Uint8Array(running, 4, length)).toString("utf8");
}
