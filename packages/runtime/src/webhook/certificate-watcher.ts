import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

import type { Clock, Timer } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { certificateMetrics } from "../metrics/webhook-metrics.ts";
import { WebhookCertificateError } from "./errors.ts";

/** A certificate chain and its private key, as PEM text. */
export interface KeyPair {
  /** The certificate chain. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}

/** Options of a {@link CertificateWatcher}. */
export interface CertificateWatcherOptions {
  /** The path of the certificate. */
  readonly certPath: string;
  /** The path of the private key. */
  readonly keyPath: string;
  /** The clock of the checks. */
  readonly clock: Clock;
  /** The logger. */
  readonly log: Logger;
  /** The interval between checks in milliseconds. Default: 10000. */
  readonly intervalMs?: number;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** Receives a changed pair. */
  readonly onChange: (pair: KeyPair) => void;
}

/**
 * Reads a certificate and its key from files, and again when their content changes, for example when a mounted secret is updated.
 *
 * Guarantees: unreadable or mismatched files are logged and counted, and the previous pair stays in use.
 *
 * controller-runtime: pkg/certwatcher.CertWatcher
 */
export class CertificateWatcher {
  readonly #options: CertificateWatcherOptions;
  #current: KeyPair | undefined;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: CertificateWatcherOptions) {
    this.#options = options;
  }

  /** Reads the files for the first time. Fails: {@link WebhookCertificateError}. */
  async load(): Promise<KeyPair> {
    this.#current = await this.#read();
    return this.#current;
  }

  /** Checks the files periodically until {@link stop}. */
  start(): void {
    this.#timer = this.#options.clock.setTimeout(() => void this.#look(), this.#options.intervalMs ?? 10_000).unref();
  }

  /** Stops the checks. */
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
      this.#options.log.error(error, "cannot reload the serving certificate, keeping the previous one");
    }
    if (!this.#isStopped) this.start();
  }

  async #read(): Promise<KeyPair> {
    const { certPath, keyPath, registry } = this.#options;
    const metrics = certificateMetrics(registry);
    metrics.reads.inc();
    try {
      const [cert, key] = await Promise.all([readFile(certPath, "utf8"), readFile(keyPath, "utf8")]);
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
        throw new TypeError("the key does not match the certificate");
      }
      return { cert, key };
    } catch (error) {
      metrics.readErrors.inc();
      throw new WebhookCertificateError({ cert: certPath, key: keyPath }, error);
    }
  }
}
