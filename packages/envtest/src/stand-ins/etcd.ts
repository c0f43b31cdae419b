import { once } from "node:events";
import { createServer, type Server } from "node:http";

import { dropUnreadBody } from "@kubescaffold/platform/http-server";

import { ServerFlagError } from "../failures/errors.ts";

const DEFAULT_URL = "http://localhost:2379";

/** A running health check. */
export interface EtcdStandIn {
  readonly urls: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * Answers the health check of etcd at the addresses of `--listen-client-urls`; nothing is stored, and other flags have no effect.
 *
 * Fails: {@link ServerFlagError} for an address that is not HTTP; with the error of Node.js when a port is taken.
 */
export async function startEtcdStandIn(args: readonly string[]): Promise<EtcdStandIn> {
  const urls = clientUrls(args);
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(
      servers.map(async (server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
      }),
    );
  };
  try {
    for (const url of urls) servers.push(await serveHealth(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { urls, stop };
}

function clientUrls(args: readonly string[]): readonly string[] {
  let urls = DEFAULT_URL;
  args.forEach((word, index) => {
    const [name, value] = word.split("=", 2);
    if (name === "--listen-client-urls") urls = value ?? args[index + 1] ?? "";
  });
  return urls.split(",");
}

async function serveHealth(url: string): Promise<Server> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== "http:") {
    throw new ServerFlagError(
      `invalid value "${url}" for flag --listen-client-urls: the stand-in for etcd serves only HTTP`,
    );
  }
  const server = createServer((request, response) => {
    dropUnreadBody(request, response);
    const isHealth = request.url?.split("?", 1)[0] === "/health";
    response.writeHead(isHealth ? 200 : 404, { "content-type": isHealth ? "application/json" : "text/plain" });
    response.end(
      isHealth ? '{"health":"true","reason":""}' : "404 page not found: the stand-in for etcd has only /health\n",
    );
  });
  server.listen({
    host: address.hostname.replace(/^\[|\]$/gu, ""),
    port: Number(address.port === "" ? 80 : address.port),
  });
  await once(server, "listening");
  return server;
}
