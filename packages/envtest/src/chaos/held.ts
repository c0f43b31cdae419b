import type { Clock } from "@kubescaffold/platform/clock";

/** The requests and events that faults delay; a test can end all of these faults at once. */
export class Held {
  readonly #clock: Clock;
  readonly #releases: Set<() => void> = new Set();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until a delay has passed, the signal aborts, or everything is released. */
  async wait(delayMs: number, signal: AbortSignal): Promise<void> {
    await this.#hold(signal, (release) => {
      const timer = this.#clock.setTimeout(release, delayMs);
      return () => timer.cancel();
    });
  }

  /** Waits until the signal aborts or everything is released. */
  async forever(signal: AbortSignal): Promise<void> {
    await this.#hold(signal, () => () => undefined);
  }

  /** Ends all waits. */
  releaseAll(): void {
    for (const release of this.#releases) release();
  }

  async #hold(signal: AbortSignal, start: (release: () => void) => () => void): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const release = (): void => {
        this.#releases.delete(release);
        signal.removeEventListener("abort", release);
        cancel();
        resolve();
      };
      this.#releases.add(release);
      signal.addEventListener("abort", release, { once: true });
      const cancel = start(release);
    });
  }
}
