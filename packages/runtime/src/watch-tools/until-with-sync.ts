import { type DeepReadonly } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { handledLater } from "@kubescaffold/platform";
import { onAbort, realClock } from "@kubescaffold/platform/clock";

import type { Lister } from "../cache/indexer.ts";
import type { ListWatch } from "../cache/list-watch.ts";
import { SharedInformer } from "../cache/shared-informer.ts";
import type { KindRef, WatchEvent } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { signalOf } from "../client/requests.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { RetryWatcherOptions } from "./retry-watcher.ts";
import { type EventCondition, untilWithoutRetry } from "./until.ts";

/**
 * Reports whether the listed objects already meet the condition; a failure ends the wait with that error.
 *
 * client-go: tools/watch.PreconditionFunc
 */
export type Precondition<T extends KubernetesObject> = (objects: Lister<T>) => boolean | Promise<boolean>;

/** The conditions of {@link untilWithSync}. */
export interface SyncConditions<T extends KubernetesObject> {
  /** Checked once after the first list; if it is met, the wait ends without an event. Default: none. */
  readonly precondition?: Precondition<T>;
  /** Met one after the other; the objects of the first list are `ADDED` events. */
  readonly conditions: readonly EventCondition<Stored<T>>[];
}

/**
 * Lists and watches until each condition was met, and lists again when the resourceVersion has expired. Returns the last event;
 * undefined if the precondition was met.
 *
 * Guarantees: every object's final state arrives, and its events arrive in order; intermediate states may be skipped after a failure.
 * All requests have ended when it resolves.
 * Fails: with the signal's reason, with `CacheSyncError` when it aborts before the precondition could be checked, or with the error of a condition.
 *
 * client-go: tools/watch.UntilWithSync
 *
 * @example
 * const jobs = createListWatch(client, Job, { namespace: "default" });
 * await untilWithSync(jobs, Job, {
 *   conditions: [({ type, object }) => type === "MODIFIED" && (object.status?.succeeded ?? 0) > 0],
 * });
 */
export async function untilWithSync<T extends KubernetesObject>(
  listWatch: ListWatch<T>,
  kind: KindRef<T>,
  { precondition, conditions }: SyncConditions<T>,
  options: RetryWatcherOptions = {},
): Promise<WatchEvent<Stored<T>> | undefined> {
  const call = signalOf(options);
  call.signal?.throwIfAborted();
  const { clock = realClock, log = rootLog } = options;
  // Nobody else reads this store, so its objects belong to the conditions and the caller.
  const own = (object: DeepReadonly<Stored<T>>): Stored<T> => object as unknown as Stored<T>;
  const informer = new SharedInformer<T>({
    kind,
    listWatch,
    clock,
    log,
    resyncPeriodMs: 0,
    unsafeDisableDeepFreeze: true,
  });
  const events = new EventBuffer<Stored<T>>();
  informer.addEventHandler({
    onAdd: (object) => events.push({ type: "ADDED", object: own(object) }),
    onUpdate: (_, object) => events.push({ type: "MODIFIED", object: own(object) }),
    onDelete: (object) => events.push({ type: "DELETED", object: own(object) }),
  });
  const stop = new AbortController();
  const stopListening = onAbort(call.signal, () => stop.abort(call.signal?.reason));
  const running = handledLater(informer.run(stop.signal));
  try {
    if (precondition !== undefined) {
      await informer.waitForSync(call.signal);
      if (await precondition(informer.lister)) {
        return undefined;
      }
    }
    return await untilWithoutRetry(events, conditions, call);
  } finally {
    stopListening();
    stop.abort();
    await running;
  }
}

/** Stores events until they are read; never ends. */
class EventBuffer<T extends KubernetesObject> implements AsyncIterable<WatchEvent<T>> {
  #events: WatchEvent<T>[] = [];
  #notify: () => void = () => undefined;

  push(event: WatchEvent<T>): void {
    this.#events.push(event);
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>, never, undefined> {
    for (;;) {
      if (this.#events.length === 0) {
        await new Promise<void>((resolve) => {
          this.#notify = resolve;
        });
      }
      const events = this.#events;
      this.#events = [];
      yield* events;
    }
  }
}
