import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The values of a program that reconcilers, webhooks, and runnables read with {@link contextValues}.
 *
 * A program names its values in a declaration: `declare module "@kubescaffold/runtime" { interface ContextValues { readonly region: string } }`.
 */
export interface ContextValues {
  /** A value by its name; undefined if the program did not set it. */
  readonly [name: string]: unknown;
}

const storage = new AsyncLocalStorage<ContextValues>();
const NONE: ContextValues = Object.freeze({});

/**
 * Returns the values of the current call: those of the manager's `baseContext`, which `withContextFunc` of a webhook may extend; none elsewhere.
 *
 * controller-runtime: pkg/manager.BaseContextFunc
 */
export function contextValues(): ContextValues {
  return storage.getStore() ?? NONE;
}

/** Runs a function in which, also asynchronously, {@link contextValues} returns these values; for tests, and for work outside of a manager. */
export function withContextValues<T>(values: ContextValues, run: () => T): T {
  return values === contextValues() ? run() : storage.run(values, run);
}
