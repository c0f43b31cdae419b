import { createServer, type IncomingMessage, type Server, ServerResponse as HttpResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

import { dropUnreadBody } from "@kubescaffold/platform/http-server";

import type { ServerResponse } from "../request/server-request.ts";
import { connectionPair } from "./connection-pair.ts";
import { ListenError } from "./errors.ts";
import { Exchange } from "./exchange.ts";
import type { Handler } from "./in-process.ts";
import { answerMalformedRequests } from "./malformed-requests.ts";
import { sendResponse } from "./send-response.ts";
import { toServerRequest } from "./socket-request.ts";

/** Options for listening. */
export interface ListenOptions {
  /** The port. Default: 0, any free port. */
  readonly port?: number;
  /** The address. Default: the loopback address. */
  readonly host?: string;
  /** Serves HTTPS with these certificates. Default: HTTP. */
  readonly tls?: ListenTls;
  /** Host names that clients without a bearer token may use, in addition to `localhost`, `host`, and IP addresses. */
  readonly hostNames?: readonly string[];
}

/** PEM data for a TLS listener. */
export interface ListenTls {
  /** The certificate, as PEM text. */
  readonly cert: string;
  /** The private key, as PEM text. */
  readonly key: string;
  /** Authorities whose client certificates are accepted. */
  readonly clientCa?: string;
  /** The lowest version that is accepted. Default: TLSv1.2. */
  readonly minVersion?: "TLSv1.2" | "TLSv1.3";
}

/** A listening socket of the server. */
export interface Listener {
  /** The base URL of the server. */
  readonly url: string;
  /** The address. */
  readonly host: string;
  /** The port, also if the system chose it. */
  readonly port: number;
  /** Stops accepting connections, and closes those that are open. */
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

// The limits of kube-apiserver, which counts the request line as a header.
const SERVER_OPTIONS = { maxHeaderSize: 1 << 20, keepAliveTimeout: 90_000, headersTimeout: 32_000 } as const;

/** Listens on a socket and hands what comes to a handler; fails with {@link ListenError} when the port is taken. */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
  const host = options.host ?? LOOPBACK;
  const hostNames = new Set([host, ...(options.hostNames ?? [])].map((name) => name.toLowerCase()));
  const onRequest = (message: IncomingMessage, response: HttpResponse, isContinued: boolean = true): void => {
    dropUnreadBody(message, response, { isContinued });
    void serve(handler, hostNames, new Exchange(message, response));
  };
  const server =
    options.tls === undefined ? createServer(SERVER_OPTIONS, onRequest) : await createTlsServer(options.tls, onRequest);
  // Node drops headers beyond a number without a word; here their size limits them.
  server.maxHeadersCount = 0;
  server.on("checkContinue", (message: IncomingMessage, response: HttpResponse) => onRequest(message, response, false));
  answerMalformedRequests(server);
  serveUpgrades(server, handler, hostNames);
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  await bind(server, { host, port: options.port ?? 0 });
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls === undefined ? "http" : "https";
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return { url: `${scheme}://${hostInUrl}:${port}`, host, port, close: () => closeServer(server, connections) };
}

/** Serves connections within the process. */
export interface InProcessServer {
  /** Opens a connection, and returns the client's end. */
  connect(): Duplex;
  /** Closes all connections. */
  close(): void;
}

/** Creates a server that listens nowhere; its connections speak HTTP/1.1, and can become WebSockets. */
export function createInProcessServer(handler: Handler): InProcessServer {
  const server = createServer(SERVER_OPTIONS, (message, response) => {
    dropUnreadBody(message, response);
    void serve(handler, undefined, new Exchange(message, response));
  });
  server.maxHeadersCount = 0;
  answerMalformedRequests(server);
  serveUpgrades(server, handler, undefined);
  const connections = new Set<Duplex>();
  return {
    connect: () => {
      const [ours, theirs] = connectionPair();
      connections.add(theirs);
      theirs.once("close", () => connections.delete(theirs));
      server.emit("connection", theirs);
      return ours;
    },
    close: () => {
      for (const connection of connections) connection.destroy();
    },
  };
}

function serveUpgrades(server: Server, handler: Handler, hostNames: ReadonlySet<string> | undefined): void {
  server.on("upgrade", (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that breaks the connection; its stream ends with it.
    socket.on("error", () => undefined);
    void serve(handler, hostNames, new Exchange(message, responseOn(socket, message), { socket, head }));
  });
}

type OnRequest = (message: IncomingMessage, response: HttpResponse) => void;

async function createTlsServer(tls: NonNullable<ListenOptions["tls"]>, onRequest: OnRequest): Promise<Server> {
  const https = await import("node:https");
  return https.createServer(
    {
      ...SERVER_OPTIONS,
      minVersion: tls.minVersion ?? "TLSv1.2",
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

// Requests to upgrade have no response of their own.
function responseOn(socket: Duplex, message: IncomingMessage): HttpResponse {
  const response = new HttpResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once("finish", () => {
    response.detachSocket(socket as Socket);
    socket.end();
  });
  return response;
}

// Also closes connections that became WebSockets, and those whose TLS handshake is not complete, which a server does not close by itself.
async function closeServer(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
    for (const socket of connections) socket.destroy();
  });
}

async function serve(handler: Handler, hostNames: ReadonlySet<string> | undefined, exchange: Exchange): Promise<void> {
  const { message } = exchange;
  try {
    const request = toServerRequest(exchange, hostNames);
    const refused = request === undefined ? refusal(400, "Bad Request") : refusalOf(message);
    const answer = refused ?? (request === undefined ? undefined : await handler(request));
    if (answer === undefined) {
      // Destroying a message whose body was read leaves its connection open.
      message.socket.destroy();
    } else {
      await sendResponse(answer, exchange);
    }
  } catch {
    // The handler answers every failure of a request; what comes here is a connection that broke.
    message.socket.destroy();
  }
}

// What HTTP forbids, or no server needs, and Node lets pass.
function refusalOf({ httpVersion, headers }: IncomingMessage): ServerResponse | undefined {
  const encoding = headers["transfer-encoding"]?.toLowerCase();
  if (httpVersion.startsWith("2")) return refusal(505, "HTTP Version Not Supported: unsupported protocol version");
  if (!httpVersion.startsWith("1") || (encoding !== undefined && httpVersion === "1.0"))
    return refusal(400, "Bad Request");
  if (encoding !== undefined && encoding !== "chunked")
    return refusal(501, "Not Implemented: Unsupported transfer encoding");
  return undefined;
}

function refusal(code: number, body: string): ServerResponse {
  return {
    code,
    contentType: "text/plain; charset=utf-8",
    headers: { Connection: "close" },
    body: `${String(code)} ${body}`,
  };
}
