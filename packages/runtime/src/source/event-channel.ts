import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { onAbort } from "../clock/clock.ts";
import type { GenericEvent } from "../event/event.ts";

/** Receives the events of a channel, one at a time. */
export type EventReceiver<T extends KubernetesObject> = (event: GenericEvent<T>) => Promise<void>;

interface Subscriber<T extends KubernetesObject> {
  readonly receive: EventReceiver<T>;
  readonly bufferSize: number;
  readonly buffer: GenericEvent<T>[];
  isReceiving: boolean;
  waiting: (() => void)[];
}

/**
 * Sends events that no watch reports from a program to all subscribed controllers.
 *
 * Guarantees: events arrive in the order in which they were sent; a sender waits while a receiver's buffer is full or without receivers.
 */
export class EventChannel<T extends KubernetesObject = KubernetesObject> {
  readonly #subscribers = new Set<Subscriber<T>>();
  #sending: Promise<void> = Promise.resolve();
  #arrival: (() => void)[] = [];
  #isClosed = false;

  /** Sends an event; resolves when it is in the buffer of every receiver. Does nothing after {@link close}. */
  async send(event: GenericEvent<T>): Promise<void> {
    this.#sending = this.#sending.then(async () => await this.#deliver(event));
    await this.#sending;
  }

  /** Accepts no more events and releases waiting senders. */
  close(): void {
    this.#isClosed = true;
    this.#arrival.splice(0).forEach((resolve) => resolve());
    for (const subscriber of this.#subscribers) {
      subscriber.waiting.splice(0).forEach((resolve) => resolve());
    }
  }

  /** Receives events until the signal aborts. */
  subscribe(
    receive: EventReceiver<T>,
    options: {
      readonly bufferSize: number;
      readonly signal: AbortSignal;
    },
  ): void {
    const subscriber = { receive, bufferSize: options.bufferSize, buffer: [], isReceiving: false, waiting: [] };
    this.#subscribers.add(subscriber);
    this.#arrival.splice(0).forEach((resolve) => resolve());
    onAbort(options.signal, () => this.#leave(subscriber));
  }

  #leave(subscriber: Subscriber<T>): void {
    this.#subscribers.delete(subscriber);
    subscriber.buffer.length = 0;
    subscriber.waiting.splice(0).forEach((resolve) => resolve());
  }

  async #deliver(event: GenericEvent<T>): Promise<void> {
    while (this.#subscribers.size === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#arrival.push(resolve);
      });
    }
    for (const subscriber of this.#subscribers) {
      await this.#put(subscriber, event);
    }
  }

  async #put(subscriber: Subscriber<T>, event: GenericEvent<T>): Promise<void> {
    while (subscriber.buffer.length >= subscriber.bufferSize && this.#isOpenTo(subscriber)) {
      await new Promise<void>((resolve) => {
        subscriber.waiting.push(resolve);
      });
    }
    if (this.#isOpenTo(subscriber)) {
      subscriber.buffer.push(event);
      void this.#receiveAll(subscriber);
    }
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
      subscriber.waiting.splice(0).forEach((resolve) => resolve());
    }
    subscriber.isReceiving = false;
  }
}
