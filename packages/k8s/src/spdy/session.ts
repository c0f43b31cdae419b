import type { IdleTimer } from "@kubescaffold/platform/clock";

import { SpdyError } from "./errors.ts";
import { encodeFrame, FrameReader, type SpdyFrame } from "./frames.ts";
import { HeaderCodec, type SpdyHeaders } from "./headers.ts";
import { type StreamLink, SpdyStream } from "./stream.ts";

/** The bytes that a session is carried by. */
export interface SpdyTransport {
  /** Yields the bytes no faster than they are consumed, until the connection is closed. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Resolves when the bytes have been written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the connection. */
  close(): void;
  /** Calls back when the connection is closed, even while nothing is read. */
  closed?(listener: () => void): void;
}

/** Options of a {@link SpdySession}. */
export interface SpdySessionOptions {
  /** Clients open streams with odd IDs, servers with even ones. */
  readonly role: "client" | "server";
  /** Decides about a stream of the peer: a refused one is reset, an accepted one must be read. Default: refuses all. */
  readonly accept?: (stream: SpdyStream) => boolean;
  /** Starts the timer that closes the connection when no frame was read or written for its time. Default: none. */
  readonly startIdleTimer?: (onIdle: () => void) => IdleTimer;
}

const REFUSED_STREAM = 3;
const INVALID_STREAM = 2;
const CANCEL = 5;
const GOAWAY_OK = 0;
const GOAWAY_PROTOCOL_ERROR = 1;
const LARGEST_WRITE = 32 * 1024;
const MOST_STREAMS = 1000;
const HIGHEST_ID = 0x7f_ff_ff_ff;
const EMPTY = Buffer.alloc(0);

/**
 * A SPDY 3.1 connection: many streams of bytes over one.
 *
 * Guarantees: reads no faster than the streams are consumed, where a stream that is not read delays the others, since Kubernetes sends no `WINDOW_UPDATE`; nothing is
 * left open when it is closed.
 */
export class SpdySession {
  readonly #transport: SpdyTransport;
  readonly #options: SpdySessionOptions;
  readonly #codec = new HeaderCodec();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #closed = new AbortController();
  readonly #idle: IdleTimer | undefined;
  // Frames are written one after the other, since the compression depends on their order.
  #writing: Promise<void> = Promise.resolve();
  #nextId: number;
  #lastPeerId = 0;
  #isGoingAway = false;

