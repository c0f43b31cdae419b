import type { Clock, Timer } from "../clock/clock.ts";
import { nextTurn } from "../clock/event-loop.ts";

const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 10_000;
// Work that causes more work must not keep timers and sockets from their turn.
const KEYS_PER_TURN = 100;

/**
 * Works keys off one at a time: a key added while it waits is done once, one added while it is worked on is done again.
 *
 * Guarantees: a key whose work throws is tried again after 5 ms, 10 ms and so on up to 10 s of the server's clock.
 */
export class KeyedWorker {
  readonly #clock: Clock;
  readonly #work: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<Timer>();
  #running: Promise<void> | undefined;
  #isStopped = false;
  #workedOn = 0;

  constructor(clock: Clock, work: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#work = work;
  }

  /** Asks for a key to be worked on. */
  add(key: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(key);
    this.#running ??= this.#drain();
  }

  /** Asks for a key to be worked on after a delay. Returns a function that takes it back until then. */
  addAfter(key: string, delayMs: number): () => void {
    if (this.#isStopped) return () => undefined;
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(timer);
      this.add(key);
    }, delayMs);
    this.#timers.add(timer.unref());
    return () => {
      this.#timers.delete(timer);
      timer.cancel();
    };
  }

  /** Reports whether a key waits or is being worked on; retries that wait for time to pass do not count. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Resolves when no key waits any more, those that wait for a retry aside. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Forgets what waits; resolves when what is being worked on has come to its end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    await this.#running;
  }

  async #drain(): Promise<void> {
    // A listener of the store must not write while it is called back, and other listeners come first.
    await Promise.resolve();
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      await this.#workOn(key);
      this.#workedOn += 1;
      if (this.#workedOn % KEYS_PER_TURN === 0) await nextTurn();
    }
    this.#running = undefined;
  }

  async #workOn(key: string): Promise<void> {
    try {
      await this.#work(key);
      this.#failures.delete(key);
    } catch {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
    }
  }
}
