import { untilAborted } from "@kubescaffold/platform/clock";

import type { Logger } from "../log/logger.ts";
import type { SelfSignedPair } from "./self-signed-certificate.ts";

/** Serves a pair; resolves when connections from now on get it. */
export type CertificateConsumer = (pair: SelfSignedPair) => void | Promise<void>;

interface Subscription {
  served?: SelfSignedPair;
  isBusy: boolean;
}

/** Where servers get the certificate that they serve, and its successors. */
export class CertificateSource {
  readonly #log: Logger;
  readonly #subscriptions = new Map<CertificateConsumer, Subscription>();
  #current: SelfSignedPair | undefined;
  #onFirst: () => void = () => undefined;
  readonly #first = new Promise<void>((resolve) => {
    this.#onFirst = resolve;
  });

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The pair to serve; undefined until there is one. */
  get current(): SelfSignedPair | undefined {
    return this.#current;
  }

  /** Whether all consumers serve the current pair. */
  get isServed(): boolean {
    const { current } = this;
    return current !== undefined && [...this.#subscriptions.values()].every(({ served }) => served === current);
  }

  /** Resolves when there is a pair. Fails: with the signal's reason. */
  async whenAvailable(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#first, signal);
  }

  /** Passes the current pair and each new one to a consumer, until the returned function is called. */
  subscribe(consumer: CertificateConsumer): () => void {
    this.#subscriptions.set(consumer, { isBusy: false });
    void this.#pass(consumer);
    return () => void this.#subscriptions.delete(consumer);
  }

  /** Lets all consumers serve a pair, also those that failed to serve it before. */
  use(pair: SelfSignedPair): void {
    if (pair.cert !== this.#current?.cert || pair.key !== this.#current.key) this.#current = pair;
    this.#onFirst();
    for (const consumer of this.#subscriptions.keys()) void this.#pass(consumer);
  }

  async #pass(consumer: CertificateConsumer): Promise<void> {
    const subscription = this.#subscriptions.get(consumer);
    if (subscription === undefined || subscription.isBusy) return;
    subscription.isBusy = true;
    try {
      while (this.#current !== undefined && subscription.served !== this.#current) {
        const pair = this.#current;
        await consumer(pair);
        subscription.served = pair;
      }
    } catch (error) {
      this.#log.error(error, "cannot serve the new certificate");
    }
    subscription.isBusy = false;
  }
}