  constructor(transport: SpdyTransport, options: SpdySessionOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#nextId = options.role === "client" ? 1 : 2;
    this.#idle = options.startIdleTimer?.(() => {
      this.#end(new SpdyError("nothing was read or written for too long"), GOAWAY_OK);
    });
    transport.closed?.(() => this.#end(new SpdyError("the peer closed the connection"), undefined));
    void this.#run();
  }

  /** Aborts when the session is closed; the reason is an {@link SpdyError}. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /**
   * Opens a stream; resolves when the peer has accepted it.
   *
   * Fails: {@link SpdyError} if the peer refuses it, or the session is closed.
   */
  async open(headers: SpdyHeaders): Promise<SpdyStream> {
    if (this.closed.aborted) throw this.closed.reason as Error;
    if (this.#isGoingAway || this.#nextId > HIGHEST_ID) throw new SpdyError("the peer accepts no more streams");
    const stream = new SpdyStream(this.#nextId, headers, this.#linkOf(this.#nextId));
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    this.#sendHeaders(headers, (headerBlock) => ({
      kind: "syn-stream",
      streamId: stream.id,
      associatedStreamId: 0,
      priority: 0,
      isFin: false,
      isUnidirectional: false,
      headerBlock,
    })).catch(() => undefined);
    await stream.accepted;
    return stream;
  }

  /** Announces the end and closes the connection; open streams fail. */
  close(): void {
    this.#end(new SpdyError("the session was closed"), GOAWAY_OK);
  }

  async #run(): Promise<void> {
    const reader = new FrameReader();
    try {
      for await (const chunk of this.#transport.chunks()) {
        await this.#receive(reader, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if (this.closed.aborted) return;
      }
      this.#end(new SpdyError("the peer closed the connection"), undefined);
    } catch (cause) {
      this.#end(new SpdyError("the connection broke", { cause }), undefined);
    }
  }

  async #receive(reader: FrameReader, chunk: Buffer): Promise<void> {
    try {
      for (const frame of reader.push(chunk)) await this.#handle(frame);
    } catch (cause) {
      const failure = cause instanceof SpdyError ? cause : new SpdyError("the connection broke", { cause });
      this.#end(failure, GOAWAY_PROTOCOL_ERROR);
    }
  }

  async #handle(frame: SpdyFrame): Promise<void> {
    this.#idle?.touch();
    switch (frame.kind) {
      case "syn-stream":
        await this.#acceptStream(frame);
        break;
      case "syn-reply": {
        await this.#codec.decode(frame.headerBlock);
        const stream = this.#streams.get(frame.streamId);
        stream?.reply();
        if (frame.isFin) await stream?.deliver(EMPTY, true);
        break;
      }
      case "headers":
        // Decoded for the sake of the compression.
        await this.#codec.decode(frame.headerBlock);
        if (frame.isFin) await this.#streams.get(frame.streamId)?.deliver(EMPTY, true);
        break;
      case "data":
        await this.#deliver(frame);
        break;
      case "rst-stream": {
        const stream = this.#streams.get(frame.streamId);
        this.#streams.delete(frame.streamId);
        stream?.fail(new SpdyError(`the peer reset the stream with the status ${String(frame.status)}`));
        break;
      }
      case "ping":
        // Those with IDs of our own are answers.
        if (frame.id % 2 !== this.#nextId % 2) await this.#send(frame);
        break;
      case "goaway":
        this.#isGoingAway = true;
        break;
      case "settings":
      case "window-update":
        // Kubernetes does not use the flow control of SPDY.
        break;
    }
  }

  async #acceptStream(frame: SpdyFrame & { readonly kind: "syn-stream" }): Promise<void> {
    const { streamId, isFin } = frame;
    if (streamId % 2 === this.#nextId % 2 || streamId <= this.#lastPeerId) {
      throw new SpdyError(`the peer opened a stream with the wrong ID ${String(streamId)}`);
    }
    this.#lastPeerId = streamId;
    const headers = await this.#codec.decode(frame.headerBlock);
    const stream = new SpdyStream(streamId, headers, this.#linkOf(streamId));
    stream.reply();
    if (this.#streams.size >= MOST_STREAMS || this.#options.accept?.(stream) !== true) {
      stream.discard();
      await this.#send({ kind: "rst-stream", streamId, status: REFUSED_STREAM });
      return;
    }
    this.#streams.set(streamId, stream);
    await this.#sendHeaders(new Map(), (headerBlock) => ({ kind: "syn-reply", streamId, isFin: false, headerBlock }));
    if (isFin) await stream.deliver(EMPTY, true);
  }

  async #deliver({ streamId, isFin, data }: SpdyFrame & { readonly kind: "data" }): Promise<void> {
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) {
      await stream.deliver(data, isFin);
      return;
    }
    // What arrives for a stream that was reset here is dropped.
    const isOwn = streamId % 2 === this.#nextId % 2;
    if (streamId >= (isOwn ? this.#nextId : this.#lastPeerId + 1)) {
      await this.#send({ kind: "rst-stream", streamId, status: INVALID_STREAM });
    }
  }

  #linkOf(streamId: number): StreamLink {
    return {
      send: async (data, isFin) => {
        for (let start = 0; start < data.length - LARGEST_WRITE; start += LARGEST_WRITE) {
          await this.#send({ kind: "data", streamId, isFin: false, data: data.subarray(start, start + LARGEST_WRITE) });
        }
        const rest = data.length === 0 ? 0 : Math.ceil(data.length / LARGEST_WRITE) * LARGEST_WRITE - LARGEST_WRITE;
        await this.#send({ kind: "data", streamId, isFin, data: data.subarray(rest) });
      },
      reset: () => {
        if (this.#streams.delete(streamId)) {
          this.#send({ kind: "rst-stream", streamId, status: CANCEL }).catch(() => undefined);
        }
      },
      done: () => this.#streams.delete(streamId),
    };
  }

  async #sendHeaders(headers: SpdyHeaders, frameOf: (headerBlock: Buffer) => SpdyFrame): Promise<void> {
    await this.#enqueue(async () => encodeFrame(frameOf(await this.#codec.encode(headers))));
  }

  async #send(frame: SpdyFrame): Promise<void> {
    await this.#enqueue(async () => Promise.resolve(encodeFrame(frame)));
  }

  async #enqueue(encode: () => Promise<Buffer>): Promise<void> {
    const written = this.#writing.then(async () => {
      if (this.closed.aborted) throw this.closed.reason as Error;
      await this.#transport.write(await encode());
      this.#idle?.touch();
    });
    this.#writing = written.catch(() => undefined);
    await written;
  }

  #end(reason: SpdyError, status: number | undefined): void {
    if (this.closed.aborted) return;
    this.#idle?.stop();
    // Not queued: a write that waits for the peer must not delay the end.
    if (status !== undefined) {
      const goaway = encodeFrame({ kind: "goaway", lastGoodStreamId: this.#lastPeerId, status });
      this.#transport.write(goaway).catch(() => undefined);
    }
    this.#closed.abort(reason);
    for (const stream of this.#streams.values()) stream.fail(reason);
    this.#streams.clear();
    this.#codec.close();
    this.#transport.close();
  }
}
