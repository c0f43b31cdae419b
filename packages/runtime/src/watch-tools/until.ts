import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { untilAborted } from "@kubescaffold/platform/clock";

import type { WatchEvent } from "../client/client.ts";
import { signalOf } from "../client/requests.ts";
import { WatchClosedError } from "./errors.ts";
import { RetryWatcher, type RetryWatcherOptions, type Watcher } from "./retry-watcher.ts";

/**
 * Reports whether an event meets a condition; a failure ends the wait with that error.
 *
 * client-go: tools/watch.ConditionFunc
 */
export type EventCondition<T extends KubernetesObject> = (event: WatchEvent<T>) => boolean | Promise<boolean>;

/**
 * Reads the events of a watch until each condition was met, one after the other. Returns the last event; undefined without conditions.
 *
 * Guarantees: an event that meets a condition is also checked against the next one; the iteration is left at the end.
 * Fails: {@link WatchClosedError} when the watch ends first, the signal's reason, or the error of a condition or of the watch.
 *
 * client-go: tools/watch.UntilWithoutRetry
 */
export async function untilWithoutRetry<T extends KubernetesObject>(
  events: AsyncIterable<WatchEvent<T>>,
  conditions: readonly EventCondition<T>[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<WatchEvent<T> | undefined> {
  const { signal } = signalOf(options);
  const reader = new EventReader(events, signal);
  try {
    let last: WatchEvent<T> | undefined;
    for (const condition of conditions) {
      let isMet = last !== undefined && (await condition(last));
      while (!isMet) {
        last = await reader.next(last);
        isMet = await condition(last);
      }
    }
    return last;
  } finally {
    await reader.leave();
  }
}

/** Reads events one at a time, and does not wait for a watch that ignores the signal. */
class EventReader<T extends KubernetesObject> {
  readonly #iterator: AsyncIterator<WatchEvent<T>>;
  readonly #signal: AbortSignal | undefined;
  #isWaiting = false;

  constructor(events: AsyncIterable<WatchEvent<T>>, signal: AbortSignal | undefined) {
    this.#iterator = events[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  async next(last: WatchEvent<T> | undefined): Promise<WatchEvent<T>> {
    this.#signal?.throwIfAborted();
    this.#isWaiting = true;
    const result = await untilAborted(this.#iterator.next(), this.#signal);
    this.#isWaiting = false;
    if (result.done === true) {
      throw new WatchClosedError(last);
    }
    return result.value;
  }

  // A generator only returns after its pending event.
  async leave(): Promise<void> {
    const left = this.#iterator.return?.().catch(() => undefined);
    if (!this.#isWaiting) {
      await left;
    }
  }
}

/**
 * Watches until each condition was met, one after the other; a watch that ends or fails is reopened. Returns the last event.
 *
 * Guarantees: the conditions see every event after the resourceVersion, in order.
 * Fails: {@link WatchClosedError} when the resourceVersion has expired or permissions are missing, the signal's reason, or the error of a condition.
 *
 * client-go: tools/watch.Until
 *
 * @example
 * const created = await client.create(job);
 * const watched = createListWatch(client, Job, { namespace: "default" });
 * await until(created.metadata.resourceVersion, watched, [(event) => event.type === "DELETED"]);
 */
export async function until<T extends KubernetesObject>(
  resourceVersion: string,
  watcher: Watcher<T>,
  conditions: readonly EventCondition<T>[],
  options: RetryWatcherOptions = {},
): Promise<WatchEvent<T> | undefined> {
  return await untilWithoutRetry(new RetryWatcher(resourceVersion, watcher, options), conditions, options);
}
