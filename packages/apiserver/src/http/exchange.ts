import type { IncomingMessage, ServerResponse as HttpResponse } from "node:http";
import type { Duplex } from "node:stream";

import { badRequest, tooLarge } from "../request/failures.ts";
import { BODY_LIMIT_BYTES } from "./in-process.ts";

// One error for all, since a new one records its stack.
const CLIENT_GONE = new DOMException("the client has closed the connection", "AbortError");

/** The connection of a request to upgrade it, and the bytes after the request. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** A request and its response on a connection. */
export class Exchange {
  readonly message: IncomingMessage;
  readonly response: HttpResponse;
  readonly upgrade: Upgrade | undefined;
  #isAborted = false;
  #aborted: AbortController | undefined;

  constructor(message: IncomingMessage, response: HttpResponse, upgrade?: Upgrade) {
    this.message = message;
    this.response = response;
    this.upgrade = upgrade;
    response.once("close", () => {
      if (!response.writableFinished) this.#abort();
    });
  }

  /** Whether the client has disconnected before the end of the response. */
  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** Aborts when the client disconnects before the end of the response; created on first use, since most requests do not need it. */
  get signal(): AbortSignal {
    if (this.#aborted === undefined) {
      this.#aborted = new AbortController();
      if (this.#isAborted) this.#aborted.abort(CLIENT_GONE);
    }
    return this.#aborted.signal;
  }

  #abort(): void {
    this.#isAborted = true;
    this.#aborted?.abort(CLIENT_GONE);
  }

  /** Reads the whole body. Fails: with 413 beyond the limit, with 400 when it ends early. */
  async readBody(): Promise<Buffer> {
    const { message, response } = this;
    if (Number(message.headers["content-length"]) > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES);
    if (message.headers.expect !== undefined) response.writeContinue();
    return await new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const onData = (chunk: Buffer): void => {
        size += chunk.length;
        if (size <= BODY_LIMIT_BYTES) {
          chunks.push(chunk);
          return;
        }
        message.off("data", onData);
        reject(tooLarge(BODY_LIMIT_BYTES));
      };
      const onEnd = (): void => {
        message.off("close", onBroken);
        resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      };
      const onBroken = (): void => reject(badRequest("unexpected EOF"));
      message.on("data", onData);
      message.once("end", onEnd);
      message.once("close", onBroken);
    });
  }
}
