import type { Clock } from "@kubescaffold/platform/clock";

// The most pods that upstream's controllers create in one round of work, and then the rate of kube-controller-manager's clients.
const BURST = 500;
const PER_SECOND = 20;
const FULL_AFTER_MS = (BURST / PER_SECOND) * 1000;

interface Allowance {
  readonly left: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Limits how many pods a controller creates in a namespace.
 *
 * Guarantees: at most 500 at once, and 20 a second after that, so a number of replicas that is out of all proportion fills neither the memory nor the time of
 * the process. Other namespaces are not affected.
 */
export class CreationPace {
  readonly #clock: Pick<Clock, "now">;
  // Ordered by the time of the last creation. What has been left alone long enough is whole again, and forgotten.
  readonly #allowances = new Map<string, Allowance>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Takes the right to create up to this many pods; returns how many may be created now. */
  take(namespace: string, count: number): number {
    const left = this.#leftIn(namespace);
    const granted = Math.max(0, Math.min(count, Math.floor(left)));
    this.#keep(namespace, left - granted);
    return granted;
  }

  /** Gives back the right to create pods that were not created. */
  giveBack(namespace: string, count: number): void {
    this.#keep(namespace, Math.min(BURST, this.#leftIn(namespace) + count));
  }

  /** Returns after how many milliseconds as many more pods may be created as in a second, or `count` if that is less. */
  untilMoreMs(namespace: string, count: number): number {
    const wanted = Math.max(1, Math.min(count, PER_SECOND));
    return Math.max(1, Math.ceil(((wanted - this.#leftIn(namespace)) / PER_SECOND) * 1000));
  }

  #leftIn(namespace: string): number {
    const { left, at } = this.#allowances.get(namespace) ?? { left: BURST, at: this.#clock.now() };
    // The clock may have been set back.
    return Math.min(BURST, left + (Math.max(0, this.#clock.now() - at) / 1000) * PER_SECOND);
  }

  #keep(namespace: string, left: number): void {
    const now = this.#clock.now();
    this.#allowances.delete(namespace);
    this.#allowances.set(namespace, { left, at: now });
    for (const [name, { at }] of this.#allowances) {
      if (now - at < FULL_AFTER_MS) break;
      this.#allowances.delete(name);
    }
  }
}
