import type { Clock } from "@kubescaffold/platform/clock";

const WINDOW_MS = 10 * 60_000;
const MOST_WRITES = 20;

/** Counts the writes of objects, so that two writers that disagree do not replace each other's without end. */
export class WriteWindow {
  readonly #clock: Clock;
  readonly #writes = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a write, and reports whether it may be sent: at most 20 in 10 minutes. */
  admit(object: string): boolean {
    const now = this.#clock.monotonic();
    const recent = (this.#writes.get(object) ?? []).filter((at) => now - at < WINDOW_MS);
    this.#writes.set(object, recent);
    if (recent.length >= MOST_WRITES) return false;
    recent.push(now);
    return true;
  }
}
