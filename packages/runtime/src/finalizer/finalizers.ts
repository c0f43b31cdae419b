import { ScaffoldError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema";

import { addFinalizer, containsFinalizer, removeFinalizer } from "../controllerutil/controllerutil.ts";
import { messageOf } from "../log/logger.ts";

/** Cleans up what an object leaves behind. It may return the object with changes, to its status for instance. */
export type Finalizer<T extends KubernetesObject> = (object: T, context: FinalizeContext) => Promise<T | void>;

/** What a finalizer works with. */
export interface FinalizeContext {
  readonly signal?: AbortSignal;
}

/** The object after its finalizers, and what of it is to be written. */
export interface Finalized<T extends KubernetesObject> {
  readonly object: T;
  /** Something other than status changed. */
  readonly updated: boolean;
  readonly statusUpdated: boolean;
  /** What failed; the caller writes the object first and throws this then. */
  readonly error: FinalizeError | undefined;
}

/** The finalizers of a kind, by key. */
export interface Finalizers<T extends KubernetesObject> {
  /** Adds a finalizer. Fails: {@link FinalizerRegisteredError} when there is one of that key. */
  register(key: string, finalizer: Finalizer<T>): void;
  /**
   * Adds missing keys to an object that lives; of one that is being deleted runs each finalizer whose key it has and
   * takes the key off when it succeeded.
   *
   * Guarantees: in order of registration; nothing is changed in place and nothing is written; one failure does not keep others from running.
   */
  finalize(object: T, context?: FinalizeContext): Promise<Finalized<T>>;
}

/**
 * Creates an empty set of finalizers.
 *
 * @example
 * const finalizers = createFinalizers<Guestbook>();
 * finalizers.register("webapp.demo/bucket", async (guestbook) => deleteBucket(guestbook.metadata.name));
 */
export function createFinalizers<T extends KubernetesObject>(): Finalizers<T> {
  const registered = new Map<string, Finalizer<T>>();
  return {
    register: (key, finalizer) => {
      if (registered.has(key)) {
        throw new FinalizerRegisteredError(key);
      }
      registered.set(key, finalizer);
    },
    finalize: (object, context = {}) =>
      object.metadata.deletionTimestamp === undefined
        ? Promise.resolve(compare(object, [...registered.keys()].reduce(addFinalizer<T>, object), undefined))
        : runAll(registered, object, context),
  };
}

async function runAll<T extends KubernetesObject>(
  registered: ReadonlyMap<string, Finalizer<T>>,
  object: T,
  context: FinalizeContext,
): Promise<Finalized<T>> {
  let current = object;
  const failures = new Map<string, unknown>();
  for (const [key, finalizer] of registered) {
    if (!containsFinalizer(current, key)) {
      continue;
    }
    try {
      current = removeFinalizer((await finalizer(current, context)) ?? current, key);
    } catch (error) {
      failures.set(key, error);
    }
  }
  return compare(object, current, failures.size === 0 ? undefined : new FinalizeError(failures));
}

function compare<T extends KubernetesObject>(before: T, object: T, error: FinalizeError | undefined): Finalized<T> {
  const [oldParts, newParts] = [split(before), split(object)];
  return {
    object,
    updated: !deepEqual(oldParts.main, newParts.main),
    statusUpdated: !deepEqual(oldParts.status, newParts.status),
    error,
  };
}

function split(object: KubernetesObject): { readonly main: unknown; readonly status: unknown } {
  const { status, ...main } = object as KubernetesObject & { readonly status?: unknown };
  return { main, status };
}

/** Is thrown when two finalizers are registered under one key. */
export class FinalizerRegisteredError extends ScaffoldError {
  readonly code = "CONTROLLER_FINALIZER_REGISTERED";

  constructor(key: string) {
    super(`cannot register the finalizer ${key}: there is one of that key`);
  }
}

/** Is thrown when finalizers of an object failed; those that succeeded are off the object that it carries. */
export class FinalizeError extends ScaffoldError {
  readonly code = "CONTROLLER_FINALIZE";
  /** What went wrong, by key. */
  readonly failures: ReadonlyMap<string, unknown>;

  constructor(failures: ReadonlyMap<string, unknown>) {
    const [first] = failures.values();
    const list = [...failures].map(([key, error]) => `${key}: ${messageOf(error)}`);
    super(`cannot finalize the object: ${list.join("; ")}`, { cause: first });
    this.failures = failures;
  }
}
