import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

import type { Clock, Timer } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import { certificateMetrics } from "../metrics/webhook-metrics.ts";
import { WebhookCertificateError } from "./errors.ts";

/** A certificate chain and its key, as PEM text. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** What is watched, and who is told. */
export interface CertificateWatcherOptions {
  readonly certPath: string;
  readonly keyPath: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds between looks at the files; 10 s when absent, as upstream. */
  readonly intervalMs?: number;
  readonly onChange: (pair: KeyPair) => void;
}

/**
 * Reads a certificate and key from files and again whenever their content has changed, as secrets mounted into pods do by swapped links.
 *
 * Guarantees: what cannot be read or does not belong together is logged and counted, and the former pair stays in use.
 */
export class CertificateWatcher {
  readonly #options: CertificateWatcherOptions;
  #current: KeyPair | undefined;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: CertificateWatcherOptions) {
    this.#options = options;
  }

  /** Reads the files for the first time. Fails: {@link WebhookCertificateError} when that does not work. */
  async load(): Promise<KeyPair> {
    this.#current = await this.#read();
    return this.#current;
  }

  /** Looks at the files from now on, until {@link stop}. */
  start(): void {
    this.#timer = this.#options.clock.setTimeout(() => void this.#look(), this.#options.intervalMs ?? 10_000).unref();
  }

  /** Looks no more. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    try {
      const pair = await this.#read();
      if (pair.cert !== this.#current?.cert || pair.key !== this.#current.key) {
        this.#current = pair;
        this.#options.log.info("serving a new certificate", { path: this.#options.certPath });
        this.#options.onChange(pair);
      }
    } catch (error) {
      this.#options.log.error(error, "the serving certificate could not be read again, the former stays in use");
    }
    if (!this.#isStopped) this.start();
  }

  async #read(): Promise<KeyPair> {
    const { certPath, keyPath } = this.#options;
    certificateMetrics().reads.inc();
    try {
      const [cert, key] = await Promise.all([readFile(certPath, "utf8"), readFile(keyPath, "utf8")]);
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
        throw new TypeError("the key does not belong to the certificate");
      }
      return { cert, key };
    } catch (error) {
      certificateMetrics().readErrors.inc();
      throw new WebhookCertificateError({ cert: certPath, key: keyPath }, error);
    }
  }
}
