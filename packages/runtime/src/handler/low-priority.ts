import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Request } from "../reconcile/reconcile.ts";
import { isPriorityQueue, type AddOptions, type PriorityQueue, type RateLimitingQueue } from "../workqueue/queue.ts";
import { isUnchangedCreate, isUnchangedUpdate, LOW_PRIORITY, type EventHandler } from "./event-handler.ts";

/** Wraps a handler so that requests for which nothing has changed go behind all others, unless it gives a priority itself. */
export function withLowPriorityWhenUnchanged<T extends KubernetesObject, R = Request>(
  handler: EventHandler<T, R>,
): EventHandler<T, R> {
  return {
    ...handler,
    create: (event, context) =>
      handler.create(event, isUnchangedCreate(event) ? { ...context, queue: lowered(context.queue) } : context),
    update: (event, context) =>
      handler.update(event, isUnchangedUpdate(event) ? { ...context, queue: lowered(context.queue) } : context),
  };
}

function lowered<R>(queue: RateLimitingQueue<R>): RateLimitingQueue<R> {
  return isPriorityQueue(queue) ? new LoweredQueue(queue) : queue;
}

class LoweredQueue<R> implements PriorityQueue<R> {
  readonly #queue: PriorityQueue<R>;

  constructor(queue: PriorityQueue<R>) {
    this.#queue = queue;
  }

  get length(): number {
    return this.#queue.length;
  }

  get isShuttingDown(): boolean {
    return this.#queue.isShuttingDown;
  }

  add(item: R): void {
    this.addWithOptions({}, item);
  }

  addAfter(item: R, delayMs: number): void {
    this.addWithOptions({ afterMs: delayMs }, item);
  }

  addRateLimited(item: R): void {
    this.addWithOptions({ rateLimited: true }, item);
  }

  addWithOptions(options: AddOptions, ...items: readonly R[]): void {
    this.#queue.addWithOptions({ priority: LOW_PRIORITY, ...options }, ...items);
  }

  forget(item: R): void {
    this.#queue.forget(item);
  }

  numRequeues(item: R): number {
    return this.#queue.numRequeues(item);
  }

  async get(): Promise<R | undefined> {
    return await this.#queue.get();
  }

  async getWithPriority(): ReturnType<PriorityQueue<R>["getWithPriority"]> {
    return await this.#queue.getWithPriority();
  }

  done(item: R): void {
    this.#queue.done(item);
  }

  shutDown(): void {
    this.#queue.shutDown();
  }

  async shutDownWithDrain(): Promise<void> {
    await this.#queue.shutDownWithDrain();
  }
}
