import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

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
    const response = refusalOf(incoming) ?? (await handler(toWebRequest(incoming, peer.signal)));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    await sendBody(response, outgoing, peer.signal);
  } catch (error) {
    // A client that disconnects is no failure, also while it sends its request.
    const isDisconnect = peer.signal.aborted && error instanceof Error && error.name === "AbortError";
    if (!isDisconnect && error !== incoming.errored) throw error;
  }
}

// Enough for all responses except for long downloads, so that the others are written at once.
const BUFFERED_BYTES = 1024 * 1024;

async function sendBody({ body }: Response, outgoing: ServerResponse, disconnected: AbortSignal): Promise<void> {
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
  outgoing.end(Buffer.concat(pending));
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

function toWebRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  const method = incoming.method ?? "GET";
  const url = new URL(addressOf(incoming.url ?? "/"));
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal });
  const body = Readable.toWeb(incoming) as NodeReadableStream<Uint8Array>;
  return new Request(url, { method, headers, signal, body: body as unknown as ReadableStream, duplex: "half" });
}
