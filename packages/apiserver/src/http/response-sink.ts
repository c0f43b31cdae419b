import type { ServerResponse as HttpResponse } from "node:http";

import { afterTurn } from "@kubescaffold/platform/clock";

import type { ResponseSink } from "../request/server-request.ts";

/**
 * Writes to a response, whose headers it sends.
 *
 * What is written in one turn of the event loop goes out at once: each write to a response is a chunk of HTTP, and with TLS it is encrypted separately.
 */
export class HttpSink implements ResponseSink {
  readonly #response: HttpResponse;
  readonly #isChunked: boolean;
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;

  constructor(response: HttpResponse) {
    response.flushHeaders();
    this.#response = response;
    // Node would encode each chunk for each client; here clients that receive the same share it.
    this.#isChunked = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  write(chunk: string | Uint8Array): void {
    if (chunk.length === 0) return;
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    this.#chunks.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#chunks.length === 1) flushAfterTurn(this);
  }

  get pendingBytes(): number {
    return this.#waitingBytes + this.#response.writableLength;
  }

  async drained(): Promise<void> {
    this.flush();
    await drained(this.#response);
  }

  done(): void {
    this.flush();
    this.#response.end(this.#isChunked ? LAST_CHUNK : undefined);
  }

  /** Writes what waits for the end of the turn. */
  flush(joiner: ChunkJoiner = new ChunkJoiner()): void {
    if (this.#chunks.length === 0) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#waitingBytes = 0;
    this.#response.write(this.#isChunked ? joiner.join(chunks) : Buffer.concat(chunks));
  }
}

/** Resolves when a connection has taken what was written to a response, or is closed. */
export async function drained(response: HttpResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const taken = (): void => {
      response.off("drain", taken);
      response.off("close", taken);
      resolve();
    };
    response.on("drain", taken);
    response.on("close", taken);
  });
}

// Sinks with chunks that wait for the end of the turn.
let waiting: HttpSink[] = [];

function flushAfterTurn(sink: HttpSink): void {
  waiting.push(sink);
  if (waiting.length === 1) afterTurn(flushWaiting);
}

function flushWaiting(): void {
  const sinks = waiting;
  waiting = [];
  const joiner = new ChunkJoiner();
  for (const sink of sinks) sink.flush(joiner);
}

/** Joins chunks, and those that several clients receive only once. */
class ChunkJoiner {
  #chunks: readonly Uint8Array[] = [];
  #joined: Buffer = Buffer.alloc(0);

  /** Returns chunks as one, in the form of HTTP/1.1. */
  join(chunks: readonly Uint8Array[]): Buffer {
    if (!isSame(chunks, this.#chunks)) {
      const length = chunks.reduce((sum, each) => sum + each.length, 0);
      this.#joined = Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...chunks, Buffer.from("\r\n")]);
      this.#chunks = chunks;
    }
    return this.#joined;
  }
}

function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}

const LAST_CHUNK = "0\r\n\r\n";
