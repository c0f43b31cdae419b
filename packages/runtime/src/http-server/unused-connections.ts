import type { Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

/** What is known of the connections on which no request has come yet. */
export interface UnusedConnections {
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
