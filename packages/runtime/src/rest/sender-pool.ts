import type { LookupFunction } from "node:net";

import type { Exchange, PlainRequest, PlainResponse, RestConfig, TlsConfig, Transport } from "@kubescaffold/k8s";
import { type Abortable, onAbort, abortSignalOf, untilAborted } from "@kubescaffold/platform/clock";

import { ClientClosedError } from "./errors.ts";
import { decodePieces } from "./json-lines.ts";
import { createPoolSender } from "./pool-sender.ts";
import {
  type ClientCertificate,
  type Sender,
  type WireHeaders,
  type WireRequest,
  type WireResponse,
  isSameCertificate,
} from "./wire.ts";

/**
 * Stores the connections of a config; replaces them when the client certificate or the authorities change,
 * since a connection uses the certificates that it was opened with.
 */
export class SenderPool {
  readonly #config: RestConfig;
  readonly #lookup: LookupFunction;
  #certificate: ClientCertificate | undefined;
  #tls: TlsConfig | undefined;
  #sender: Sender | undefined;
  #isClosed = false;

  constructor(config: RestConfig, lookup: LookupFunction) {
    this.#config = config;
    this.#lookup = lookup;
  }

  /** Returns the sender whose connections use these settings, and this certificate in place of theirs. Fails: `ClientClosedError` after {@link close}. */
  senderFor(tls: TlsConfig | undefined, certificate: ClientCertificate | undefined): Sender {
    if (this.#isClosed) {
      throw new ClientClosedError(this.#config.server);
    }
    if (this.#sender !== undefined && tls === this.#tls && isSameCertificate(certificate, this.#certificate)) {
      return this.#sender;
    }
    // Open requests on the old connections may complete; streams are reopened.
    void this.#sender?.retire().catch(() => undefined);
    this.#certificate = certificate;
    this.#tls = tls;
    const config = tls === undefined ? this.#config : { ...this.#config, tls };
    this.#sender =
      config.transport === undefined
        ? createPoolSender(config, certificate, this.#lookup)
        : config.transport.exchange === undefined
          ? createTransportSender(config.server.replace(/(?<!\/)\/+$/u, ""), config.transport)
          : createExchangeSender(config.transport.exchange);
    return this.#sender;
  }

  /** Closes all connections for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const sender = this.#sender;
    this.#sender = undefined;
    await sender?.close();
  }
}

/** Creates a sender that passes plain requests to a function, without a socket. */
function createExchangeSender(exchange: Exchange): Sender {
  return {
    // A transport may ignore the signal; the caller must not wait for it.
    send: async (request) =>
      plainResponse(await untilAborted(exchange(new ExchangeRequest(request)), request.signal), request.signal),
    retire: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** A plain request whose signal exists only where somebody asks for it, since most requests end before; a copy of its members has it, too. */
class ExchangeRequest implements PlainRequest {
  static readonly #signal: PropertyDescriptor & ThisType<ExchangeRequest> = {
    enumerable: true,
    get() {
      return abortSignalOf(this.#ending);
    },
  };

  readonly method: string;
  readonly path: string;
  readonly headers: PlainRequest["headers"];
  readonly body: string | undefined;
  declare readonly signal: AbortSignal;
  readonly isAborted: () => boolean;
  readonly #ending: Abortable;

  constructor({ method, path, headers, body, signal }: WireRequest) {
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.body = body;
    this.isAborted = () => signal.aborted;
    this.#ending = signal;
    Object.defineProperty(this, "signal", ExchangeRequest.#signal);
  }
}

function plainResponse({ status, headers, body }: PlainResponse, signal: Abortable): WireResponse {
  return {
    status,
    header: (name) => {
      const value = headers[name];
      return value === undefined || typeof value === "string" ? value : value.join(", ");
    },
    headers: () => headers,
    text: async () => {
      signal.throwIfAborted();
      if (typeof body === "string") return body;
      if (body instanceof Uint8Array) return decodePieces([body]);
      const pieces: Uint8Array[] = [];
      for await (const piece of plainChunks(body, signal)) pieces.push(piece);
      return decodePieces(pieces);
    },
    chunks: () => plainChunks(body, signal),
    discard: async () => {
      if (typeof body === "object" && Symbol.asyncIterator in body) await endOf(body[Symbol.asyncIterator]());
    },
  };
}

// Fails with the signal's reason when it aborts, and cancels the body when the iteration ends early.
async function* plainChunks(
  body: PlainResponse["body"],
  signal: Abortable,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  if (typeof body === "string" || body instanceof Uint8Array) {
    if (body.length > 0) yield typeof body === "string" ? Buffer.from(body, "utf8") : body;
    return;
  }
  const iterator = body[Symbol.asyncIterator]();
  let failNext = (_reason: Error): void => undefined;
  const stopListening = onAbort(signal, () => failNext(signal.reason as Error));
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        failNext = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    stopListening();
    // Not awaited: a stream may end only after an event that never comes.
    void endOf(iterator);
  }
}

async function endOf(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Nothing reads it any more.
  }
}

/** Creates a sender that passes Fetch API requests to a function, without a socket. */
function createTransportSender(server: string, transport: Transport): Sender {
  return {
    send: async (request) => {
      const response = await untilAborted(transport(webRequest(server, request)), request.signal);
      return wireResponse(response, request.signal);
    },
    retire: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function webRequest(server: string, request: WireRequest): Request {
  return new Request(`${server}${request.path}`, {
    method: request.method,
    headers: webHeaders(request.headers),
    body: request.body ?? null,
    signal: abortSignalOf(request.signal),
  });
}

function webHeaders(headers: WireHeaders): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of typeof value === "string" ? [value] : value) {
      result.append(name, each);
    }
  }
  return result;
}

function wireResponse(response: Response, signal: Abortable): WireResponse {
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    headers: () => Object.fromEntries(response.headers),
    text: () => untilAborted(response.text(), signal),
    chunks: () => bodyChunks(response, signal),
    discard: async () => {
      await response.body?.cancel();
    },
  };
}

// The stream fails with the signal's reason when it aborts, and cancels the body when the iteration ends early.
function bodyChunks({ body }: Response, signal: Abortable): AsyncIterable<Uint8Array> {
  const chunks = body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  return chunks.pipeThrough(new TransformStream(), { signal: abortSignalOf(signal) });
}
