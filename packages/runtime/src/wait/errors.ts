import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a condition was not met before the timeout, or within the steps of a backoff.
 *
 * Fix: Increase the timeout or the steps, or check why the condition is not met.
 *
 * apimachinery: pkg/util/wait.ErrWaitTimeout
 */
export class WaitTimeoutError extends ScaffoldError {
  readonly code = "WAIT_TIMEOUT";

  constructor(limit: string) {
    super(`timed out waiting for the condition: ${limit}`, {
      hint: "increase the limit, or check why the condition is not met",
    });
  }
}

/**
 * Reports whether a wait ended because of its timeout, its steps, or its signal, and not because the condition failed.
 *
 * Pass the signal of the wait if it can abort with a reason other than `AbortError` or `TimeoutError`.
 *
 * apimachinery: pkg/util/wait.Interrupted
 */
export function interrupted(error: unknown, signal?: AbortSignal): boolean {
  if (error instanceof WaitTimeoutError) {
    return true;
  }
  if (signal?.aborted === true && error === signal.reason) {
    return true;
  }
  return error instanceof DOMException && (error.name === "AbortError" || error.name === "TimeoutError");
}
