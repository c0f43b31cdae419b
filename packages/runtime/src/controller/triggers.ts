import type { ReconcileTrigger } from "../observe/observer.ts";
import { itemKey } from "../workqueue/item-key.ts";
import type { RateLimitingQueue } from "../workqueue/queue.ts";
import { routedQueue } from "../workqueue/routed-queue.ts";

/** Why the requests of a queue wait, for the observers of reconciles. */
export class Triggers<R> {
  readonly #keyOf: (request: R) => unknown;
  readonly #waiting = new Map<unknown, ReconcileTrigger>();

  constructor({ keyOf = itemKey }: Pick<RateLimitingQueue<R>, "keyOf">) {
    this.#keyOf = keyOf;
  }

  /** Returns a queue that records an event for the accepted requests that are added to it. */
  ofEvent(
    queue: RateLimitingQueue<R>,
    trigger: ReconcileTrigger,
    accepts: ((request: R) => boolean) | undefined,
  ): RateLimitingQueue<R> {
    return routedQueue(queue, (request) => {
      if (accepts?.(request) === false) return undefined;
      this.#add(request, trigger);
      return queue;
    });
  }

  /** Records that a reconcile queued its request again, unless an event has done so meanwhile. */
  requeued(request: R, trigger: ReconcileTrigger): void {
    const key = this.#keyOf(request);
    if (!this.#waiting.has(key)) this.#waiting.set(key, trigger);
  }

  /** Returns why a request was queued, and forgets it; undefined if it was added without an event. */
  take(request: R): ReconcileTrigger | undefined {
    const key = this.#keyOf(request);
    const trigger = this.#waiting.get(key);
    this.#waiting.delete(key);
    return trigger;
  }

  // An event precedes a delay, which would have ended later; events of one request are merged by the queue.
  #add(request: R, trigger: ReconcileTrigger): void {
    const key = this.#keyOf(request);
    const former = this.#waiting.get(key);
    if (former === undefined || !isEvent(former)) this.#waiting.set(key, trigger);
    else this.#waiting.set(key, { ...former, merged: (former.merged ?? 0) + 1 });
  }
}

function isEvent({ reason }: ReconcileTrigger): boolean {
  return reason !== "requeue" && reason !== "requeue-after" && reason !== "retry";
}
