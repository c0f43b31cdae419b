import type { Clock } from "../clock/clock.ts";

/** Keeps values for a while; the oldest go first when there are too many. */
export class ExpiringMap<V> {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: V; readonly expiresAtMs: number }>();

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Returns the value of a key unless its time is over. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs > this.#clock.monotonic()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Keeps a value for so many milliseconds. */
  set(key: string, value: V, lifetimeMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAtMs: this.#clock.monotonic() + lifetimeMs });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#limit && oldest.done !== true) this.#entries.delete(oldest.value);
  }
}
