import { createHash } from "node:crypto";

import { printServerJson } from "@kubescaffold/k8s";

import { DigestMismatchError } from "./errors.ts";

/** What an image runs on. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
}

/** Names content by what it is: its digest, size and media type. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly artifactType?: string;
  readonly platform?: Platform;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Content with its name. */
export interface Content {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

const DIGEST = /^sha256:[a-f0-9]{64}$/u;

/** Reports whether a text is a digest that can be checked. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/** Returns the digest of bytes. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Names bytes. */
export function createContent(bytes: Uint8Array, mediaType: string): Content {
  return { bytes, descriptor: { mediaType, digest: digestOf(bytes), size: bytes.byteLength } };
}

/** Names a value, printed as JSON without spaces. */
export function createJsonContent(value: unknown, mediaType: string): Content {
  return createContent(Buffer.from(printServerJson(value)), mediaType);
}

/** Fails: {@link DigestMismatchError} when bytes are not those that a descriptor names. */
export function requireContent(
  bytes: Uint8Array,
  { digest, size }: Pick<Descriptor, "digest" | "size">,
  from: string,
): void {
  if (!isDigest(digest)) {
    throw new DigestMismatchError(`cannot check ${digest} of ${from}: only SHA-256 is supported`, {
      hint: "specify an image with sha256: digests",
    });
  }
  if (bytes.byteLength !== size) {
    throw new DigestMismatchError(`cannot use ${digest} of ${from}: it has ${bytes.byteLength} bytes, not ${size}`, {
      hint: MISMATCH_HINT,
    });
  }
  const actual = digestOf(bytes);
  if (actual !== digest)
    throw new DigestMismatchError(`cannot use ${digest} of ${from}: its digest is ${actual}`, { hint: MISMATCH_HINT });
}

const MISMATCH_HINT = "the content is corrupt or was modified in transit: try again, and check proxies and mirrors";

/** Prints a platform the way flags name it, such as `linux/arm64/v8`. */
export function platformName({ os, architecture, variant }: Platform): string {
  return [os, architecture, ...(variant === undefined ? [] : [variant])].join("/");
}
