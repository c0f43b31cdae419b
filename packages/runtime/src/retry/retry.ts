import { isConflict } from "@kubescaffold/k8s";

import type { Backoff } from "../wait/backoff.ts";
import { WaitTimeoutError } from "../wait/errors.ts";
import type { Condition } from "../wait/loop.ts";
import { type BackoffWaitOptions, exponentialBackoffWithContext } from "../wait/poll.ts";

/**
 * The backoff for conflicts between clients that change the same object.
 *
 * client-go: util/retry.DefaultRetry
 */
export const defaultRetry: Backoff = { steps: 5, durationMs: 10, factor: 1, jitter: 0.1 };

/**
 * The backoff for conflicts with controllers that actively manage the object.
 *
 * client-go: util/retry.DefaultBackoff
 */
export const defaultBackoff: Backoff = { steps: 4, durationMs: 10, factor: 5, jitter: 0.1 };

/**
 * Runs a function until it succeeds, with the delays of a backoff, as long as its errors are retriable. Returns its result.
 *
 * Fails: with the first error that is not retriable, with the last error when the steps are used up, or with the signal's reason.
 *
 * client-go: util/retry.OnError
 */
export async function onError<T>(
  backoff: Backoff,
  isRetriable: (error: unknown) => boolean,
  run: (signal: AbortSignal) => T | Promise<T>,
  options: BackoffWaitOptions = {},
): Promise<T> {
  const last: { attempt?: Attempt<T> } = {};
  const condition: Condition = async (signal) => {
    const attempt = await attemptOf(run, signal);
    last.attempt = attempt;
    return attempt.kind === "success" || !isRetriable(attempt.error);
  };
  await exponentialBackoffWithContext(backoff, condition, options).catch((error: unknown) => {
    // The last error of the function is more useful than the statement that the steps are used up.
    if (last.attempt === undefined || !(error instanceof WaitTimeoutError)) {
      throw error;
    }
  });
  if (last.attempt?.kind !== "success") {
    throw last.attempt?.error;
  }
  return last.attempt.value;
}

type Attempt<T> =
  | { readonly kind: "success"; readonly value: T }
  | { readonly kind: "failure"; readonly error: unknown };

async function attemptOf<T>(run: (signal: AbortSignal) => T | Promise<T>, signal: AbortSignal): Promise<Attempt<T>> {
  try {
    return { kind: "success", value: await run(signal) };
  } catch (error) {
    return { kind: "failure", error };
  }
}

/**
 * Runs a function until it causes no update conflict. The function reads the object, changes it, and updates it.
 *
 * Fails: with the first other error, with the last conflict when the steps are used up, or with the signal's reason.
 *
 * client-go: util/retry.RetryOnConflict
 *
 * @example
 * await retry.retryOnConflict(retry.defaultRetry, async () => {
 *   const current = await client.get(Guestbook, key);
 *   return await client.update({ ...current, spec: { ...current.spec, size: 3 } });
 * });
 */
export async function retryOnConflict<T>(
  backoff: Backoff,
  run: (signal: AbortSignal) => T | Promise<T>,
  options: BackoffWaitOptions = {},
): Promise<T> {
  return await onError(backoff, isConflict, run, options);
}
