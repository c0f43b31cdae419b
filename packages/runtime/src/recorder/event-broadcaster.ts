import { hostname } from "node:os";

import { isAlreadyExists, isInstance, isNotFound, ScaffoldError, toMicroTime } from "@kubescaffold/k8s";
import type { Event } from "@kubescaffold/k8s/events/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { realClock, sleep, type Clock, type Timer } from "@kubescaffold/platform/clock";

import { type Patch, raw } from "../client/patch.ts";
import { withoutCallScope } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import { ConnectionError, RequestTimeoutError, ServerSilentError } from "../rest/errors.ts";
import { type EventRecorder, makeEventObject, type RecordedEvent, type Reporter, seriesKey } from "./event-recorder.ts";
import type { EventFilter } from "./spam-filter.ts";

/** Writes events, as clients do; what the methods return is ignored. */
export interface EventWriter {
  /** Creates an event. */
  create(event: Event): Promise<unknown>;
  /** Patches an event. */
  patch(event: Event, patch: Patch): Promise<unknown>;
}

/** Options of {@link createEventBroadcaster}. */
export interface EventBroadcasterOptions {
  /** The client that writes the events. */
  readonly client: EventWriter;
  /** The clock of retries and series. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The logger of failed writes. Default: {@link log}. */
  readonly log?: Logger;
  /** The host name in the reporting instance. Default: that of the machine. */
  readonly hostname?: string;
  /** Drops events before they are created; events that repeat a created one are only counted, and not filtered. Default: none, see `createEventSpamFilter`. */
  readonly filter?: EventFilter;
}

/**
 * Writes the events of a program; no request is sent before the first event.
 *
 * client-go: tools/events.EventBroadcaster
 */
export interface EventBroadcaster {
  /** Returns the recorder of a controller. */
  recorder(controller: string): EventRecorder;
  /**
   * Writes pending events and counts, and drops all later ones; `timeoutMs` defaults to 5000.
   *
   * Guarantees: resolves within the timeout even if the server does not answer.
   */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Drops pending events and counts, and all later ones; writes that were sent are not cancelled. */
  drop(): void;
}

/**
 * Creates the broadcaster of a program's events.
 *
 * client-go: tools/events.NewBroadcaster
 */
export function createEventBroadcaster(options: EventBroadcasterOptions): EventBroadcaster {
  return new SeriesBroadcaster(options);
}

const LONGEST_QUEUE = 1000;
const WORKERS = 8;
const MOST_TRIES = 12;
const RETRY_MS = 10_000;
const FINISHED_AFTER_MS = 6 * 60_000;
const HEARTBEAT_MS = 30 * 60_000;
const STOP_TIMEOUT_MS = 5000;
const LONGEST_INSTANCE = 128;

// The state of a series of equal events.
interface Series {
  readonly key: string;
  readonly first: Event;
  count: number;
  lastObservedAt: number;
  /** The count that the server has; 0 as long as it has nothing. */
  writtenCount: number;
  writtenAt: number;
  isQueued: boolean;
}

class SeriesBroadcaster implements EventBroadcaster {
  readonly #client: EventBroadcasterOptions["client"];
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #hostname: string;
  readonly #filter: EventFilter | undefined;
  readonly #series = new Map<string, Series>();
  readonly #queue: Series[] = [];
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  #timer: Timer | undefined;

  constructor(options: EventBroadcasterOptions) {
    this.#client = options.client;
    this.#clock = options.clock ?? realClock;
    this.#log = (options.log ?? rootLog).withName("events");
    this.#hostname = options.hostname ?? hostname();
    this.#filter = options.filter;
  }

  recorder(controller: string): EventRecorder {
    const reporter = { controller, instance: `${controller}-${this.#hostname}`.slice(0, LONGEST_INSTANCE) };
    return {
      event: (regarding, event) => {
        if (!this.#stopping.signal.aborted) {
          // The event outlives the reconcile that reports it.
          withoutCallScope(() => this.#recordSafely(regarding, event, reporter));
        }
      },
    };
  }

  async stop({ timeoutMs = STOP_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    for (const series of this.#series.values()) {
      this.#enqueueIfBehind(series);
    }
    const deadline = new AbortController();
    const expiry = sleep(this.#clock, timeoutMs, deadline.signal).catch(() => undefined);
    await Promise.race([this.#drain(), expiry]);
    deadline.abort();
    await expiry;
  }

  drop(): void {
    this.#stopping.abort();
    this.#timer?.cancel();
    this.#queue.length = 0;
    this.#series.clear();
  }

  // A reconcile must not fail because of an event.
  #recordSafely(regarding: ReadonlyObject, event: RecordedEvent, reporter: Reporter): void {
    try {
      this.#record(makeEventObject(regarding, { event, reporter, now: this.#clock.now() }));
    } catch (error) {
      this.#log.error(error, "cannot record an event", { event });
    }
  }

  #record(event: Event): void {
    const key = seriesKey(event);
    const known = this.#series.get(key);
    if (known === undefined) {
      if (this.#filter?.(event) !== true) {
        this.#start(key, event);
      }
      return;
    }
    known.count += 1;
    known.lastObservedAt = this.#clock.now();
    // The first repetition is written immediately; later ones with the heartbeat, at the end of the series, or at the stop.
    if (known.writtenCount <= 1) {
      this.#enqueue(known);
    }
  }

  #start(key: string, first: Event): void {
    const now = this.#clock.now();
    const series = { key, first, count: 1, lastObservedAt: now, writtenCount: 0, writtenAt: now, isQueued: false };
    if (this.#enqueue(series)) {
      this.#series.set(key, series);
      this.#timer ??= this.#clock.setTimeout(() => this.#tick(), FINISHED_AFTER_MS).unref();
    }
  }

  #enqueue(series: Series): boolean {
    if (series.isQueued) {
      return true;
    }
    if (this.#queue.length >= LONGEST_QUEUE) {
      this.#log.error(undefined, "dropping an event: too many events are pending", { event: series.first });
      return false;
    }
    series.isQueued = true;
    this.#queue.push(series);
    this.#work();
    return true;
  }

  #enqueueIfBehind(series: Series): void {
    if (series.count > series.writtenCount) {
      this.#enqueue(series);
    }
  }

  #work(): void {
    while (this.#working.size < WORKERS) {
      const series = this.#queue.shift();
      if (series === undefined) {
        return;
      }
      const job: Promise<void> = this.#write(series).finally(() => {
        this.#working.delete(job);
        this.#work();
      });
      this.#working.add(job);
    }
  }

  async #drain(): Promise<void> {
    while (this.#working.size > 0) {
      await Promise.all(this.#working);
    }
  }

  async #write(series: Series): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { count } = series;
      try {
        await this.#send(series, count);
        series.writtenCount = count;
        series.writtenAt = this.#clock.now();
        series.isQueued = false;
        this.#enqueueFollowUp(series);
        return;
      } catch (error) {
        if (!(await this.#mayRetry(series, { error, tries }))) {
          return;
        }
      }
    }
  }

  // Repetitions during the first write count as the first repetition.
  #enqueueFollowUp(series: Series): void {
    if (series.count > 1 && series.writtenCount === 1) {
      this.#enqueue(series);
    }
  }

  async #send(series: Series, count: number): Promise<void> {
    if (series.writtenCount === 0) {
      await this.#create(series, count);
      return;
    }
    try {
      await this.#client.patch(series.first, raw("application/merge-patch+json", { series: seriesOf(series, count) }));
    } catch (error) {
      // Servers delete old events; a continued series is recreated.
      if (!isNotFound(error)) {
        throw error;
      }
      await this.#create(series, count);
    }
  }

  async #create(series: Series, count: number): Promise<void> {
    const event = count === 1 ? series.first : { ...series.first, series: seriesOf(series, count) };
    try {
      await this.#client.create(event);
    } catch (error) {
      // The response to an earlier attempt was lost.
      if (!isAlreadyExists(error)) {
        throw error;
      }
    }
  }

  async #mayRetry(
    series: Series,
    { error, tries }: { readonly error: unknown; readonly tries: number },
  ): Promise<boolean> {
    const isConnection =
      isInstance(error, ConnectionError) ||
      isInstance(error, RequestTimeoutError) ||
      isInstance(error, ServerSilentError);
    const isWorthIt = isConnection || !isInstance(error, ScaffoldError);
    if (!isWorthIt || tries >= MOST_TRIES || this.#stopping.signal.aborted) {
      this.#log.error(error, "cannot write an event", { event: series.first, tries });
      series.isQueued = false;
      this.#series.delete(series.key);
      return false;
    }
    // Jitter, so that clients do not all return together after an outage.
    const delayMs = RETRY_MS * (1 + Math.random() * 0.25);
    await sleep(this.#clock, delayMs, this.#stopping.signal).catch(() => undefined);
    return true;
  }

  #tick(): void {
    const now = this.#clock.now();
    for (const series of this.#series.values()) {
      const isFinished = now - series.lastObservedAt >= FINISHED_AFTER_MS;
      if (isFinished || now - series.writtenAt >= HEARTBEAT_MS) {
        this.#enqueueIfBehind(series);
      }
      if (isFinished) {
        this.#series.delete(series.key);
      }
    }
    this.#timer =
      this.#series.size === 0 ? undefined : this.#clock.setTimeout(() => this.#tick(), FINISHED_AFTER_MS).unref();
  }
}

function seriesOf(series: Series, count: number): { readonly count: number; readonly lastObservedTime: string } {
  return { count, lastObservedTime: toMicroTime(series.lastObservedAt) };
}
