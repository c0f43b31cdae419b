import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import { endLingering } from "@kubescaffold/platform/http-server";

// How long a client may go on sending after the answer.
const LINGER_MS = 2000;

const CODES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that cannot be parsed, with the status codes of Node, and closes their connections once the client has
 * read the answer. Node destroys such a connection at once: when the client is still sending, the reset that follows
 * discards the answer before the client can read it.
 */
export function answerMalformedRequests(server: Server): void {
  const exchanges = new WeakMap<Socket, Exchange>();
  const answered = new WeakSet<Socket>();
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    exchanges.set(message.socket, { message, response });
  };
  server.on("request", onRequest);
  server.on("checkContinue", onRequest);
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // What the client sends after the malformed request is one error more each time.
    if (answered.has(socket)) return;
    answered.add(socket);
    const answer = (): void => answerMalformed(socket, CODES[error.code ?? ""] ?? 400);
    const { message, response } = exchanges.get(socket) ?? {};
    if (message === undefined || response === undefined || response.writableFinished) answer();
    // The request before it was complete, so the malformed one follows it.
    else if (message.complete) response.once("finish", answer);
    else if (!response.headersSent) answer();
    // A second answer would be read as part of the first one.
    else if (!endLingering(response)) socket.destroy();
  });
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

function answerMalformed(socket: Socket, code: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${String(code)} ${STATUS_CODES[code] ?? ""}\r\nConnection: close\r\n\r\n`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}
