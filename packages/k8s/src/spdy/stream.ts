import { Duplex } from "node:stream";

import { handledLater } from "@kubescaffold/platform";

import { SpdyError } from "./errors.ts";
import type { SpdyHeaders } from "./headers.ts";

const EMPTY = Buffer.alloc(0);

/** The session of a stream. */
export interface StreamLink {
  readonly send: (data: Buffer, isFin: boolean) => Promise<void>;
  readonly reset: () => void;
  readonly done: () => void;
}

/** A stream of a {@link SpdySession}; destroying it before both directions have ended resets it. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: SpdyHeaders;
  /** Resolves when the peer has accepted the stream. */
  readonly accepted: Promise<void>;
  readonly #link: StreamLink;
  #settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  #resume: (() => void) | undefined;
  // The peer has sent the end, which the consumer may still have to read.
  #isFinished = false;
  #explain: (error: Error) => Error = (error) => error;

  constructor(id: number, headers: SpdyHeaders, link: StreamLink) {
    super({ allowHalfOpen: true });
    this.id = id;
    this.headers = headers;
    this.#link = link;
    // Streams of the peer are not awaited, and failures are also those of the stream.
    this.accepted = handledLater(
      new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      }),
    );
    this.on("error", () => undefined);
  }

  /** Marks the stream as accepted. */
  reply(): void {
    this.#settle?.resolve();
  }

  /** Passes data to the consumer; resolves when it accepts more. */
  async deliver(data: Buffer, isFin: boolean): Promise<void> {
    if (this.destroyed) return;
    if (this.#isFinished) {
      this.destroy(new SpdyError("the peer sent data after the end of the stream"));
      return;
    }
    this.#isFinished = isFin;
    const accepts = data.length === 0 || this.push(data);
    if (isFin) this.push(null);
    if (accepts || isFin) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  /** Ends the stream with an error of the session. */
  fail(error: Error): void {
    this.#settle?.reject(error);
    this.#link.done();
    this.destroy(this.#explain(error));
  }

  /** Replaces the error of the stream, for protocols that report the reason elsewhere. */
  explainWith(explain: (error: Error) => Error): void {
    this.#explain = explain;
  }

  /** Drops a stream that was never accepted. */
  discard(): void {
    this.#link.done();
    this.destroy();
  }

  override _read(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    void this.#send(chunk, false, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    void this.#send(EMPTY, true, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#resume?.();
    this.#resume = undefined;
    const isComplete = this.readableEnded && this.writableFinished;
    if (isComplete) this.#link.done();
    else this.#link.reset();
    done(error);
  }

  async #send(chunk: Buffer, isFin: boolean, done: (error?: Error | null) => void): Promise<void> {
    try {
      await this.#link.send(chunk, isFin);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  }
}
