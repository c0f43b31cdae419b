import { createServer, type IncomingMessage, type Server, type ServerResponse as HttpResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";

import { tooLarge } from "../request/failures.ts";
import type { ClientCertificate, ResponseSink, ServerRequest, ServerResponse } from "../request/server-request.ts";
import { ListenError } from "./errors.ts";
import { BODY_LIMIT_BYTES, type Handler } from "./in-process.ts";

/** Where to listen. */
export interface ListenOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The loopback address by default. */
  readonly host?: string;
  readonly tls?: ListenTls;
}

/** PEM texts for a TLS listener. */
export interface ListenTls {
  readonly cert: string;
  readonly key: string;
  /** Authorities whose client certificates are accepted. */
  readonly clientCa?: string;
}

/** A socket on which the server listens. */
export interface Listener {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

const GZIP_FROM_BYTES = 128 * 1024;
const LOOPBACK = "127.0.0.1";

/** Listens on a socket and hands what comes to a handler; fails with {@link ListenError} when the port is taken. */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
  const onRequest = (message: IncomingMessage, response: HttpResponse): void => {
    void serve(handler, message, response);
  };
  const server = options.tls === undefined ? createServer(onRequest) : await createTlsServer(options.tls, onRequest);
  server.keepAliveTimeout = 60_000;
  const host = options.host ?? LOOPBACK;
  await bind(server, { host, port: options.port ?? 0 });
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls === undefined ? "http" : "https";
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return { url: `${scheme}://${hostInUrl}:${port}`, host, port, close: () => closeServer(server) };
}

type OnRequest = (message: IncomingMessage, response: HttpResponse) => void;

async function createTlsServer(tls: NonNullable<ListenOptions["tls"]>, onRequest: OnRequest): Promise<Server> {
  const https = await import("node:https");
  return https.createServer(
    {
      cert: tls.cert,
      key: tls.key,
      requestCert: tls.clientCa !== undefined,
      // A certificate that does not verify is answered with 401, not with a failed handshake.
      rejectUnauthorized: false,
      ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa }),
    },
    onRequest,
  );
}

async function bind(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new ListenError(`${host}:${port}`, error)));
    server.listen({ host, port }, resolve);
  });
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(handler: Handler, message: IncomingMessage, response: HttpResponse): Promise<void> {
  const aborted = new AbortController();
  response.once("close", () => aborted.abort());
  try {
    const answer = await handler(fromMessage(message, aborted.signal));
    if (answer === undefined) {
      message.destroy();
    } else {
      send(answer, response, message, aborted.signal);
    }
  } catch {
    // The handler answers every failure of a request; what comes here is a connection that broke.
    message.destroy();
  }
}

function fromMessage(message: IncomingMessage, signal: AbortSignal): ServerRequest {
  const target = message.url ?? "/";
  const mark = target.indexOf("?");
  const certificate = clientCertificateOf(message);
  let body: Promise<string> | undefined;
  return {
    method: message.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1)),
    header: (name) => {
      const value = message.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    headerNames: () => Object.keys(message.headers),
    body: () => (body ??= readBody(message)),
    signal,
    ...(certificate === undefined ? {} : { clientCertificate: certificate }),
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) {
      throw tooLarge(BODY_LIMIT_BYTES);
    }
    chunks.push(chunk);
  }
  return (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString("utf8");
}

function clientCertificateOf(message: IncomingMessage): ClientCertificate | undefined {
  const socket = message.socket as Partial<TLSSocket>;
  const certificate = socket.getPeerCertificate?.();
  if (certificate?.subject === undefined) {
    return undefined;
  }
  // A subject may have several organizations, one of which the type of Node knows.
  const { CN, O } = certificate.subject as unknown as Record<"CN" | "O", string | readonly string[] | undefined>;
  return { commonName: asList(CN)[0] ?? "", organizations: asList(O), isVerified: socket.authorized === true };
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

function send(answer: ServerResponse, response: HttpResponse, message: IncomingMessage, signal: AbortSignal): void {
  response.statusCode = answer.code;
  response.setHeader("Content-Type", answer.contentType);
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    response.setHeader(name, value);
  }
  if (typeof answer.body === "string" || answer.body instanceof Uint8Array) {
    sendWhole(answer.body, response, message);
  } else {
    response.flushHeaders();
    answer.body.start(sinkOf(response), signal);
  }
}

function sendWhole(content: string | Uint8Array, response: HttpResponse, message: IncomingMessage): void {
  const accepts = message.headers["accept-encoding"];
  let body = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  if (body.length > GZIP_FROM_BYTES && typeof accepts === "string" && accepts.includes("gzip")) {
    body = gzipSync(body, { level: 1 });
    response.setHeader("Content-Encoding", "gzip");
    response.setHeader("Vary", "Accept-Encoding");
  }
  if (response.statusCode !== 304) {
    response.setHeader("Content-Length", body.length);
  }
  if (message.method === "HEAD" || response.statusCode === 304) {
    response.end();
  } else {
    response.end(body);
  }
}

function sinkOf(response: HttpResponse): ResponseSink {
  return {
    write: (chunk) => {
      response.write(chunk);
    },
    get pendingBytes() {
      return response.writableLength;
    },
    done: () => {
      response.end();
    },
  };
}
