import {
  type AddOptions,
  isPriorityQueue,
  type PrioritizedItem,
  type PriorityQueue,
  type RateLimitingQueue,
} from "./queue.ts";

/** Returns the queue of an item; undefined drops the item. */
export type QueueRoute<T> = (item: T) => RateLimitingQueue<T> | undefined;

/** Returns a queue that adds each item to the queue of its route, for handlers; workers take items from `own`. */
export function routedQueue<T>(own: RateLimitingQueue<T>, route: QueueRoute<T>): RateLimitingQueue<T> {
  return isPriorityQueue(own) ? new RoutedPriorityQueue(own, route) : new RoutedQueue(own, route);
}

class RoutedQueue<T, Q extends RateLimitingQueue<T> = RateLimitingQueue<T>> implements RateLimitingQueue<T> {
  readonly keyOf?: (item: T) => unknown;
  protected readonly own: Q;
  protected readonly route: QueueRoute<T>;

  constructor(own: Q, route: QueueRoute<T>) {
    this.own = own;
    this.route = route;
    if (own.keyOf !== undefined) {
      this.keyOf = own.keyOf;
    }
  }

  get length(): number {
    return this.own.length;
  }

  get isShuttingDown(): boolean {
    return this.own.isShuttingDown;
  }

  add(item: T): void {
    this.route(item)?.add(item);
  }

  addAfter(item: T, delayMs: number): void {
    this.route(item)?.addAfter(item, delayMs);
  }

  addRateLimited(item: T): void {
    this.route(item)?.addRateLimited(item);
  }

  forget(item: T): void {
    this.route(item)?.forget(item);
  }

  numRequeues(item: T): number {
    return this.route(item)?.numRequeues(item) ?? 0;
  }

  done(item: T): void {
    this.own.done(item);
  }

  async get(): Promise<T | undefined> {
    return await this.own.get();
  }

  shutDown(): void {
    this.own.shutDown();
  }

  async shutDownWithDrain(): Promise<void> {
    await this.own.shutDownWithDrain();
  }
}

class RoutedPriorityQueue<T> extends RoutedQueue<T, PriorityQueue<T>> implements PriorityQueue<T> {
  addWithOptions(options: AddOptions, ...items: readonly T[]): void {
    for (const item of items) {
      const queue = this.route(item);
      if (queue !== undefined && isPriorityQueue(queue)) {
        queue.addWithOptions(options, item);
      } else if (options.rateLimited === true) {
        queue?.addRateLimited(item);
      } else {
        queue?.addAfter(item, options.afterMs ?? 0);
      }
    }
  }

  async getWithPriority(): Promise<PrioritizedItem<T> | undefined> {
    return await this.own.getWithPriority();
  }
}
