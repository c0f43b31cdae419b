import { onAbort } from "@kubescaffold/platform/clock";

interface Waiter {
  readonly isReader: boolean;
  pass(): void;
  fail(error: Error): void;
}

/** A gate that opens once and stays open, or fails and stays closed. */
export class Latch {
  #isOpen = false;
  #failure: Error | undefined;
  #refusal: Error | undefined;
  readonly #waiters = new Set<Waiter>();

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    for (const waiter of this.#waiters) {
      waiter.pass();
    }
  }

  /** Rejects all waiters, and all later ones; does nothing if the gate is open. */
  fail(error: Error): void {
    if (this.#isOpen) {
      return;
    }
    this.#failure ??= error;
    for (const waiter of this.#waiters) {
      waiter.fail(this.#failure);
    }
  }

  /** Rejects readers, also later ones until {@link admitReaders}; the gate may still open. */
  refuseReaders(error: Error): void {
    this.#refusal = error;
    for (const waiter of this.#waiters) {
      if (waiter.isReader) {
        waiter.fail(error);
      }
    }
  }

  /** Lets readers wait again. */
  admitReaders(): void {
    this.#refusal = undefined;
  }

  /**
   * Resolves when the gate is open.
   *
   * Fails: with the signal's reason when it aborts first, or with the error of {@link fail} or, for readers, {@link refuseReaders}.
   */
  async wait(signal?: AbortSignal, { isReader = false }: { readonly isReader?: boolean } = {}): Promise<void> {
    if (this.#isOpen) {
      return;
    }
    const refusal = this.#failure ?? (isReader ? this.#refusal : undefined);
    if (refusal !== undefined) {
      throw refusal;
    }
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        forget();
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        isReader,
        pass: () => {
          leave();
          resolve();
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiters.add(waiter);
      const forget = onAbort(signal, () => waiter.fail(signal?.reason as Error));
    });
  }
}
