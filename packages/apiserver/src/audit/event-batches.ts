import { checkNumbers } from "@kubescaffold/k8s";
import type { Clock, Timer } from "@kubescaffold/platform/clock";

import type { AuditEvent } from "./audit-event.ts";

/** How events are collected before they are sent, with the defaults of kube-apiserver. */
export interface AuditBatchOptions {
  /** The events that wait while a batch is delayed by `throttle`; later ones are dropped. Default: 10000. */
  readonly bufferSize?: number;
  /** The events of a batch. Default: 400. */
  readonly maxSize?: number;
  /** The longest interval between two batches. Default: 30 seconds. */
  readonly maxWaitMs?: number;
  /** The rate of batches; `false` for no limit. Default: 10 a second, and 15 at once. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number } | false;
}

const DEFAULTS = { bufferSize: 10_000, maxSize: 400, maxWaitMs: 30_000, throttle: { perSecond: 10, burst: 15 } };
const SECOND_MS = 1000;

/** Collects events into batches: of a size, or when the interval since the last batch is over, and not more of them than a rate permits. */
export class EventBatches {
  readonly #clock: Clock;
  readonly #limits: Required<AuditBatchOptions>;
  readonly #send: (events: readonly AuditEvent[]) => void;
  #collected: AuditEvent[] = [];
  /** Events that came while a batch waits for its turn. */
  #buffer: AuditEvent[] = [];
  #interval: Timer | undefined;
  #turn: Timer | undefined;
  /** When the next batch may be sent if no more may be sent at once, as a time in milliseconds. */
  #nextTurnMs = Number.NEGATIVE_INFINITY;
  #isDropping = false;

  constructor(clock: Clock, options: AuditBatchOptions, send: (events: readonly AuditEvent[]) => void) {
    this.#clock = clock;
    checkNumbers("the batches of audit events", options, {
      bufferSize: "duration",
      maxSize: "size",
      maxWaitMs: "duration",
    });
    if (options.throttle) {
      checkNumbers("the throttle of audit events", options.throttle, { perSecond: "interval", burst: "size" });
    }
    this.#limits = { ...DEFAULTS, ...options };
    this.#send = send;
    this.#startInterval();
  }

  /** Adds an event, or drops it if too many wait. */
  add(event: AuditEvent): void {
    if (this.#turn === undefined) this.#collect([event]);
    else if (this.#buffer.length < this.#limits.bufferSize) this.#buffer.push(event);
    else this.#drop();
  }

  /** Sends all events at once, and collects no more. */
  close(): void {
    this.#interval?.cancel();
    this.#turn?.cancel();
    const rest = [...this.#collected.splice(0), ...this.#buffer.splice(0)];
    const { maxSize } = this.#limits;
    for (let start = 0; start < rest.length; start += maxSize) this.#send(rest.slice(start, start + maxSize));
  }

  #collect(events: readonly AuditEvent[]): void {
    const waiting = [...events];
    while (waiting.length > 0 && this.#turn === undefined) {
      this.#collected.push(...waiting.splice(0, this.#limits.maxSize - this.#collected.length));
      if (this.#collected.length >= this.#limits.maxSize) this.#flush();
    }
    this.#buffer.push(...waiting);
  }

  #startInterval(): void {
    this.#interval?.cancel();
    if (this.#limits.maxSize > 1)
      this.#interval = this.#clock.setTimeout(() => this.#flush(), this.#limits.maxWaitMs).unref();
  }

  #flush(): void {
    if (this.#collected.length === 0) {
      this.#startInterval();
      return;
    }
    const delayMs = this.#reserveTurn();
    if (delayMs <= 0) {
      this.#sendCollected();
      return;
    }
    this.#interval?.cancel();
    this.#turn = this.#clock
      .setTimeout(() => {
        this.#turn = undefined;
        this.#sendCollected();
        this.#isDropping = false;
        this.#collect(this.#buffer.splice(0));
      }, delayMs)
      .unref();
  }

  #sendCollected(): void {
    this.#send(this.#collected.splice(0));
    this.#startInterval();
  }

  // A bucket of tokens that fills at the rate, told by the time at which it would have been empty.
  #reserveTurn(): number {
    const { throttle } = this.#limits;
    if (throttle === false) return 0;
    const stepMs = SECOND_MS / throttle.perSecond;
    const now = this.#clock.now();
    const start = Math.max(this.#nextTurnMs, now - throttle.burst * stepMs);
    this.#nextTurnMs = start + stepMs;
    return this.#nextTurnMs - now;
  }

  #drop(): void {
    if (!this.#isDropping) process.stderr.write("the buffer of audit events is full: events are dropped\n");
    this.#isDropping = true;
  }
}
