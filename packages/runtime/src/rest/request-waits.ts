import { onAbort } from "@kubescaffold/platform/clock";

import { ClientClosedError } from "./errors.ts";

/** The waits of a client's requests for their turn or for a retry; they end with the client, so that none keeps the process alive. */
export class RequestWaits {
  readonly #server: string;
  readonly #ending = new AbortController();

  constructor(server: string) {
    this.#server = server;
  }

  /** Waits with a signal that aborts with the request's, or with the client. Fails: with the reason of the signal, or {@link ClientClosedError}. */
  async during(signal: AbortSignal | undefined, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const ending = new AbortController();
    const listening = [signal, this.#ending.signal].map((each) => onAbort(each, () => ending.abort(each?.reason)));
    try {
      await wait(ending.signal);
    } finally {
      for (const stopListening of listening) stopListening();
    }
  }

  /** Ends all waits, and later ones at once. */
  end(): void {
    this.#ending.abort(new ClientClosedError(this.#server));
  }
}
