import { AsyncLocalStorage } from "node:async_hooks";

import { outsideOfSpans } from "../tracing/spans.ts";
import type { Logger } from "./logger.ts";
import { log as rootLog } from "./root-logger.ts";

/** The signal and logger of the reconcile or the webhook's request that a call belongs to. */
export interface CallScope {
  /** Ends calls that have no other signal when it aborts. Default: calls end by themselves. */
  readonly signal?: AbortSignal;
  /** Logs the messages about calls, such as the server's warnings. Default: those of clients and caches. */
  readonly log?: Logger;
  /** The ID of the reconcile. Default: none. */
  readonly reconcileId?: string;
  /** The name of the controller. Default: none. */
  readonly controller?: string;
  /** Checks before each write that it may be sent to a path; throws if not. Default: the check of the surrounding scope. */
  readonly checkWrite?: (path: string) => void;
}

const scopes = new AsyncLocalStorage<CallScope | undefined>();

/** Runs a function; all calls of clients and caches in it, including asynchronous ones, belong to the scope. */
export function withCallScope<T>(scope: CallScope, run: () => T): T {
  const checkWrite = scopes.getStore()?.checkWrite;
  return scopes.run(checkWrite === undefined ? scope : { checkWrite, ...scope }, run);
}

/** Runs a function whose work is shared between callers, so that it must not end with one of them, and is not part of their spans. */
export function withoutCallScope<T>(run: () => T): T {
  return outsideOfSpans(() => (scopes.getStore() === undefined ? run() : scopes.run(undefined, run)));
}

/**
 * Returns the logger of the current reconcile or admission request, with its fields, also in functions that they call; {@link log} elsewhere.
 *
 * controller-runtime: pkg/log.FromContext
 */
export function loggerFromContext(): Logger {
  return callLogger() ?? rootLog;
}

/**
 * Runs a function in which, also asynchronously, {@link loggerFromContext} returns this logger.
 *
 * controller-runtime: pkg/log.IntoContext
 */
export function withLogger<T>(log: Logger, run: () => T): T {
  return scopes.run({ ...scopes.getStore(), log }, run);
}

/** Returns the logger of the reconcile or request that the current call belongs to; undefined elsewhere. */
export function callLogger(): Logger | undefined {
  return scopes.getStore()?.log;
}

/** Returns the ID of the reconcile that a call belongs to; undefined elsewhere. */
export function callReconcileId(): string | undefined {
  return scopes.getStore()?.reconcileId;
}

/** Returns the name of the controller that a call belongs to; undefined elsewhere. */
export function callController(): string | undefined {
  return scopes.getStore()?.controller;
}

/** Returns the check of a write of the current call, which may run outside of its scope: the check of a client, and that of the scope. */
export function callWriteCheck(path: string, check: ((path: string) => void) | undefined): () => void {
  const checkOfScope = scopes.getStore()?.checkWrite;
  return () => {
    check?.(path);
    checkOfScope?.(path);
  };
}

/** Returns the signal of a call: its own if it has one, otherwise that of its reconcile. */
export function callSignal(own: AbortSignal | undefined): AbortSignal | undefined {
  return own ?? scopes.getStore()?.signal;
}
