import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";

import { checkNumbers } from "@kubescaffold/k8s";
import { type Clock, realClock, type Timer } from "@kubescaffold/platform/clock";

import type { SelfSignedPair } from "../certificates/self-signed-certificate.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { certificateMetrics } from "../metrics/webhook-metrics.ts";
import { WebhookCertificateError, WebhookClientCaError } from "./errors.ts";

/** A certificate chain and its private key, as PEM text. */
export interface KeyPair {
  /** The certificate chain. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
  /** The certificates of the authorities whose client certificates are accepted, if they are read from a file. */
  readonly ca?: string;
}

/** Options of a {@link CertificateWatcher}. */
export interface CertificateWatcherOptions {
  /** The path of the certificate. */
  readonly certPath: string;
  /** The path of the private key. */
  readonly keyPath: string;
  /** Returns the pair to use instead of the files, whose paths are then names for messages. Default: the files are read. */
  readonly pair?: () => SelfSignedPair | undefined;
  /** The path of the certificates of the authorities whose client certificates are accepted. */
  readonly clientCaPath?: string;
  /** The clock of the checks. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The logger. Default: {@link log}. */
  readonly log?: Logger;
  /** The interval between checks in milliseconds. Default: 10000. */
  readonly intervalMs?: number;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
}

/** Receives a certificate and its key. */
export type CertificateCallback = (pair: KeyPair) => void;

/**
 * Reads a certificate and its key, and the authorities of clients, from files, and again when their content changes, for example when a mounted secret is updated.
 *
 * Guarantees: unreadable or mismatched files are logged and counted, and the previous pair stays in use. A callback that throws is logged; the others are called.
 *
 * controller-runtime: pkg/certwatcher.CertWatcher
 */
export class CertificateWatcher {
  readonly #options: CertificateWatcherOptions;
  readonly #log: Logger;
  readonly #callbacks: CertificateCallback[] = [];
  #current: KeyPair | undefined;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: CertificateWatcherOptions) {
    checkNumbers("the certificate watcher", options, { intervalMs: "interval" });
    this.#options = options;
    this.#log = options.log ?? rootLog;
  }

  /**
   * Calls a function with the current pair, if the files were read already, and with each later one.
   *
   * controller-runtime: pkg/certwatcher.CertWatcher.RegisterCallback
   */
  registerCallback(callback: CertificateCallback): void {
    this.#callbacks.push(callback);
    if (this.#current !== undefined) this.#call(callback, this.#current);
  }

  /** Reads the files for the first time. Fails: {@link WebhookCertificateError}. */
  async load(): Promise<KeyPair> {
    const pair = await this.#read();
    this.#use(pair);
    return pair;
  }

  /** Checks the files periodically until {@link stop}. */
  start(): void {
    const { clock = realClock, intervalMs = 10_000 } = this.#options;
    this.#timer = clock.setTimeout(() => void this.#look(), intervalMs).unref();
  }

  /** Stops the checks. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  /** Checks now. Fails: {@link WebhookCertificateError}, `WebhookClientCaError`; the previous pair stays in use then. */
  async refresh(): Promise<void> {
    const pair = await this.#read();
    if (isSame(pair, this.#current)) return;
    this.#logChange(pair);
    this.#use(pair);
  }

  async #look(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      this.#log.error(error, "cannot reload the serving certificate, keeping the previous one");
    }
    if (!this.#isStopped) this.start();
  }

  #logChange({ cert, key }: KeyPair): void {
    const { certPath, clientCaPath } = this.#options;
    if (cert !== this.#current?.cert || key !== this.#current.key) {
      this.#log.info("serving a new certificate", { path: certPath });
    } else {
      this.#log.info("using new client certificate authorities", { path: clientCaPath });
    }
  }

  #use(pair: KeyPair): void {
    this.#current = pair;
    for (const callback of this.#callbacks) this.#call(callback, pair);
  }

  #call(callback: CertificateCallback, pair: KeyPair): void {
    try {
      callback(pair);
    } catch (error) {
      this.#log.error(error, "a callback for certificates failed", { path: this.#options.certPath });
    }
  }

  async #read(): Promise<KeyPair> {
    const { certPath, keyPath, clientCaPath, registry } = this.#options;
    const metrics = certificateMetrics(registry);
    metrics.reads.inc();
    try {
      const { cert, key } = this.#options.pair?.() ?? (await readPair(certPath, keyPath));
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
        throw new TypeError("the key does not match the certificate");
      }
      // Reads the whole chain.
      createSecureContext({ cert, key });
      return { cert, key, ...(await readClientCa(clientCaPath)) };
    } catch (error) {
      metrics.readErrors.inc();
      throw error instanceof WebhookClientCaError
        ? error
        : new WebhookCertificateError({ cert: certPath, key: keyPath }, error);
    }
  }
}

async function readPair(certPath: string, keyPath: string): Promise<SelfSignedPair> {
  const [cert, key] = await Promise.all([readFile(certPath, "utf8"), readFile(keyPath, "utf8")]);
  return { cert, key };
}

async function readClientCa(file: string | undefined): Promise<Pick<KeyPair, "ca">> {
  if (file === undefined) return {};
  try {
    const ca = await readFile(file, "utf8");
    requireCertificates(ca);
    return { ca };
  } catch (error) {
    throw new WebhookClientCaError(file, error);
  }
}

// Node ignores a certificate that it cannot read and those after it, and would then refuse their clients.
function requireCertificates(bundle: string): void {
  const certificates = bundle.split(/^(?=-----BEGIN )/mu).filter((block) => CERTIFICATE.test(block));
  if (certificates.length === 0) throw new TypeError("the file contains no certificate");
  for (const certificate of certificates) void new X509Certificate(certificate);
}

const CERTIFICATE = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/u;

function isSame(pair: KeyPair, other: KeyPair | undefined): boolean {
  return pair.cert === other?.cert && pair.key === other.key && pair.ca === other.ca;
}
