import { lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";

import type { Clock } from "@kubescaffold/platform/clock";

import { restClientMetrics, type RestClientMetrics } from "../metrics/client-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";

/** Records the metrics of one client; those that are not registered cost one comparison. */
export class RequestMeter {
  readonly #metrics: RestClientMetrics;
  readonly #host: string;
  readonly #clock: Clock;

  constructor(server: string, registry: MetricsRegistry | undefined, clock: Clock) {
    this.#metrics = restClientMetrics(registry);
    this.#host = URL.canParse(server) ? new URL(server).host : server;
    this.#clock = clock;
  }

  /** Counts an attempt; the code is undefined if there was no response. */
  attempt(method: string, code: number | undefined, isRetry: boolean): void {
    const host = this.#host;
    const label = code === undefined ? "<error>" : String(code);
    this.#metrics.requests.inc({ method, host, code: label });
    if (isRetry) {
      this.#metrics.requestRetry?.inc({ verb: method, host, code: label });
    }
  }

  /** Returns the current time if requests are timed. */
  startRequest(): number | undefined {
    return this.#metrics.requestLatency === undefined ? undefined : this.#clock.monotonic();
  }

  /** Records the duration of a request since {@link startRequest}. */
  endRequest(verb: string, startedAt: number | undefined): void {
    if (startedAt !== undefined) {
      const seconds = (this.#clock.monotonic() - startedAt) / 1000;
      this.#metrics.requestLatency?.with({ verb, host: this.#host }).observe(seconds);
    }
  }

  /** Waits with a function, and records how long that took. */
  async throttled(verb: string, wait: () => Promise<void>): Promise<void> {
    const family = this.#metrics.rateLimiterLatency;
    if (family === undefined) {
      await wait();
      return;
    }
    const startedAt = this.#clock.monotonic();
    try {
      await wait();
    } finally {
      family.with({ verb, host: this.#host }).observe((this.#clock.monotonic() - startedAt) / 1000);
    }
  }

  /** Records the size of a sent body. */
  sent(verb: string, body: string | undefined): void {
    const family = this.#metrics.requestSize;
    family?.with({ verb, host: this.#host }).observe(body === undefined ? 0 : Buffer.byteLength(body));
  }

  /** Records the size of a received body. */
  received(verb: string, body: string): void {
    const family = this.#metrics.responseSize;
    family?.with({ verb, host: this.#host }).observe(Buffer.byteLength(body));
  }

  /** Records the size of a body that is read in chunks, once it was read or the reader stopped. */
  receiving(verb: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const family = this.#metrics.responseSize;
    return family === undefined
      ? chunks
      : measured(chunks, (bytes) => family.with({ verb, host: this.#host }).observe(bytes));
  }

  /** Resolves host names for sockets, and records how long that took. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const startedAt = this.#clock.monotonic();
    resolve(hostname, options, (...results) => {
      const seconds = (this.#clock.monotonic() - startedAt) / 1000;
      this.#metrics.dnsResolutionLatency?.with({ host: hostname }).observe(seconds);
      callback(...results);
    });
  };
}

async function* measured(
  chunks: AsyncIterable<Uint8Array>,
  record: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  } finally {
    record(bytes);
  }
}
