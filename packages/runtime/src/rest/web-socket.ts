import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock, Timer } from "@kubescaffold/platform/clock";
import { type RawData, WebSocket } from "ws";

import type { WireHeaders } from "./wire.ts";

/** The response to a handshake that the server refused. */
export interface RefusedHandshake {
  readonly kind: "refused";
  readonly status: number;
  readonly body: string;
  header(name: string): string | undefined;
}

/** A WebSocket connection to an API server. */
export interface WebSocketConnection {
  readonly kind: "open";
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  /**
   * Yields the messages no faster than they are consumed, until the connection is closed. To be called once.
   *
   * Fails: with the reason for which the client closed the connection: an aborted signal, or a silent server.
   */
  messages(): AsyncIterable<Buffer>;
  /** Resolves when the message has been written to the connection. Fails: when the connection is closed. */
  send(message: Uint8Array): Promise<void>;
  /** Closes the connection; the server has two seconds to answer. */
  close(): void;
  /** Closes the connection without a handshake; reading fails with the reason. */
  terminate(reason: Error): void;
  /** Aborts with the reason when the client terminates the connection. */
  readonly terminated: AbortSignal;
  /** Aborts when the connection is closed. */
  readonly closed: AbortSignal;
  /** The code of the close handshake: 1000 for a normal end, 1006 without a handshake; undefined while the connection is open. */
  readonly closeCode: number | undefined;
}

const READ_AHEAD = 16;
const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024;
const LARGEST_REFUSAL_BYTES = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
const CLOSE_WAIT_MS = 2000;
// As client-go.
const PING_MS = 5000;
const SILENCE_MS = 61_000;

/** Sends the handshake of a WebSocket on a connection. Fails: with the error of the connection. */
export async function openWebSocket(
  connection: Duplex,
  options: {
    readonly host: string;
    readonly path: string;
    readonly protocols: readonly string[];
    readonly headers: WireHeaders;
    readonly clock: Clock;
    /** Creates the error of a connection on which nothing arrives. */
    readonly silence: (milliseconds: number) => Error;
    /** Converts the error of a connection that broke. */
    readonly failure: (error: Error) => Error;
  },
): Promise<WebSocketConnection | RefusedHandshake> {
  let protocol = "";
  // The connection is already encrypted where it has to be, so the scheme is always that of plain connections.
  const socket = new WebSocket(`ws://${options.host}${options.path}`, {
    createConnection: () => connection as never,
    headers: {
      ...options.headers,
      host: options.host,
      // The library refuses names such as SPDY/3.1+portforward.k8s.io, so it does not get to know them.
      "sec-websocket-protocol": options.protocols.join(", "),
    } as Record<string, string>,
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE_BYTES,
  });
  socket.once("upgrade", ({ headers }) => {
    protocol = headers["sec-websocket-protocol"] ?? "";
    delete headers["sec-websocket-protocol"];
  });
  return await new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      connection.destroy();
      reject(error);
    };
    socket.once("error", fail);
    socket.once("unexpected-response", (request, response) => {
      readRefusal(response)
        .then(resolve, reject)
        .finally(() => {
          request.destroy();
          connection.destroy();
        });
    });
    socket.once("open", () => {
      socket.off("error", fail);
      if (options.protocols.includes(protocol)) {
        resolve(new OpenSocket(socket, protocol, options));
        return;
      }
      socket.on("error", () => undefined);
      socket.terminate();
      reject(new TypeError(`the server chose the subprotocol ${JSON.stringify(protocol)}`));
    });
  });
}

async function readRefusal(response: IncomingMessage): Promise<RefusedHandshake> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_REFUSAL_BYTES) break;
    chunks.push(chunk);
  }
  return {
    kind: "refused",
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString("utf8"),
    header: (name) => {
      const value = response.headers[name];
      return typeof value === "string" ? value : value?.join(", ");
    },
  };
}

class OpenSocket implements WebSocketConnection {
  readonly kind = "open";
  readonly protocol: string;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #silence: (milliseconds: number) => Error;
  readonly #messages: Buffer[] = [];
  readonly #closed = new AbortController();
  readonly #terminated = new AbortController();
  #wake: () => void = () => undefined;
  #ping: Timer;
  #heardAt: number;
  #failure: Error | undefined;
  #closeCode: number | undefined;

  constructor(
    socket: WebSocket,
    protocol: string,
    {
      clock,
      silence,
      failure,
    }: {
      readonly clock: Clock;
      readonly silence: (milliseconds: number) => Error;
      readonly failure: (error: Error) => Error;
    },
  ) {
    this.#socket = socket;
    this.protocol = protocol;
    this.#clock = clock;
    this.#silence = silence;
    this.#heardAt = clock.monotonic();
    this.#ping = this.#pingLater();
    const heard = (): void => {
      this.#heardAt = clock.monotonic();
    };
    socket.on("pong", heard);
    socket.on("message", (data: RawData, isBinary: boolean) => {
      heard();
      // The protocols of Kubernetes are binary; text is what an intermediary sends.
      if (isBinary) this.#messages.push(data as Buffer);
      if (this.#messages.length >= READ_AHEAD) socket.pause();
      this.#wake();
    });
    // An error is followed by the event `close`.
    socket.on("error", (error) => {
      this.#failure ??= failure(error);
    });
    socket.once("close", (code) => {
      this.#closeCode = code;
      this.#ping.cancel();
      this.#closed.abort();
      this.#wake();
    });
  }

  get terminated(): AbortSignal {
    return this.#terminated.signal;
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get closeCode(): number | undefined {
    return this.#closeCode;
  }

  async *messages(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) {
        if (this.#messages.length === 0) this.#socket.resume();
        yield message;
      } else if (this.closed.aborted) {
        if (this.#failure !== undefined) throw this.#failure;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async send(message: Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.send(message, { binary: true }, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  close(): void {
    if (this.closed.aborted) return;
    this.#socket.close(NORMAL_CLOSURE);
    // A paused connection would not read the answer.
    this.#socket.resume();
    const timer = this.#clock.setTimeout(() => this.#socket.terminate(), CLOSE_WAIT_MS).unref();
    this.#socket.once("close", () => timer.cancel());
  }

  terminate(reason: Error): void {
    this.#failure ??= reason;
    this.#terminated.abort(reason);
    this.#socket.terminate();
  }

  #pingLater(): Timer {
    return this.#clock.setTimeout(() => this.#checkAlive(), PING_MS).unref();
  }

  #checkAlive(): void {
    // Nothing is read while the consumer is slower than the server.
    if (this.#socket.isPaused) this.#heardAt = this.#clock.monotonic();
    if (this.#clock.monotonic() - this.#heardAt >= SILENCE_MS) {
      this.terminate(this.#silence(SILENCE_MS));
      return;
    }
    this.#socket.ping(undefined, undefined, () => undefined);
    this.#ping = this.#pingLater();
  }
}
