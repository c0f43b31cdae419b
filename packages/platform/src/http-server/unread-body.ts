import type { IncomingMessage, ServerResponse } from "node:http";

// As in Go's servers: the connection stays open for the rest of a short body.
const SHORT_BYTES = 256 * 1024;
// The time and the bytes that a client has to finish a body, so that it receives the response and not a reset.
const LINGER_MS = 1000;
const LINGER_BYTES = 192 * 1024 * 1024;

/**
 * Prepares the response of a server of Node for a body that its handler does not read to the end, as Go's servers do: the rest of a short body is dropped, and
 * the connection serves the next request; otherwise the response closes the connection. Called before the request is handled.
 *
 * Guarantees: the connection does not outlast the response by more than a second while the client does not finish the body.
 *
 * Go: net/http.conn.serve
 */
export function dropUnreadBody(
  message: IncomingMessage,
  response: ServerResponse,
  {
    isContinued = true,
  }: { /** Whether the client was told to send a body that it announced. */ readonly isContinued?: boolean } = {},
): void {
  if (!hasBody(message)) return;
  new UnreadBody(message, response, isContinued).watch();
}

const lingering = new WeakMap<ServerResponse, () => void>();

/** Ends a response that is complete, and waits only for the rest of a body, such as one that turned out to be malformed; reports whether it did. */
export function endLingering(response: ServerResponse): boolean {
  const finish = lingering.get(response);
  finish?.();
  return finish !== undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

class UnreadBody {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  #isContinued: boolean;
  #closes = false;

  constructor(message: IncomingMessage, response: ServerResponse, isContinued: boolean) {
    this.#message = message;
    this.#response = response;
    this.#isContinued = isContinued || message.headers.expect === undefined;
  }

  watch(): void {
    const response = this.#response;
    const writeContinue = response.writeContinue.bind(response);
    const writeHead = response.writeHead.bind(response) as (...args: readonly unknown[]) => ServerResponse;
    const end = response.end.bind(response) as (...args: readonly unknown[]) => ServerResponse;
    response.writeContinue = (callback) => {
      this.#isContinued = true;
      writeContinue(callback);
    };
    response.writeHead = (...args: readonly unknown[]) => {
      this.#decide();
      return writeHead(...args);
    };
    response.end = (...args: readonly unknown[]) => {
      if (!response.headersSent) this.#decide();
      if (this.#closes && !this.#message.complete) this.#endLater(args, end);
      else end(...args);
      return response;
    };
    response.once("finish", () => this.#dropRest());
  }

  #decide(): void {
    const { complete, headers } = this.#message;
    const isShort = this.#isContinued && Number(headers["content-length"] ?? Infinity) <= SHORT_BYTES;
    this.#closes = !complete && !isShort;
    if (this.#closes) this.#response.setHeader("Connection", "close");
  }

  // Node would close the connection at once, and the client would receive a reset while it sends.
  #endLater([chunk, encoding]: readonly unknown[], end: () => unknown): void {
    const message = this.#message;
    if (typeof chunk === "string" || chunk instanceof Uint8Array) {
      this.#response.write(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
    } else {
      this.#response.flushHeaders();
    }
    let dropped = 0;
    const finish = (): void => {
      lingering.delete(this.#response);
      clearTimeout(timer);
      message.off("data", drop).off("end", finish).off("close", finish);
      end();
    };
    const drop = (bytes: Uint8Array): void => {
      dropped += bytes.length;
      if (dropped > LINGER_BYTES) finish();
    };
    const timer = setTimeout(finish, LINGER_MS);
    // A client that waits to be told to send its body sends nothing.
    if (!this.#isContinued) return finish();
    lingering.set(this.#response, finish);
    message.on("data", drop).once("end", finish).once("close", finish);
    message.resume();
  }

  #dropRest(): void {
    const message = this.#message;
    if (message.complete) {
      message.resume();
      return;
    }
    const timer = setTimeout(() => message.socket.destroy(), LINGER_MS);
    const stop = (): void => clearTimeout(timer);
    message.once("end", stop).once("close", stop).resume();
  }
}
