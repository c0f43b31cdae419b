import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { type UnusedConnections, watchUnusedConnections } from "./unused-connections.ts";

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
