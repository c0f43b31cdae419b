import type { AttemptScope } from "./attempt-scope.ts";
import { ConnectionError } from "./errors.ts";
import type { WireResponse } from "./wire.ts";

/** How one attempt at a request went. */
export type Outcome =
  | { readonly kind: "success"; readonly response: WireResponse; readonly scope: AttemptScope }
  | {
      readonly kind: "refused";
      readonly error: Error;
      readonly status: number;
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly kind: "broken"; readonly error: Error };

const CUT_CONNECTION_WAIT_MS = 1000;

/**
 * Returns how long to wait before the next attempt, or undefined when there shall be none.
 *
 * A server that names a time with 429 or 5xx did not act on the request, so any verb is repeated; a cut connection
 * leaves that open, so only reading is.
 */
export function retryDelayMs(method: string, outcome: Exclude<Outcome, { kind: "success" }>): number | undefined {
  if (outcome.kind === "broken") {
    const isCut = outcome.error instanceof ConnectionError && outcome.error.failure === "closed";
    return isCut && method === "GET" ? CUT_CONNECTION_WAIT_MS : undefined;
  }
  const isOverload = outcome.status === 429 || outcome.status >= 500;
  return isOverload && outcome.retryAfterSeconds !== undefined ? outcome.retryAfterSeconds * 1000 : undefined;
}
