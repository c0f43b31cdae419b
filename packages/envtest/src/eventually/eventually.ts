import type { DeepReadonly } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  editable,
  type KindRef,
  type ListOptions,
  type ObjectKey,
  type UnstructuredObject,
} from "@kubescaffold/runtime";

import { EventuallyTimeoutError } from "../failures/errors.ts";
import { describeObject } from "./observation.ts";
import { poll, type PollingOptions } from "./polling.ts";

/** The time in milliseconds that tests wait by default: less than the default time limit of a test in vitest, so that the error is reported. */
export const EVENTUALLY_TIMEOUT_MS = 4000;
/** The time in milliseconds between two reads by default. */
export const EVENTUALLY_INTERVAL_MS = 20;

/**
 * Calls of a client that are repeated until they succeed; see {@link eventually}.
 *
 * controller-runtime: pkg/envtest/komega.Komega
 */
export interface Eventually {
  /** Returns an object as soon as it exists and meets a condition. */
  get<T extends KubernetesObject = UnstructuredObject>(
    kind: KindRef<T>,
    key: ObjectKey,
    condition?: (object: DeepReadonly<T>) => boolean,
  ): Promise<DeepReadonly<T>>;
  /** Returns a list as soon as it meets a condition. */
  list<T extends KubernetesObject = UnstructuredObject>(
    kind: KindRef<T>,
    options?: ListOptions,
    condition?: (list: ListOf<DeepReadonly<T>>) => boolean,
  ): Promise<ListOf<DeepReadonly<T>>>;
  /** Reads an object, changes a copy of it, and updates it. */
  update<T extends KubernetesObject = UnstructuredObject>(
    kind: KindRef<T>,
    key: ObjectKey,
    change: (object: T) => T,
  ): Promise<T>;
  /** Reads an object, changes a copy of it, and updates its status. */
  updateStatus<T extends KubernetesObject = UnstructuredObject>(
    kind: KindRef<T>,
    key: ObjectKey,
    change: (object: T) => T,
  ): Promise<T>;
}

/**
 * Returns calls of a client that are repeated until they succeed, for tests without matchers.
 *
 * Guarantees: errors of the client, including conflicts, are retried; those of conditions and changes are not.
 * Fails: each call with {@link EventuallyTimeoutError} and its last error after `timeoutMs` (default 4000); the default interval is 20 ms.
 *
 * controller-runtime: pkg/envtest/komega.New
 *
 * @example
 * const ready = await eventually(client).get(Deployment, key, ({ status }) => status?.readyReplicas === 3);
 */
export function eventually(client: Client, options: PollingOptions = {}): Eventually {
  const changed = async <T extends KubernetesObject>(
    { kind, key, what }: { readonly kind: KindRef<T>; readonly key: ObjectKey; readonly what: string },
    change: (object: T) => T,
    write: (object: T, signal: AbortSignal) => Promise<T>,
  ): Promise<T> =>
    attempt(`${what} ${describeObject(kind, key)}`, options, async (signal) => {
      const object = await ofClient<DeepReadonly<T>>(client.get(kind, key, { signal }));
      const target = change(editable(object));
      return ofClient(write(target, signal));
    });
  return {
    get: (kind, key, condition) =>
      attempt(`the condition of ${describeObject(kind, key)}`, options, async (signal) =>
        meeting(await ofClient(client.get(kind, key, { signal })), condition),
      ),
    list: (kind, listOptions, condition) =>
      attempt(`the condition of a list of ${kind.kind}`, options, async (signal) =>
        meeting(await ofClient(client.list(kind, { ...listOptions, signal })), condition),
      ),
    update: (kind, key, change) =>
      changed({ kind, key, what: "an update of" }, change, (object, signal) =>
        client.update(object as never, { signal }),
      ),
    updateStatus: (kind, key, change) =>
      changed({ kind, key, what: "a status update of" }, change, (object, signal) =>
        client.status().update(object as never, { signal }),
      ),
  };
}

/** A failed attempt that may succeed later. */
class Retriable extends Error {}

async function ofClient<T>(call: Promise<unknown>): Promise<T> {
  try {
    // The caller's kind determines the type.
    return (await call) as T;
  } catch (cause) {
    throw new Retriable("the call failed", { cause });
  }
}

function meeting<R>(result: R, condition?: (result: R) => boolean): R {
  if (condition !== undefined && !condition(result)) throw new Retriable("the condition is false");
  return result;
}

type Attempt<R> = { readonly result: R } | { readonly failure: Retriable };

async function attempt<R>(
  what: string,
  { timeoutMs = EVENTUALLY_TIMEOUT_MS, intervalMs = EVENTUALLY_INTERVAL_MS, ...options }: PollingOptions,
  call: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const { last } = await poll<Attempt<R>>(
    async (signal) => {
      try {
        return { result: await call(signal) };
      } catch (failure) {
        if (failure instanceof Retriable) return { failure };
        throw failure;
      }
    },
    (state) => "result" in state,
    { timeoutMs, intervalMs, ...options },
  );
  if (last !== undefined && "result" in last) return last.result;
  throw new EventuallyTimeoutError(what, timeoutMs, last?.failure.cause ?? last?.failure);
}
