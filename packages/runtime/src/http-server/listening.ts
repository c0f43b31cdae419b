import type { Server, ServerResponse } from "node:http";
import { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** The limits of upstream's servers of metrics, health, and webhooks. A client that sends its headers slowly is cut off. */
export const SERVER_LIMITS: {
  readonly maxHeaderSize: number;
  readonly keepAliveTimeout: number;
  readonly headersTimeout: number;
} = {
  maxHeaderSize: 1 << 20,
  keepAliveTimeout: 90_000,
  headersTimeout: 32_000,
};

/** The limit of TLS versions of all servers, also after a certificate was replaced. */
export const TLS_LIMITS: { readonly minVersion: "TLSv1.2" } = { minVersion: "TLSv1.2" };

// The time that Go's servers wait for the first request of a connection during shutdown.
const FIRST_REQUEST_LIMIT_MS = 5000;

const IDLE_POLL_MS = 100;

const openOf = new WeakMap<Server, OpenResponses>();
const unusedOf = new WeakMap<Server, UnusedConnections>();

/** Starts listening and resolves with the port in use; with port 0 the system chooses one. */
export async function listen(
  server: Server,
  address: { readonly host: string; readonly port: number },
): Promise<number> {
  openOf.set(server, watchOpenResponses(server));
  unusedOf.set(server, watchUnusedConnections(server));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: address.port, ...(address.host === "" ? {} : { host: address.host }) }, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Stops accepting connections, closes idle ones, waits for open requests, and cuts the remaining ones after the limit.
 *
 * A connection without any request is closed `firstRequestLimitMs` after it was opened.
 */
export async function closeGracefully(
  server: Server,
  limitMs: number,
  firstRequestLimitMs: number = FIRST_REQUEST_LIMIT_MS,
): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), limitMs);
  // A connection whose response began before the stop stays open for the next request.
  const poll = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
  const stopClosing = unusedOf.get(server)?.closeWhenOlderThan(firstRequestLimitMs);
  announceClose(server);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
  clearInterval(poll);
  stopClosing?.();
}

/** Announces in open responses, and in all later ones, that their connections close; the server accepts more of both. */
export function announceClose(server: Server): void {
  openOf.get(server)?.disableKeepAlive();
}

/** The responses that have not been sent completely. */
interface OpenResponses {
  /** Announces in each of them, and in all later ones, that the connection closes; a client then sends nothing more on it. */
  readonly disableKeepAlive: () => void;
}

/** Tracks a server's responses from its start. */
function watchOpenResponses(server: Server): OpenResponses {
  const open = new Set<ServerResponse>();
  let keepsAlive = true;
  server.prependListener("request", (_request, response: ServerResponse) => {
    if (!keepsAlive) response.setHeader("connection", "close");
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  return {
    disableKeepAlive: () => {
      keepsAlive = false;
      for (const response of open) if (!response.headersSent) response.setHeader("connection", "close");
    },
  };
}

/** The connections that have not carried a request yet. */
interface UnusedConnections {
  /** Closes each connection once it reaches this age; the returned function stops that. */
  readonly closeWhenOlderThan: (ageMs: number) => () => void;
}

/**
 * Tracks a server's connections from its start, also those whose TLS handshake is not complete.
 *
 * Node counts a connection as busy until its first request arrives, and Go clients open spare ones that may never carry a request.
 */
export function watchUnusedConnections(server: Server | TlsServer): UnusedConnections {
  const openedAt = new Map<Socket, number>();
  const handshaking = new Map<string, Socket>();
  let watchLater: (socket: Socket) => void = () => undefined;
  const add = (socket: Socket, opened: number): void => {
    openedAt.set(socket, opened);
    socket.once("close", () => openedAt.delete(socket));
    watchLater(socket);
  };
  server.on("connection", (socket: Socket) => {
    const client = clientOf(socket);
    add(socket, performance.now());
    if (!(server instanceof TlsServer)) return;
    handshaking.set(client, socket);
    socket.once("close", () => handshaking.get(client) === socket && handshaking.delete(client));
  });
  server.on("secureConnection", (socket: Socket) => {
    const client = clientOf(socket);
    const plain = handshaking.get(client);
    const opened = plain === undefined ? undefined : openedAt.get(plain);
    handshaking.delete(client);
    if (plain !== undefined) openedAt.delete(plain);
    add(socket, opened ?? performance.now());
  });
  server.on("request", ({ socket }) => openedAt.delete(socket));
  return {
    closeWhenOlderThan: (ageMs) => {
      const timers: NodeJS.Timeout[] = [];
      watchLater = (socket) => {
        const leftMs = (openedAt.get(socket) ?? 0) + ageMs - performance.now();
        timers.push(setTimeout(() => openedAt.has(socket) && socket.destroy(), leftMs));
      };
      for (const socket of openedAt.keys()) watchLater(socket);
      return () => {
        watchLater = () => undefined;
        for (const timer of timers) clearTimeout(timer);
      };
    },
  };
}

// Hosts choose their ports alone, so a port may occur twice.
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}
