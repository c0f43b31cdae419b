import { objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Clock, Timer } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import { Fifo } from "../workqueue/fifo.ts";
import type { HandlerRegistration, ResourceEventHandler } from "./informer.ts";
import { Latch } from "./latch.ts";

/** What a handler is told. */
export type Notification<T extends KubernetesObject> =
  | { readonly kind: "add"; readonly object: T; readonly isInInitialList: boolean }
  | { readonly kind: "update"; readonly objectOld: T; readonly objectNew: T }
  | { readonly kind: "delete"; readonly object: T; readonly isStateUnknown: boolean }
  /** Everything of the beginning has been told. */
  | { readonly kind: "synced" };

/** What a listener works with. */
export interface HandlerListenerOptions<T extends KubernetesObject> {
  readonly handler: ResourceEventHandler<T>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns all objects, to tell them again. */
  readonly list: () => readonly T[];
  readonly resyncPeriodMs: number;
  readonly onRemove: () => void;
}

// Sync handlers never give way to the event loop by themselves.
const CALLS_PER_TURN = 512;

/** Tells one handler in its own time, however slow it is, from a line of its own without limit. */
export class HandlerListener<T extends KubernetesObject> implements HandlerRegistration {
  readonly #options: HandlerListenerOptions<T>;
  readonly #line = new Fifo<Notification<T>>();
  readonly #synced = new Latch();
  #running: Promise<void> | undefined;
  #resyncTimer: Timer | undefined;
  #isStopped = false;

  constructor(options: HandlerListenerOptions<T>) {
    this.#options = options;
    this.#armResync();
  }

  /** How many notifications wait for the handler. */
  get backlog(): number {
    return this.#line.size;
  }

  notify(notification: Notification<T>): void {
    if (this.#isStopped) {
      return;
    }
    this.#line.push(notification);
    this.#running ??= this.#run();
  }

  hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    await this.#synced.wait(signal);
  }

  remove(): void {
    void this.stop();
    this.#options.onRemove();
  }

  /** Drops what has not been told; resolves when the call under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#line.clear();
    this.#resyncTimer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Handlers are never called from within the store's change.
    await Promise.resolve();
    let calls = 0;
    for (let next = this.#line.shift(); next !== undefined; next = this.#line.shift()) {
      const pending = this.#tell(next);
      if (pending !== undefined) {
        await pending;
      }
      calls += 1;
      if (calls % CALLS_PER_TURN === 0) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    }
    this.#running = undefined;
  }

  #tell(notification: Notification<T>): Promise<void> | undefined {
    try {
      const pending = this.#call(notification);
      return pending instanceof Promise
        ? pending.catch((error: unknown) => this.#report(error, notification))
        : undefined;
    } catch (error) {
      this.#report(error, notification);
      return undefined;
    }
  }

  #call(notification: Notification<T>): void | Promise<void> {
    const { handler } = this.#options;
    switch (notification.kind) {
      case "add":
        return handler.onAdd(notification.object, notification.isInInitialList);
      case "update":
        return handler.onUpdate(notification.objectOld, notification.objectNew);
      case "delete":
        return handler.onDelete(notification.object, notification.isStateUnknown);
      case "synced":
        return this.#synced.open();
      default:
        return notification satisfies never;
    }
  }

  #report(error: unknown, notification: Notification<T>): void {
    const object = notification.kind === "update" ? notification.objectNew : objectOf(notification);
    this.#options.log.error(error, "an event handler failed, the event is lost", {
      event: notification.kind,
      ...(object === undefined ? {} : objectKey(object)),
    });
  }

  #armResync(): void {
    const { clock, resyncPeriodMs, list } = this.#options;
    if (resyncPeriodMs <= 0) {
      return;
    }
    this.#resyncTimer = clock
      .setTimeout(() => {
        for (const object of this.#synced.isOpen ? list() : []) {
          this.notify({ kind: "update", objectOld: object, objectNew: object });
        }
        this.#armResync();
      }, resyncPeriodMs)
      .unref();
  }
}

function objectOf<T extends KubernetesObject>(notification: Notification<T>): T | undefined {
  return "object" in notification ? notification.object : undefined;
}
