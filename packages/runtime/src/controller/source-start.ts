import { onAbort } from "@kubescaffold/platform/clock";

import type { Source, SourceContext } from "../source/source.ts";
import { ControllerSyncTimeoutError } from "./errors.ts";

/**
 * Starts a source; resolves when the initial events are queued, or the context's signal aborts.
 *
 * Fails: {@link ControllerSyncTimeoutError} after the timeout, with the missing object; or with the failure of the source.
 */
export async function startSource<R>(start: {
  readonly source: Source<R>;
  readonly context: SourceContext<R>;
  readonly controller: string;
  readonly timeoutMs: number;
}): Promise<void> {
  const { source, context, controller, timeoutMs } = start;
  const limit = new AbortController();
  const forgetSignal = onAbort(context.signal, () => limit.abort(context.signal.reason));
  let isOverdue = false;
  const timer = context.clock.setTimeout(() => {
    isOverdue = true;
    limit.abort();
  }, timeoutMs);
  try {
    await Promise.race([sync(source, context, limit.signal), givenUp(limit.signal)]);
  } catch (error) {
    if (isOverdue) {
      const description = source.describe?.() ?? "a source";
      throw new ControllerSyncTimeoutError(controller, { source: description, timeoutMs, cause: error });
    }
    if (!context.signal.aborted) {
      throw error;
    }
  } finally {
    timer.cancel();
    forgetSignal();
  }
}

async function sync<R>(source: Source<R>, context: SourceContext<R>, signal: AbortSignal): Promise<void> {
  await source.start(context);
  await source.waitForSync?.(signal);
}

// Sources that observe the signal get one turn to reject with the missing object; others are abandoned.
async function givenUp(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    onAbort(signal, () => {
      setImmediate(() => reject(signal.reason as Error));
    });
  });
}
