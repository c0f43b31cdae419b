import { setMaxListeners } from "node:events";

/** What can end some work. */
export type Abortable = AbortSignal | Cancellation;

/**
 * Ends some work, as an `AbortController` with its signal does.
 *
 * A signal takes longer to create than most work that it could end takes to begin: it exists only where a function of the platform needs one.
 */
export class Cancellation {
  readonly #listeners = new Set<() => void>();
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;

  /** Whether the work must end. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Why the work must end; undefined while it goes on. */
  get reason(): unknown {
    return this.#reason;
  }

  /** The signal, which aborts with this. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Fails: with the reason once the work must end. */
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  /** Ends the work, with an `AbortError` as reason if there is none. Later calls have no effect. */
  abort(reason: unknown = new DOMException("This operation was aborted", "AbortError")): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  /** Calls back once when the work must end, as {@link onAbort}. */
  onAbort(callback: () => void): () => void {
    if (this.#aborted) {
      callback();
      return () => undefined;
    }
    // A separate listener, since the same callback may be registered twice and removed once.
    const listener = (): void => callback();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Returns the signal of what can end some work, for functions of the platform. */
export function abortSignalOf(abortable: Abortable): AbortSignal {
  return abortable instanceof Cancellation ? abortable.signal : abortable;
}

/**
 * Calls back once when a signal aborts, immediately if it already has.
 *
 * Guarantees: calling the returned function removes the listener; any number of listeners causes no warning.
 */
export function onAbort(signal: Abortable | undefined, callback: () => void): () => void {
  if (signal === undefined) {
    return () => undefined;
  }
  if (signal instanceof Cancellation) return signal.onAbort(callback);
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  // Node 20 warns about more than ten listeners, and every open request adds one.
  setMaxListeners(0, signal);
  // A separate listener, since the same callback may be registered twice and removed once.
  const listener = (): void => callback();
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/**
 * Waits for a promise that others may share.
 *
 * Fails: with the signal's reason when the signal aborts first; the work goes on.
 */
export async function untilAborted<T>(work: Promise<T>, signal: Abortable | undefined): Promise<T> {
  if (signal === undefined) {
    return await work;
  }
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stopListening();
  }
}

/** Resolves when a signal aborts, immediately if it already has. */
export async function whenAborted(signal: AbortSignal): Promise<undefined> {
  return await new Promise((resolve) => {
    onAbort(signal, () => resolve(undefined));
  });
}
