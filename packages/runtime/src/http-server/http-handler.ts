import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

import { dropUnreadBody } from "@kubescaffold/platform/http-server";

import type { Logger } from "../log/logger.ts";

/** Answers one HTTP request, in the types of the Fetch API, so that any server can serve it and tests need none. */
export type HttpHandler = (request: Request) => Promise<Response>;

/** Returns the response of a path that is not served, with the body of Go's servers. */
export function pageNotFound(): Response {
  return new Response("404 page not found\n", { status: 404 });
}

/** A request listener of Node's HTTP and HTTPS servers. */
type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Adapts a Fetch API handler to a listener of Node's servers.
 *
 * Guarantees: the request's signal aborts when the client disconnects; a handler that throws is logged and answered with 500 without details.
 */
export function nodeListener(handler: HttpHandler, log: Logger): NodeListener {
  return (incoming, outgoing) => {
    dropUnreadBody(incoming, outgoing);
    void answer(handler, incoming, outgoing).catch((error: unknown) => {
      log.error(error, "cannot handle a request", { path: incoming.url ?? "" });
      // The client of a partial body must not take it for the whole.
      if (outgoing.headersSent) {
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
      outgoing.end("internal server error\n");
    });
  };
}

async function answer(handler: HttpHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const peer = new AbortController();
  outgoing.once("close", () => peer.abort());
  try {
    const body = new IncomingBody(incoming);
    const response = refusalOf(incoming) ?? (await handler(toWebRequest(incoming, body, peer.signal)));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    const last = await sendBody(response, outgoing, peer.signal);
    body.detach();
    outgoing.end(last);
  } catch (error) {
    // A client that disconnects is no failure, also while it sends its request.
    const isDisconnect = peer.signal.aborted && error instanceof Error && error.name === "AbortError";
    if (!isDisconnect && error !== incoming.errored) throw error;
  }
}

// Enough for all responses except for long downloads, so that the others are written at once.
const BUFFERED_BYTES = 1024 * 1024;

// Returns the last part.
async function sendBody({ body }: Response, outgoing: ServerResponse, disconnected: AbortSignal): Promise<Buffer> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    pending.push(chunk);
    size += chunk.byteLength;
    if (size > BUFFERED_BYTES) {
      const isFull = !outgoing.write(Buffer.concat(pending));
      pending = [];
      size = 0;
      if (isFull) await once(outgoing, "drain", { signal: disconnected });
    }
  }
  return Buffer.concat(pending);
}

// The Fetch API has no requests of these methods.
const METHODS_WITHOUT_REQUEST: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

function refusalOf({ method = "GET", url = "/" }: IncomingMessage): Response | undefined {
  if (METHODS_WITHOUT_REQUEST.has(method)) return new Response("Method Not Allowed\n", { status: 405 });
  return isServable(url) ? undefined : new Response("400 Bad Request\n", { status: 400 });
}

// The Fetch API has no requests for addresses with credentials either.
function isServable(target: string): boolean {
  if (target.startsWith("/")) return URL.canParse(addressOf(target));
  if (!URL.canParse(target)) return false;
  const { username, password } = new URL(target);
  return username === "" && password === "";
}

// A target is a path, which may begin with two slashes, or an address as proxies get it.
function addressOf(target: string): string {
  return target.startsWith("/") ? `http://localhost${target}` : target;
}

function toWebRequest(incoming: IncomingMessage, body: IncomingBody, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  const method = incoming.method ?? "GET";
  const url = new URL(addressOf(incoming.url ?? "/"));
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal });
  return new Request(url, { method, headers, signal, body: body.open(), duplex: "half" });
}

/** The body of a request as a web stream. Canceling that of `Readable.toWeb` destroys the connection, and with it the response to a body that is too large. */
class IncomingBody {
  readonly #incoming: IncomingMessage;
  #detach: () => void = () => undefined;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  open(): ReadableStream<Uint8Array> {
    const incoming = this.#incoming;
    return new ReadableStream<Uint8Array>({
      start: (controller) => this.#attach(controller),
      pull: () => void incoming.resume(),
      cancel: () => this.#detach(),
    });
  }

  #attach(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const incoming = this.#incoming;
    const onData = (chunk: Uint8Array): void => {
      controller.enqueue(new Uint8Array(chunk));
      if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
    };
    const onEnd = (): void => {
      this.#detach();
      controller.close();
    };
    const onError = (error: Error): void => {
      this.#detach();
      controller.error(error);
    };
    const onClose = (): void => onError(incoming.errored ?? new DOMException("the client disconnected", "AbortError"));
    this.#detach = () => {
      incoming.off("data", onData).off("end", onEnd).off("close", onClose);
    };
    // The error of a connection that breaks later is not that of the body, but has a listener.
    incoming.on("data", onData).once("end", onEnd).on("error", onError).once("close", onClose);
    incoming.pause();
  }

  /** Leaves the rest of the body to the response. */
  detach(): void {
    this.#detach();
  }
}
