import { AsyncLocalStorage } from "node:async_hooks";

import type { Logger } from "./logger.ts";

/** The signal and logger of the reconcile that a call belongs to. */
export interface CallScope {
  /** Ends calls that have no other signal when it aborts. */
  readonly signal: AbortSignal;
  /** Logs the messages about calls, such as the server's warnings. */
  readonly log: Logger;
}

const scopes = new AsyncLocalStorage<CallScope | undefined>();

/** Runs a function; all calls of clients and caches in it, including asynchronous ones, belong to the scope. */
export function withCallScope<T>(scope: CallScope, run: () => T): T {
  return scopes.run(scope, run);
}

/** Runs a function whose work is shared between callers, so that it must not end with one of them. */
export function withoutCallScope<T>(run: () => T): T {
  return scopes.getStore() === undefined ? run() : scopes.run(undefined, run);
}

/** Returns the logger of the reconcile that the current call belongs to; undefined outside of reconciles. */
export function callLogger(): Logger | undefined {
  return scopes.getStore()?.log;
}

/** Returns the signal of a call: its own if it has one, otherwise that of its reconcile. */
export function callSignal(own: AbortSignal | undefined): AbortSignal | undefined {
  return own ?? scopes.getStore()?.signal;
}
