import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/**
 * Returns ports of a host that nobody listens on, all different.
 *
 * Another process may take one before it is used: whoever listens on it tries again with a new one.
 */
export async function freePorts(count: number, host = "127.0.0.1"): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    await Promise.all(
      servers.map(async (server) => {
        server.listen(0, host);
        await once(server, "listening");
      }),
    );
    return servers.map((server) => (server.address() as AddressInfo).port);
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
