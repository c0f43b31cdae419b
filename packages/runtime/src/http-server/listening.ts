import type { Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

// As long as Go's servers wait for the first request of a connection when they are shut down.
const FIRST_REQUEST_LIMIT_MS = 5000;

const unusedOf = new WeakMap<Server, UnusedConnections>();

/** Starts listening and resolves with the port in use; port 0 lets the system choose. */
export async function listen(
  server: Server,
  address: { readonly host: string; readonly port: number },
): Promise<number> {
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
 * Stops accepting, closes idle connections, waits for open requests to be answered and cuts them after the limit.
 *
 * A connection without any request is given `firstRequestLimitMs` from its opening.
 */
export async function closeGracefully(
  server: Server,
  limitMs: number,
  firstRequestLimitMs: number = FIRST_REQUEST_LIMIT_MS,
): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), limitMs);
  const stopClosing = unusedOf.get(server)?.closeWhenOlderThan(firstRequestLimitMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
  stopClosing?.();
}

/** What is known of the connections on which no request has come yet. */
interface UnusedConnections {
  /** Closes those that are as old as this by then, at once or once they are. Returns what ends that. */
  readonly closeWhenOlderThan: (ageMs: number) => () => void;
}

/**
 * Watches a server's connections from its start.
 *
 * Node counts a connection as busy until its first request has come, and clients in Go keep some in reserve on which none ever does.
 */
export function watchUnusedConnections(server: Server | TlsServer): UnusedConnections {
  const openedAt = new Map<Socket, number>();
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    openedAt.set(socket, performance.now());
    socket.once("close", () => openedAt.delete(socket));
  });
  server.on("request", ({ socket }) => openedAt.delete(socket));
  return {
    closeWhenOlderThan: (ageMs) => {
      const timers = [...openedAt].map(([socket, opened]) =>
        setTimeout(() => openedAt.has(socket) && socket.destroy(), opened + ageMs - performance.now()),
      );
      return () => timers.forEach((timer) => clearTimeout(timer));
    },
  };
}
