import { type Clock, type Timer, TurnShare } from "@kubescaffold/platform/clock";

const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 10_000;

/**
 * Works keys off one at a time: a key added while it waits is done once, one added while it is worked on is done again.
 *
 * Guarantees: a key whose work throws is tried again after 5 ms, 10 ms and so on up to 10 s of the server's clock.
 */
export class KeyedWorker {
  readonly #clock: Clock;
  readonly #work: (key: string) => Promise<void>;
  readonly #turns: Pick<TurnShare, "step">;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly timer: Timer; readonly dueAt: number }>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(clock: Clock, work: (key: string) => Promise<void>, turns: Pick<TurnShare, "step"> = new TurnShare()) {
    this.#clock = clock;
    this.#work = work;
    this.#turns = turns;
  }

  /** Asks for a key to be worked on. */
  add(key: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(key);
    if (this.#running !== undefined) return;
    this.#running = this.#drain();
    this.#clock.hold?.(this.#running);
  }

  /** Asks for a key to be worked on after a delay. The earliest time counts, as in the delaying queue of client-go. Returns a function that takes it back until then. */
  addAfter(key: string, delayMs: number): () => void {
    const dueAt = this.#clock.now() + delayMs;
    const former = this.#timers.get(key);
    if (this.#isStopped || (former !== undefined && former.dueAt <= dueAt)) return () => undefined;
    former?.timer.cancel();
    const timer = this.#clock.setTimeout(() => {
      this.#forgetTimer(key, timer);
      this.add(key);
    }, delayMs);
    this.#timers.set(key, { timer: timer.unref(), dueAt });
    return () => this.#forgetTimer(key, timer);
  }

  #forgetTimer(key: string, timer: Timer): void {
    timer.cancel();
    if (this.#timers.get(key)?.timer === timer) this.#timers.delete(key);
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
    for (const { timer } of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    await this.#running;
  }

  async #drain(): Promise<void> {
    // A listener of the store must not write while it is called back, and other listeners come first.
    await Promise.resolve();
    for (const key of this.#waiting) {
      // Work that causes more work must not keep timers and sockets from their turn.
      await this.#turns.step();
      // The worker may have been stopped meanwhile.
      if (!this.#waiting.delete(key)) continue;
      await this.#workOn(key);
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
