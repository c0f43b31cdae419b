import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { diskFailure } from "../../machinery/disk-failure.ts";
import { InterruptedError } from "../errors.ts";

/**
 * Runs a step to its end, also when the user or the system asks the process to end, so that what the step started is cleaned up.
 *
 * A signal calls `end`, which shortens the step. Fails: {@link InterruptedError} after a signal, and as the step.
 */
export async function uninterrupted<T>(step: () => Promise<T>, end: () => unknown = () => undefined): Promise<T> {
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    received = signal;
    end();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    const result = await step();
    if (received === undefined) return result;
  } catch (error) {
    if (received === undefined) throw error;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
  throw new InterruptedError(received);
}

/**
 * Runs a step with a temporary folder, which is removed afterwards, also when the user or the system asks the process to end.
 *
 * Fails: `DiskError`, {@link InterruptedError} after a signal, and as the step.
 */
export async function withTemporaryFolder<T>(name: string, step: (folder: string) => Promise<T>): Promise<T> {
  return await uninterrupted(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), `${name}-`)).catch((error: unknown) => {
      throw diskFailure(error, { what: `create a temporary folder in ${tmpdir()}`, outcome: "nothing was changed" });
    });
    try {
      return await step(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
