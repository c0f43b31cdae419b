import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

import type { RestConfig, TlsConfig } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

const REREAD_MS = 60_000;

/**
 * Provides the TLS settings of a config; rereads the files of certificates and keys every minute.
 *
 * Guarantees: a file that is unreadable, empty, or half-written leaves the previous settings in effect; a client certificate
 * is only replaced together with its key.
 */
export class TlsFiles {
  readonly #clock: Clock;
  #current: TlsConfig | undefined;
  #readAt: number;
  #reading: Promise<void> | undefined;

  constructor(config: RestConfig, clock: Clock) {
    this.#current = config.tls;
    this.#clock = clock;
    this.#readAt = clock.monotonic();
  }

  /** Returns the settings for the next request; the same object while nothing has changed. */
  async settings(): Promise<TlsConfig | undefined> {
    const { caFile, certFile, keyFile } = this.#current ?? {};
    const hasFiles = caFile !== undefined || certFile !== undefined || keyFile !== undefined;
    if (hasFiles && this.#clock.monotonic() - this.#readAt >= REREAD_MS) {
      // Concurrent requests read the files once.
      this.#reading ??= this.#reread().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.#current;
  }

  async #reread(): Promise<void> {
    const previous = this.#current ?? {};
    const [ca, cert, key] = await Promise.all([
      readIfValid(previous.caFile, isCertificate),
      readIfValid(previous.certFile, isCertificate),
      readIfValid(previous.keyFile, isKey),
    ]);
    const pair = { cert: cert ?? previous.cert, key: key ?? previous.key };
    const next = {
      ...previous,
      ...(ca === undefined ? {} : { ca }),
      ...(isPair(pair) ? { cert: pair.cert, key: pair.key } : {}),
    };
    const isSame = next.ca === previous.ca && next.cert === previous.cert && next.key === previous.key;
    this.#current = isSame ? this.#current : next;
    this.#readAt = this.#clock.monotonic();
  }
}

async function readIfValid(file: string | undefined, isValid: (text: string) => boolean): Promise<string | undefined> {
  const text = file === undefined ? "" : await readFile(file, "utf8").catch(() => "");
  return text !== "" && isValid(text) ? text : undefined;
}

interface Pair {
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

function isPair(pair: Pair): pair is { readonly cert: string; readonly key: string } {
  const { cert, key } = pair;
  return (
    cert !== undefined &&
    key !== undefined &&
    holds(() => new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
  );
}

function isCertificate(text: string): boolean {
  return holds(() => new X509Certificate(text).raw.length > 0);
}

function isKey(text: string): boolean {
  return holds(() => createPrivateKey(text).type === "private");
}

function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
