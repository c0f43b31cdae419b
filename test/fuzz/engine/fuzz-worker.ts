import { parentPort, workerData } from "node:worker_threads";

import { checkInput, type Finding } from "./check-input.ts";
import { createCorpus } from "./corpus.ts";
import { COUNTERS } from "./counters.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { minimize } from "./minimize.ts";
import { mutateJson } from "./mutate-json.ts";
import { mutateText } from "./mutate-text.ts";
import { createRandom } from "./random.ts";

/** What a worker is started with. */
export interface WorkerOrder {
  readonly seed: number;
  readonly counters: number;
  readonly forMs: number;
  /** The input that runs, for whoever has to stop the worker: its length in bytes, then its bytes. */
  readonly running: SharedArrayBuffer;
}

/** What a worker reports at its end, and for each finding. */
export type WorkerReport =
  | { readonly kind: "finding"; readonly input: string; readonly finding: Finding }
  | {
      readonly kind: "progress" | "done";
      readonly executions: number;
      readonly covered: number;
      readonly corpus: number;
    };

const PROGRESS_MS = 500;

/** Fuzzes a target in a worker until its time is over. */
export function serveFuzzer(target: FuzzTarget): void {
  void fuzz(target, workerData as WorkerOrder);
}

async function fuzz(target: FuzzTarget, { seed, counters, forMs, running }: WorkerOrder): Promise<void> {
  const hits = new Uint8Array(counters);
  Object.assign(globalThis, { [COUNTERS]: hits });
  const random = createRandom(seed);
  const corpus = createCorpus(counters);
  const known = new Set<string>();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is the port of a worker
  const report = (message: WorkerReport): void => parentPort?.postMessage(message);
  let executions = 0;
  let lastProgress = Date.now();
  const attempt = async (input: string): Promise<Finding | undefined> => {
    noteRunning(running, input);
    executions++;
    hits.fill(0);
    return checkInput(target, input);
  };
  const totals = () => ({ executions, covered: corpus.covered(), corpus: corpus.size() });
  const tryInput = async (input: string): Promise<void> => {
    const finding = await attempt(input);
    if (finding === undefined) corpus.consider(input, hits);
    else if (!known.has(finding.signature)) {
      known.add(finding.signature);
      const smallest = await minimize(
        input,
        target.kind,
        async (each) => (await attempt(each))?.signature === finding.signature,
      );
      report({ kind: "finding", input: smallest, finding: (await attempt(smallest)) ?? finding });
    }
  };
  const untilMs = Date.now() + forMs;
  for (const input of target.seeds) await tryInput(input);
  const mutate = target.kind === "json" ? mutateJson : mutateText;
  while (Date.now() < untilMs) {
    const material = { dictionary: target.dictionary, other: corpus.choose(random) ?? "", random };
    await tryInput(mutate(corpus.choose(random) ?? "", material));
    if (Date.now() - lastProgress > PROGRESS_MS) {
      lastProgress = Date.now();
      report({ kind: "progress", ...totals() });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  report({ kind: "done", ...totals() });
}

function noteRunning(running: SharedArrayBuffer, input: string): void {
  const { written } = new TextEncoder().encodeInto(input, new Uint8Array(running, 4));
  new Uint32Array(running, 0, 1)[0] = written;
}
