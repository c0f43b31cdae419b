import { parseLosslessJson } from "@kubescaffold/k8s";

import { AnswerTooLargeError, UnreadableEventError } from "./errors.ts";
import { LARGEST_EVENT_BYTES } from "./response-body.ts";

const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into the JSON values of its lines; empty lines are skipped.
 *
 * Fails: {@link UnreadableEventError} for a line that is not JSON; {@link AnswerTooLargeError} for a line of more than 16 MiB; a cut last line fails like a broken connection.
 * Guarantees: every byte is copied at most once, regardless of the chunk sizes; nothing is read ahead of the consumer.
 */
export async function* parseJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const line = decodePieces(pending);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
      if (line.trim() !== "") {
        yield parseLine(line);
      }
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
      pendingBytes += chunk.length - start;
      if (pendingBytes > LARGEST_EVENT_BYTES) throw new AnswerTooLargeError(LARGEST_EVENT_BYTES);
    }
  }
  const rest = decodePieces(pending);
  if (rest.trim() !== "") {
    yield parseLastLine(rest);
  }
}

function parseLastLine(line: string): unknown {
  try {
    return parseLosslessJson(line);
  } catch {
    throw new SyntaxError(`the response ended in the middle of an event: ${JSON.stringify(line.slice(0, 200))}`);
  }
}

function parseLine(line: string): unknown {
  try {
    return parseLosslessJson(line);
  } catch (cause) {
    throw new UnreadableEventError(line, { cause });
  }
}

/** Decodes pieces of UTF-8 as one text. */
export function decodePieces(pieces: readonly Uint8Array[]): string {
  const [first] = pieces;
  const whole = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
  return Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString("utf8");
}
