import type { Exchange, PlainRequest, PlainResponse, Transport } from "@kubescaffold/k8s";
import { TurnShare } from "@kubescaffold/platform/clock";

import { tooLarge } from "../request/failures.ts";
import { JoinedText } from "../request/joined-text.ts";
import type { ResponseSink, ServerRequest, ServerResponse, StreamBody } from "../request/server-request.ts";
import { DisconnectedError } from "./errors.ts";
import { BODY_LIMIT_BYTES, createTransport, decodeHeader, encodeHeader, type Handler } from "./in-process.ts";

// A read takes some hundredths of a millisecond, far less than a step of a controller.
const REQUESTS_PER_TURN = 64;

/**
 * Creates a transport that hands requests to a handler without a socket, as web requests or as plain ones.
 *
 * Guarantees: a client that sends one request after the other leaves turns of the event loop to controllers, timers, and sockets, as it does where it waits for a socket.
 */
export function createInProcessTransport(handler: Handler): Transport {
  const turns = new TurnShare({ steps: REQUESTS_PER_TURN });
  const inTurns: Handler = async (request) => {
    await turns.step();
    return await handler(request);
  };
  return Object.assign(createTransport(inTurns), { exchange: createExchange(inTurns) });
}

function createExchange(handler: Handler): Exchange {
  return async (request) => {
    throwIfAborted(request);
    const answer = await handler(new PlainServerRequest(request));
    if (answer === undefined) {
      throw new DisconnectedError();
    }
    throwIfAborted(request);
    return toPlainResponse(answer, request);
  };
}

function throwIfAborted(request: PlainRequest): void {
  if (hasAborted(request)) request.signal.throwIfAborted();
}

function hasAborted(request: PlainRequest): boolean {
  return request.isAborted === undefined ? request.signal.aborted : request.isAborted();
}

// A class, since V8 creates object literals with getters slowly. The signal of the plain request may be created when it is read first.
class PlainServerRequest implements ServerRequest {
  readonly #request: PlainRequest;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly header: ServerRequest["header"];
  readonly headerValues: ServerRequest["headerValues"];
  readonly headerNames: ServerRequest["headerNames"];
  readonly body: ServerRequest["body"];
  readonly bytes: ServerRequest["bytes"];
  readonly isAborted: ServerRequest["isAborted"];

  constructor(request: PlainRequest) {
    const { pathname, searchParams } = locationOf(request.path);
    let buffer: Buffer | undefined;
    const whole = (): Buffer => (buffer ??= limited(Buffer.from(request.body ?? "", "utf8")));
    this.#request = request;
    this.method = request.method;
    this.path = pathname;
    this.query = searchParams;
    this.header = (name) => decodeHeader(joined(request.headers[name]));
    this.headerValues = (name) => decodeHeader(joined(request.headers[name]))?.split(", ") ?? [];
    this.headerNames = () => Object.keys(request.headers);
    // A text of this length cannot exceed the limit, so it need not be encoded.
    this.body = async () => {
      const text = request.body ?? "";
      return await Promise.resolve(text.length * 3 <= BODY_LIMIT_BYTES ? text : whole().toString("utf8"));
    };
    this.bytes = async () => await Promise.resolve(whole());
    this.isAborted = () => hasAborted(request);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

function limited(bytes: Buffer): Buffer {
  if (bytes.byteLength > BODY_LIMIT_BYTES) {
    throw tooLarge(BODY_LIMIT_BYTES);
  }
  return bytes;
}

// A URL parser changes only paths with other characters, or with segments of dots.
const PLAIN_PATH = /^\/[\w\-/:,~]*(?:\.[\w-][\w\-/:,~]*)*$/u;

function locationOf(path: string): Pick<URL, "pathname" | "searchParams"> {
  const start = path.indexOf("?");
  const pathname = start === -1 ? path : path.slice(0, start);
  return PLAIN_PATH.test(pathname)
    ? { pathname, searchParams: new URLSearchParams(start === -1 ? "" : path.slice(start + 1)) }
    : new URL(`http://embedded.invalid${path}`);
}

function joined(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : value.join(", ");
}

function toPlainResponse(answer: ServerResponse, request: PlainRequest): PlainResponse {
  const headers: Record<string, string | readonly string[]> = { "content-type": answer.contentType };
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === "string" ? encodeHeader(value) : value.map(encodeHeader);
  }
  return { status: answer.code, headers, body: bodyOf(answer, request) };
}

function bodyOf({ code, body }: ServerResponse, request: PlainRequest): PlainResponse["body"] {
  if (code === 304 || code === 204) return "";
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (body instanceof JoinedText) return String(body);
  if ("open" in body || "tunnel" in body) throw new TypeError("a request in the process has no connection");
  return new PlainStream(body, request.signal);
}

interface Reader {
  resolve(result: IteratorResult<Uint8Array>): void;
  reject(reason: unknown): void;
}

/** Passes what a stream writes to one consumer. */
class PlainStream implements AsyncIterableIterator<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #pendingBytes = 0;
  #isDone = false;
  #failure: { readonly reason: unknown } | undefined;
  readonly #readers: Reader[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => {
    this.#ended.abort(this.#signal.reason);
    this.#wake();
  };

  constructor(body: StreamBody, signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    body.start(this.#sink(), this.#ended.signal);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#failure !== undefined) throw this.#failure.reason;
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#pendingBytes -= chunk.byteLength;
      return { done: false, value: chunk };
    }
    if (this.#isDone) return END;
    this.#wake();
    return await new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
    });
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks.length = 0;
    this.#close();
    this.#ended.abort();
    this.#wake();
    return await Promise.resolve(END);
  }

  #sink(): ResponseSink {
    const pendingBytes = (): number => this.#pendingBytes;
    return {
      write: (chunk) => this.#write(typeof chunk === "string" ? Buffer.from(chunk, "utf8") : Uint8Array.from(chunk)),
      get pendingBytes() {
        return pendingBytes();
      },
      drained: async () => {
        if (this.#isDone || this.#ended.signal.aborted || this.#pendingBytes === 0) return;
        await new Promise<void>((resolve) => {
          this.#waiting.add(resolve);
        });
      },
      done: () => this.#finish(),
    };
  }

  #write(chunk: Uint8Array): void {
    if (this.#isDone) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: chunk });
      return;
    }
    this.#chunks.push(chunk);
    this.#pendingBytes += chunk.byteLength;
  }

  #finish(): void {
    if (this.#isDone) return;
    if (!this.#signal.aborted) {
      this.#close();
      return;
    }
    this.#failure = { reason: this.#signal.reason };
    this.#chunks.length = 0;
    for (const reader of this.#readers.splice(0)) reader.reject(this.#signal.reason);
    this.#close();
  }

  #close(): void {
    this.#isDone = true;
    this.#signal.removeEventListener("abort", this.#onAbort);
    for (const reader of this.#readers.splice(0)) reader.resolve(END);
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };
