import type { Transport } from "@kubescaffold/k8s";

import { tooLarge } from "../request/failures.ts";
import { JoinedText } from "../request/joined-text.ts";
import type { ResponseSink, ServerRequest, ServerResponse, StreamBody } from "../request/server-request.ts";
import { DisconnectedError } from "./errors.ts";

/** Bytes of a body that are read at most. */
export const BODY_LIMIT_BYTES: number = 3 * 1024 * 1024;

/** Handles a request; undefined closes the connection without an answer. */
export type Handler = (request: ServerRequest) => Promise<ServerResponse | undefined>;

/** Creates a transport that hands web requests to a handler without a socket. */
export function createTransport(handler: Handler): Transport {
  return async (request) => {
    request.signal.throwIfAborted();
    const answer = await handler(fromWebRequest(request));
    if (answer === undefined) {
      throw new DisconnectedError();
    }
    request.signal.throwIfAborted();
    return toWebResponse(answer, request.signal);
  };
}

function fromWebRequest(request: Request): ServerRequest {
  const url = new URL(request.url);
  let body: Promise<Buffer> | undefined;
  const bytes = (): Promise<Buffer> => (body ??= readBody(request));
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    header: (name) => decodeHeader(request.headers.get(name) ?? undefined),
    // The headers of the web join values, and do not tell a comma of theirs from one between them.
    headerValues: (name) => decodeHeader(request.headers.get(name) ?? undefined)?.split(", ") ?? [],
    headerNames: () => [...request.headers.keys()],
    body: async () => (await bytes()).toString("utf8"),
    bytes,
    signal: request.signal,
    isAborted: () => request.signal.aborted,
  };
}

/** Decodes the bytes of a header, which are UTF-8 and come as one character each. */
export function decodeHeader<Value extends string | undefined>(value: Value): Value {
  if (value === undefined || !NOT_ASCII.test(value)) return value;
  return Buffer.from(value, "latin1").toString("utf8") as Value;
}

/** Encodes a header, whose characters need not be Latin-1, to one character for each byte of its UTF-8. */
export function encodeHeader(value: string): string {
  return NOT_ASCII.test(value) ? Buffer.from(value, "utf8").toString("latin1") : value;
}

const NOT_ASCII = /[^\0-\x7F]/u;

async function readBody(request: Request): Promise<Buffer> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > BODY_LIMIT_BYTES) {
    throw tooLarge(BODY_LIMIT_BYTES);
  }
  return Buffer.from(bytes);
}

function toWebResponse(answer: ServerResponse, signal: AbortSignal): Response {
  const headers = new Headers({ "Content-Type": answer.contentType });
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    for (const item of typeof value === "string" ? [value] : value) {
      headers.append(name, encodeHeader(item));
    }
  }
  const hasBody = answer.code !== 304 && answer.code !== 205 && answer.code !== 204;
  const content = answer.body instanceof JoinedText ? String(answer.body) : answer.body;
  if (typeof content === "object" && ("open" in content || "tunnel" in content))
    throw new TypeError("a request in the process has no connection");
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  const body = isWhole ? content : toStream(content, signal);
  return new Response(hasBody ? body : null, { status: answer.code, headers });
}

function toStream(body: StreamBody, signal: AbortSignal): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const encoder = new TextEncoder();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  for (const each of [signal, cancelled.signal]) each.addEventListener("abort", wake);
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        let isDone = false;
        const sink: ResponseSink = {
          write: (chunk) => {
            if (!isDone) {
              controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : Uint8Array.from(chunk));
            }
          },
          get pendingBytes() {
            return -(controller.desiredSize ?? 0);
          },
          drained: async () => {
            if (isDone || signal.aborted || cancelled.signal.aborted || (controller.desiredSize ?? 0) >= 0) return;
            await new Promise<void>((resolve) => {
              waiting.add(resolve);
            });
          },
          done: () => {
            if (!isDone) {
              isDone = true;
              if (signal.aborted) {
                controller.error(signal.reason);
              } else if (!cancelled.signal.aborted) {
                controller.close();
              }
            }
          },
        };
        body.start(sink, AbortSignal.any([signal, cancelled.signal]));
      },
      pull: wake,
      cancel: () => cancelled.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}
