import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { diskFailure } from "../../machinery/disk-failure.ts";
import { InterruptedError } from "../command/errors.ts";
import { endBySignal, ignoresHangup } from "../generating/interruption.ts";

/**
 * Runs a step to its end, also when the user or the system asks the process to end or its terminal is closed, so that what the step started is cleaned up.
 *
 * A signal calls `end`, which shortens the step. Fails: {@link InterruptedError} after a signal, and as the step.
 */
export async function uninterrupted<T>(step: () => Promise<T>, end: () => unknown = () => undefined): Promise<T> {
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    received = signal;
    if (signal === "SIGHUP" && !ignoresHangup()) process.once("exit", endBySignal);
    end();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const result = await step();
    if (received === undefined) return result;
  } catch (error) {
    if (received === undefined) throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
  throw new InterruptedError(received);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a step with a temporary folder, which is removed afterwards, also when the user or the system asks the process to end.
 *
 * The signal is aborted then, so that the step can stop early. Fails: `DiskError`, {@link InterruptedError} after a signal, and as the step.
 */
export async function withTemporaryFolder<T>(
  name: string,
  step: (folder: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const run = async (): Promise<T> => {
    const folder = await mkdtemp(path.join(tmpdir(), `${name}-`)).catch((error: unknown) => {
      throw diskFailure(error, { what: `create a temporary folder in ${tmpdir()}`, outcome: "nothing was changed" });
    });
    try {
      return await step(folder, interruption.signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return await uninterrupted(run, () => interruption.abort());
}
