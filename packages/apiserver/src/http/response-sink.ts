import type { ServerResponse as HttpResponse } from "node:http";

import { afterTurn } from "../clock/event-loop.ts";
import type { ResponseSink } from "../request/server-request.ts";

/** Returns a sink that writes to a response, whose headers it sends. */
export function sinkOf(response: HttpResponse): ResponseSink {
  response.flushHeaders();
  const batch = new ResponseBatch(response);
  return {
    write: (chunk) => batch.add(typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk),
    get pendingBytes() {
      return batch.waitingBytes + response.writableLength;
    },
    drained: async () => {
      batch.flush();
      await drained(response);
    },
    done: () => batch.end(),
  };
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

/** Collects what is written in one turn of the event loop: each write is a chunk of HTTP, and with TLS it is encrypted separately. */
class ResponseBatch {
  readonly #response: HttpResponse;
  readonly #isChunked: boolean;
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;

  constructor(response: HttpResponse) {
    this.#response = response;
    // Node would encode each chunk for each client; here clients that receive the same share it.
    this.#isChunked = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#chunks.length === 1) flushAfterTurn(this);
  }

  flush(joiner: ChunkJoiner = new ChunkJoiner()): void {
    if (this.#chunks.length === 0) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#waitingBytes = 0;
    this.#response.write(this.#isChunked ? joiner.join(chunks) : Buffer.concat(chunks));
  }

  end(): void {
    this.flush();
    this.#response.end(this.#isChunked ? LAST_CHUNK : undefined);
  }
}

// Those that wait for the end of the turn.
let waiting: ResponseBatch[] = [];

function flushAfterTurn(batch: ResponseBatch): void {
  waiting.push(batch);
  if (waiting.length === 1) afterTurn(flushWaiting);
}

function flushWaiting(): void {
  const batches = waiting;
  waiting = [];
  const joiner = new ChunkJoiner();
  for (const batch of batches) batch.flush(joiner);
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
