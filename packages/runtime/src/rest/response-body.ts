import { constants } from "node:buffer";
import { pipeline, type Readable } from "node:stream";

import { AnswerTooLargeError } from "./errors.ts";

/**
 * Returns the decompressed form of a body in gzip; each chunk is decompressed when it is read.
 *
 * Guarantees: a body that breaks, ends early, or is not gzip fails the readers; ending the reading early closes the body.
 */
export async function decompressed(body: Readable): Promise<Readable> {
  // Most clients of loopback servers never need it.
  const { createGunzip } = await import("node:zlib");
  // Both streams fail with the first error, which the reader gets.
  return pipeline(body, createGunzip(), () => undefined);
}

/** Reads a body to its end, as UTF-8. */
export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The bytes of a successful response that are read at most; longer ones cannot be a text. */
export const LARGEST_ANSWER_BYTES: number = constants.MAX_STRING_LENGTH;
/** The bytes of a refusal that are read at most; a 422 may list 4 MiB of errors. */
export const LARGEST_REFUSAL_BYTES: number = 16 * 1024 * 1024;
/** The bytes of an event of a watch that are read at most, as by client-go. */
export const LARGEST_EVENT_BYTES: number = 16 * 1024 * 1024;

/** Returns the bytes of a response with a status that are read at most. */
export function largestBody(status: number): number {
  return status >= 200 && status < 300 ? LARGEST_ANSWER_BYTES : LARGEST_REFUSAL_BYTES;
}

/** Passes the chunks of a body on. Fails: {@link AnswerTooLargeError} beyond a number of bytes. */
export async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLargeError(maxBytes);
    yield chunk;
  }
}
