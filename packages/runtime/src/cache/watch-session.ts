import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { type Clock, onAbort } from "@kubescaffold/platform/clock";

import type { WatchEvent } from "../client/client.ts";
import type { WatchOptions } from "../client/options.ts";
import { WATCH_GRACE_MS } from "../client/watch-stream.ts";
import type { ListWatch } from "./list-watch.ts";

/** Options of {@link WatchSession}. */
interface WatchSessionOptions<T extends KubernetesObject> {
  readonly listWatch: ListWatch<T>;
  readonly clock: Clock;
  readonly request: WatchOptions & { readonly timeoutSeconds: number };
  /** Closes the watch when it aborts. */
  readonly signal: AbortSignal;
}

/** An open watch, whose events may be read in several phases. */
export class WatchSession<T extends KubernetesObject> {
  readonly #clock: Clock;
  readonly #openedAt: number;
  readonly #connection = new AbortController();
  readonly #events: AsyncIterator<WatchEvent<T>>;
  readonly #release: () => void;
  /** The number of received events. */
  events = 0;

  constructor({ listWatch, clock, request, signal }: WatchSessionOptions<T>) {
    this.#clock = clock;
    this.#openedAt = clock.monotonic();
    const forgetSignal = onAbort(signal, () => this.#connection.abort(signal.reason));
    const silence = clock
      .setTimeout(() => this.#connection.abort(), request.timeoutSeconds * 1000 + WATCH_GRACE_MS)
      .unref();
    this.#release = () => {
      silence.cancel();
      forgetSignal();
    };
    const stream = listWatch.watch({ ...request, signal: this.#connection.signal });
    this.#events = stream[Symbol.asyncIterator]();
  }

  /** Milliseconds since the watch was opened. */
  get ageMs(): number {
    return this.#clock.monotonic() - this.#openedAt;
  }

  /** Whether the watch was closed here, because of its signal, its timeout, or {@link abort}. */
  get isAborted(): boolean {
    return this.#connection.signal.aborted;
  }

  /** Returns the next event; undefined at the end. */
  async next(): Promise<WatchEvent<T> | undefined> {
    const next = await this.#events.next();
    if (next.done === true) {
      return undefined;
    }
    this.events += 1;
    return next.value;
  }

  /** Closes the connection. */
  abort(): void {
    this.#connection.abort();
  }

  /** Closes the connection and releases the signal. */
  async close(): Promise<void> {
    this.#release();
    await this.#events.return?.();
  }
}
