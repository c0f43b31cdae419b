import { setTimeout as delay } from "node:timers/promises";

import { isInternalError, messageOf } from "@kubescaffold/k8s";

const POLL_MS = 100;

/**
 * Sends a request, and repeats it while no process listens at the address of one of its webhooks, as after a crash of the operator. Fails: the error of the last
 * attempt after `timeoutMs`, and any other error at once. A failed attempt may have been stored: the conversion of the answer can fail. `send` gets the number of
 * the attempt; 1 is the first.
 */
export async function retryWhileUnserved<T>(
  send: (attempt: number) => Promise<T>,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      if (!isUnserved(error) || performance.now() > deadline) throw error;
      await delay(POLL_MS);
    }
  }
}

// A killed process may close a connection after it has received the request.
function isUnserved(error: unknown): boolean {
  const message = messageOf(error);
  return (
    isInternalError(error) &&
    /failed calling webhook|conversion webhook for/u.test(message) &&
    /connection refused|connection reset|EOF|socket hang up/u.test(message)
  );
}
