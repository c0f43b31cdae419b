import { messageOf, checkNumbers } from "@kubescaffold/k8s";
import type { Clock, Timer } from "@kubescaffold/platform/clock";

import type { AuditEvent } from "./audit-event.ts";
import { type AuditBatchOptions, EventBatches } from "./event-batches.ts";

/** A list of events of `audit.k8s.io/v1`, as a webhook receives it. */
export interface AuditEventList {
  /** The kind. */
  readonly kind: "EventList";
  /** The version of its API. */
  readonly apiVersion: "audit.k8s.io/v1";
  /** Always empty. */
  readonly metadata: object;
  /** The events, whose kind is that of the list. */
  readonly items: readonly Omit<AuditEvent, "kind" | "apiVersion">[];
}

/** A webhook that receives events. */
export interface AuditWebhookOptions {
  /** Sends a list of events, and fails if it was not received. */
  readonly send: (list: AuditEventList) => Promise<void>;
  /** Closes connections after the last list. Default: none. */
  readonly close?: () => Promise<void>;
  /**
   * `batch` sends events later; `blocking` sends each before its request goes on; `blocking-strict` also refuses requests whose first event cannot
   * be sent. Default: `batch`.
   */
  readonly mode?: AuditWebhookMode;
  /** How events are collected in the mode `batch`. */
  readonly batch?: AuditBatchOptions;
  /** The wait before the first of four retries; each further one is 1.5 times as long. Default: 10 seconds. */
  readonly initialBackoffMs?: number;
}

/** A mode of a webhook. */
export type AuditWebhookMode = "batch" | "blocking" | "blocking-strict";

const ATTEMPTS = 5;
const FACTOR = 1.5;
const JITTER = 0.2;
const INITIAL_BACKOFF_MS = 10_000;

/** Sends events to a webhook, at once or in batches, and again if that fails. */
export class AuditWebhook {
  readonly #clock: Clock;
  readonly #options: AuditWebhookOptions;
  readonly #batches: EventBatches | undefined;
  readonly #deliveries = new Set<Promise<boolean>>();
  readonly #waits = new Map<Timer, () => void>();
  #isClosed = false;

  constructor(clock: Clock, options: AuditWebhookOptions) {
    checkNumbers("the audit webhook", options, { initialBackoffMs: "duration" });
    this.#clock = clock;
    this.#options = options;
    if ((options.mode ?? "batch") === "batch")
      this.#batches = new EventBatches(clock, options.batch ?? {}, (events) => void this.#deliver(events));
  }

  /** Takes an event; the result, if there is one, is awaited, and `false` if the event is lost and its request must fail. */
  write(event: AuditEvent): Promise<boolean> | undefined {
    if (this.#batches === undefined) return this.#send(event);
    this.#batches.add(event);
    return undefined;
  }

  /** Sends what was collected, and resolves when the webhook has answered; nothing is sent again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#batches?.close();
    for (const [timer, wake] of this.#waits) {
      timer.cancel();
      wake();
    }
    await Promise.all(this.#deliveries);
    await this.#options.close?.();
  }

  async #send(event: AuditEvent): Promise<boolean> {
    const isSent = await this.#deliver([event]);
    return isSent || this.#options.mode !== "blocking-strict";
  }

  #deliver(events: readonly AuditEvent[]): Promise<boolean> {
    const delivery = this.#attempt(events).finally(() => this.#deliveries.delete(delivery));
    this.#deliveries.add(delivery);
    return delivery;
  }

  async #attempt(events: readonly AuditEvent[]): Promise<boolean> {
    const list = listOf(events);
    let backoffMs = this.#options.initialBackoffMs ?? INITIAL_BACKOFF_MS;
    for (let left = ATTEMPTS - 1; ; left -= 1) {
      try {
        await this.#options.send(list);
        return true;
      } catch (error) {
        if (left === 0 || this.#isClosed) {
          reportLoss(events.length, error);
          return false;
        }
      }
      await this.#wait(backoffMs * (1 + Math.random() * JITTER));
      backoffMs *= FACTOR;
    }
  }

  async #wait(delayMs: number): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = this.#clock.setTimeout(() => {
        this.#waits.delete(timer);
        resolve();
      }, delayMs);
      this.#waits.set(timer.unref(), resolve);
    });
  }
}

function listOf(events: readonly AuditEvent[]): AuditEventList {
  const items = events.map(({ kind: _kind, apiVersion: _apiVersion, ...event }) => event);
  return { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items };
}

function reportLoss(count: number, error: unknown): void {
  const reason = messageOf(error);
  process.stderr.write(`cannot send ${String(count)} audit ${count === 1 ? "event" : "events"}: ${reason}\n`);
}
