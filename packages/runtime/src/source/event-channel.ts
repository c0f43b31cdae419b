import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { onAbort, untilAborted } from "@kubescaffold/platform/clock";

import type { GenericEvent } from "../event/event.ts";
import { callSignal, withoutCallScope } from "../log/call-scope.ts";

/** Receives the events of a channel, one at a time. */
export type EventReceiver<T extends KubernetesObject> = (event: GenericEvent<T>) => Promise<void>;

interface Subscriber<T extends KubernetesObject> {
  readonly receive: EventReceiver<T>;
  readonly bufferSize: number;
  readonly buffer: GenericEvent<T>[];
  isReceiving: boolean;
}

/** Options of {@link EventChannel.send}. */
export interface SendOptions {
  /** Stops waiting for receivers when it aborts; those that have buffered the event process it. Default: the signal of the reconcile that sends. */
  readonly signal?: AbortSignal;
}

/**
 * Sends events that no watch reports from a program to all subscribed controllers.
 *
 * Guarantees: events arrive in the order in which they were sent; a sender waits while a receiver's buffer is full, or until the first
 * receiver subscribes; after all receivers have stopped, events are dropped.
 */
export class EventChannel<T extends KubernetesObject = KubernetesObject> {
  readonly #subscribers = new Set<Subscriber<T>>();
  #sending: Promise<void> = Promise.resolve();
  #waiting: (() => void)[] = [];
  #hasSubscribers = false;
  #isClosed = false;

  /**
   * Sends an event; resolves when it is in the buffer of every receiver. Does nothing after {@link close}, or after all receivers have stopped.
   *
   * Fails: with the signal's reason when it aborts first.
   */
  async send(event: GenericEvent<T>, options: SendOptions = {}): Promise<void> {
    const signal = callSignal(options.signal);
    signal?.throwIfAborted();
    const delivery = this.#sending.then(async () => await this.#deliver(event, signal));
    this.#sending = delivery.catch(() => undefined);
    await untilAborted(delivery, signal);
  }

  /** Accepts no more events and releases waiting senders. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Receives events until the signal aborts. */
  subscribe(
    receive: EventReceiver<T>,
    options: {
      readonly bufferSize: number;
      readonly signal: AbortSignal;
    },
  ): void {
    // The buffer contains the event that is being received, so that one without space would receive nothing.
    const bufferSize = Math.max(1, options.bufferSize);
    const subscriber = { receive, bufferSize, buffer: [], isReceiving: false };
    this.#subscribers.add(subscriber);
    this.#hasSubscribers = true;
    this.#wake();
    onAbort(options.signal, () => this.#leave(subscriber));
  }

  #leave(subscriber: Subscriber<T>): void {
    this.#subscribers.delete(subscriber);
    subscriber.buffer.length = 0;
    this.#wake();
  }

  async #deliver(event: GenericEvent<T>, signal: AbortSignal | undefined): Promise<void> {
    await this.#waitWhile(() => !this.#hasSubscribers && !this.#isClosed, signal);
    for (const subscriber of this.#subscribers) {
      await this.#waitWhile(
        () => subscriber.buffer.length >= subscriber.bufferSize && this.#isOpenTo(subscriber),
        signal,
      );
      if (this.#isOpenTo(subscriber)) {
        subscriber.buffer.push(event);
        // The receiver serves all senders, so it must not end with the reconcile of one.
        void withoutCallScope(async () => await this.#receiveAll(subscriber));
      }
    }
  }

  async #waitWhile(isBlocked: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    while (isBlocked()) {
      const change = new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
      await untilAborted(change, signal);
    }
  }

  #wake(): void {
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  #isOpenTo(subscriber: Subscriber<T>): boolean {
    return !this.#isClosed && this.#subscribers.has(subscriber);
  }

  async #receiveAll(subscriber: Subscriber<T>): Promise<void> {
    if (subscriber.isReceiving) {
      return;
    }
    subscriber.isReceiving = true;
    for (let event = subscriber.buffer[0]; event !== undefined; event = subscriber.buffer[0]) {
      await subscriber.receive(event);
      subscriber.buffer.shift();
      this.#wake();
    }
    subscriber.isReceiving = false;
  }
}
