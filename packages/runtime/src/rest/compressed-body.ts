import { pipeline, type Readable } from "node:stream";

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

/** Reads a stream to its end, as UTF-8. */
export async function textOf(stream: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
