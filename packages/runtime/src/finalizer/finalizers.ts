import { type DeepReadonly, messageOf, ScaffoldError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema";

import type { Stored } from "../client/partial-object.ts";
import { addFinalizer, containsFinalizer, removeFinalizer } from "../controllerutil/controllerutil.ts";

/**
 * Cleans up after an object; may return the object with changes, for example of its status.
 *
 * controller-runtime: pkg/finalizer.Finalizer
 */
export type Finalizer<T extends KubernetesObject> = (
  object: DeepReadonly<Stored<T>>,
  context: FinalizeContext,
) => Promise<DeepReadonly<Stored<T>> | void>;

/** The context of a finalizer. */
export interface FinalizeContext {
  /** Aborts when the reconcile must end. */
  readonly signal?: AbortSignal;
}

/**
 * The object after its finalizers, and the parts that must be written.
 *
 * controller-runtime: pkg/finalizer.Result
 */
export interface Finalized<T extends KubernetesObject> {
  /** The object with its changes. */
  readonly object: DeepReadonly<Stored<T>>;
  /** Whether anything other than the status changed. */
  readonly updated: boolean;
  /** Whether the status changed. */
  readonly statusUpdated: boolean;
  /** The failures; write the object first and throw this error after that. */
  readonly error: FinalizeError | undefined;
}

/**
 * The finalizers of a kind, by key.
 *
 * controller-runtime: pkg/finalizer.Finalizers
 */
export interface Finalizers<T extends KubernetesObject> {
  /** Registers a finalizer. Fails: {@link FinalizerRegisteredError} when the key is in use. */
  register(key: string, finalizer: Finalizer<T>): void;
  /**
   * Adds missing keys to an object that is not being deleted; otherwise runs each finalizer whose key the object has, and
   * removes the key on success.
   *
   * Guarantees: runs in order of registration; changes nothing in place and writes nothing; a failure does not prevent other finalizers from running.
   */
  finalize(object: DeepReadonly<Stored<T>>, context?: FinalizeContext): Promise<Finalized<T>>;
}

/**
 * Creates an empty set of finalizers.
 *
 * controller-runtime: pkg/finalizer.NewFinalizers
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
        ? Promise.resolve(
            compare(object, [...registered.keys()].reduce(addFinalizer<DeepReadonly<Stored<T>>>, object), undefined),
          )
        : runAll(registered, object, context),
  };
}

async function runAll<T extends KubernetesObject>(
  registered: ReadonlyMap<string, Finalizer<T>>,
  object: DeepReadonly<Stored<T>>,
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

function compare<T extends KubernetesObject>(
  before: DeepReadonly<Stored<T>>,
  object: DeepReadonly<Stored<T>>,
  error: FinalizeError | undefined,
): Finalized<T> {
  const [oldParts, newParts] = [split(before), split(object)];
  return {
    object,
    updated: !deepEqual(oldParts.main, newParts.main),
    statusUpdated: !deepEqual(oldParts.status, newParts.status),
    error,
  };
}

function split(object: object): { readonly main: unknown; readonly status: unknown } {
  const { status, ...main } = object as { readonly status?: unknown };
  return { main, status };
}

/**
 * Thrown when two finalizers were registered with the same key.
 *
 * Fix: Use a different key for each.
 */
export class FinalizerRegisteredError extends ScaffoldError {
  readonly code = "CONTROLLER_FINALIZER_REGISTERED";

  constructor(key: string) {
    super(`cannot register the finalizer ${key}: the key is in use`);
  }
}

/**
 * Thrown when finalizers of an object failed; they stay on the object and run again.
 *
 * Fix: Fix the errors in the message.
 */
export class FinalizeError extends ScaffoldError {
  readonly code = "CONTROLLER_FINALIZE";
  /** The failures by key. */
  readonly failures: ReadonlyMap<string, unknown>;

  constructor(failures: ReadonlyMap<string, unknown>) {
    const [first] = failures.values();
    const list = [...failures].map(([key, error]) => `${key}: ${messageOf(error)}`);
    super(`cannot finalize the object: ${list.join("; ")}`, { cause: first });
    this.failures = failures;
  }
}
