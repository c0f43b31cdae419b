import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { RawData, WebSocket } from "ws";

import type { MessageSocket, UpgradeBody } from "../request/server-request.ts";

/** Messages that are read ahead of their consumer. */
const READ_AHEAD = 16;
const LARGEST_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Completes the handshake of a WebSocket and serves it; malformed handshakes are answered with 400. */
export async function acceptWebSocket(
  message: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  body: UpgradeBody,
): Promise<void> {
  // Loaded here, since most servers never serve a stream.
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: LARGEST_MESSAGE_BYTES,
  });
  // The library refuses names such as SPDY/3.1+portforward.k8s.io, so it does not get to know them.
  delete message.headers["sec-websocket-protocol"];
  const { protocol } = body;
  if (protocol !== undefined) server.once("headers", (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  server.handleUpgrade(message, socket, head, (webSocket) => body.open(new AcceptedSocket(webSocket)));
}

class AcceptedSocket implements MessageSocket {
  readonly #socket: WebSocket;
  readonly #messages: Buffer[] = [];
  readonly #closed = new AbortController();
  #wake: () => void = () => undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: RawData) => {
      this.#messages.push(data as Buffer);
      if (this.#messages.length >= READ_AHEAD) socket.pause();
      this.#wake();
    });
    // An error is followed by the event `close`.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      this.#closed.abort();
      this.#wake();
    });
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async *messages(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) {
        if (this.#messages.length === 0) this.#socket.resume();
        yield message;
      } else if (this.closed.aborted) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  async send(message: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.send(message, { binary: typeof message !== "string" }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  close(code: number): void {
    this.#socket.close(code);
    // A paused socket would not read the answer of the client.
    this.#socket.resume();
  }
}
