import { onAbort } from "../clock/clock.ts";

/** A gate that opens once and stays open. */
export class Latch {
  #isOpen = false;
  #waiters: (() => void)[] = [];

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#waiters.splice(0).forEach((resolve) => resolve());
  }

  /** Resolves when the gate is open. Fails: with the signal's reason when it aborts first. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (this.#isOpen) {
      return;
    }
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const forget = onAbort(signal, () => {
        this.#waiters = this.#waiters.filter((waiter) => waiter !== pass);
        reject(signal?.reason as Error);
      });
      const pass = (): void => {
        forget();
        resolve();
      };
      this.#waiters.push(pass);
    });
  }
}
