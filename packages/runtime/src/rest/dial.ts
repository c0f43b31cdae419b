// oxlint-disable-next-line typescript/triple-slash-reference -- whoever compiles this source needs these declarations
/// <reference path="./undici-parts.d.ts" />
import type { Duplex } from "node:stream";

import type { RestConfig } from "@kubescaffold/k8s";
import connectTo from "undici/lib/api/api-connect.js";
import buildConnector from "undici/lib/core/connect.js";
import Client from "undici/lib/dispatcher/client.js";

import { StreamUnsupportedError } from "./errors.ts";
import { connectOptions, parseServer, proxyFor } from "./pool-sender.ts";
import type { ClientCertificate } from "./wire.ts";

/**
 * Opens a connection to a server: through the proxy of the config, and with its TLS settings.
 *
 * Fails: {@link StreamUnsupportedError} for SOCKS proxies, and for transports without connections; with the error of the connection.
 */
export async function dial(config: RestConfig, certificate: ClientCertificate | undefined): Promise<Duplex> {
  if (config.connect !== undefined) {
    return await config.connect();
  }
  if (config.transport !== undefined) {
    throw new StreamUnsupportedError("the transport of the rest config has no connect");
  }
  const url = parseServer(config.server);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const proxy = proxyFor(config, process.env);
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, `${url.hostname}:${port}`);
  if (tunnel !== undefined && url.protocol === "http:") {
    return tunnel;
  }
  const connect = buildConnector(connectOptions(config.tls ?? {}, certificate));
  return await new Promise((resolve, reject) => {
    connect(
      {
        hostname: url.hostname.replace(/^\[|\]$/gu, ""),
        host: url.host,
        protocol: url.protocol,
        port,
        ...(tunnel === undefined ? {} : { httpSocket: tunnel as never }),
      },
      (error, socket) => (error === null ? resolve(socket) : reject(error)),
    );
  });
}

async function openTunnel(proxy: string, target: string): Promise<Duplex> {
  const url = new URL(proxy);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new StreamUnsupportedError(`the proxy ${url.protocol}//${url.host} is not an HTTP proxy`);
  }
  const client = new Client(url.origin);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const { statusCode, socket } = await connectTo.call(client, {
    path: target,
    headers: {
      host: target,
      ...(url.username === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
    },
  });
  if (statusCode === 200) {
    return socket;
  }
  socket.destroy();
  throw new StreamUnsupportedError(`the proxy ${url.host} answered CONNECT with the status ${String(statusCode)}`);
}
