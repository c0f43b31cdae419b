import { createHmac, randomBytes } from "node:crypto";

import { isRecord } from "@kubescaffold/platform";

const SHORTEST = 6;
const DIGEST_LENGTH = 8;
const REDACTED = "<redacted>";

/** The values of the Secrets of a run, which nothing that is printed or written may contain. */
export class SecretValues {
  // Digests of short values could be guessed without it.
  readonly #key = randomBytes(32);
  readonly #values = new Set<string>();

  /** Adds the values of a Secret; other objects are ignored. */
  add(object: { readonly kind?: string | undefined; readonly data?: unknown }): void {
    if (object.kind !== "Secret" || !isRecord(object.data)) return;
    for (const value of Object.values(object.data)) {
      if (typeof value !== "string") continue;
      this.addText(value);
      this.addText(Buffer.from(value, "base64").toString("utf8"));
    }
  }

  /** Adds a text, such as a token. Short texts are ordinary words, and hidden only in Secrets. */
  addText(text: string): void {
    const isBuiltIn = text.startsWith("-----BEGIN CERTIFICATE");
    if (text.length >= SHORTEST && !isBuiltIn) this.#values.add(text);
  }

  /** Returns a stand-in for a value of a Secret: the same for equal values in this process, and useless to others. */
  readonly hide = (value: string): string => {
    const digest = createHmac("sha256", this.#key).update(value).digest("hex").slice(0, DIGEST_LENGTH);
    return `<redacted ${digest}>`;
  };

  /** Returns a JSON value whose texts contain no value of a Secret. */
  redact<T>(value: T): T {
    if (this.#values.size === 0) return value;
    // Longer values first, since they may contain others.
    const values = [...this.#values].sort((left, right) => right.length - left.length);
    const text = JSON.stringify(value);
    const isShown = values.some((each) => text.includes(jsonText(each)));
    if (!isShown) return value;
    return JSON.parse(values.reduce((result, each) => result.replaceAll(jsonText(each), REDACTED), text)) as T;
  }
}

// As it is in JSON, without quotes.
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
