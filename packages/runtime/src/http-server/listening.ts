import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts listening and resolves with the port in use; port 0 lets the system choose. */
export async function listen(
  server: Server,
  address: { readonly host: string; readonly port: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: address.port, ...(address.host === "" ? {} : { host: address.host }) }, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Stops accepting, closes idle connections, waits for open requests to be answered and cuts them after the limit. */
export async function closeGracefully(server: Server, limitMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), limitMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
