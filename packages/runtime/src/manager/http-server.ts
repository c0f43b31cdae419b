import { createServer, type Server } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer, type ServerOptions } from "node:https";

import { checkNumbers } from "@kubescaffold/k8s";
import { whenAborted } from "@kubescaffold/platform/clock";

import { type HttpHandler, nodeListener } from "../http-server/http-handler.ts";
import { closeGracefully, listen, SERVER_LIMITS } from "../http-server/listening.ts";
import type { Logger } from "../log/logger.ts";
import { ManagerAddressError, ManagerListenError } from "./errors.ts";
import type { Runnable, RunnableGroupName } from "./runnable.ts";

/** Options of an {@link HttpServer}. */
export interface HttpServerOptions {
  /** The name of the server for messages. */
  readonly name: string;
  /** The address to listen on. */
  readonly address: ListenAddress;
  /** Handles the requests. */
  readonly handler: HttpHandler;
  /** The logger. */
  readonly log: Logger;
  /** Serves HTTPS with the settings of a source. Default: HTTP. */
  readonly tls?: TlsSource;
  /** Serves only while this process is the leader. Default: false. */
  readonly onlyServeWhenLeader?: boolean;
  /** Milliseconds that open requests may take after the stop. Default: no limit. */
  readonly shutdownTimeoutMs?: number;
}

/** Where the certificate of a server comes from. */
export interface TlsSource {
  /** Loads the settings when the server starts to listen. */
  readonly load: () => Promise<ServerOptions>;
  /** Passes on settings that replace the former ones, from the start to the stop of the server. */
  readonly watch: (onChange: (settings: ServerOptions) => void) => { readonly stop: () => void };
}

const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Serves HTTP or HTTPS as a runnable of a manager.
 *
 * controller-runtime: pkg/manager.Server
 */
export class HttpServer implements Runnable {
  readonly #options: HttpServerOptions;
  #server: Server | undefined;
  #port: number | undefined;
  #stopWatching: () => void = () => undefined;

  constructor(options: HttpServerOptions) {
    checkNumbers("the HTTP server", options, { shutdownTimeoutMs: "number" });
    this.#options = options;
  }

  get runnableGroup(): RunnableGroupName {
    return this.#options.onlyServeWhenLeader === true ? "leaderElection" : "httpServers";
  }

  get runnableName(): string {
    return `${this.#options.name} server`;
  }

  /** The port in use while the server listens. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Starts listening unless it does already, so that a port in use is reported early. Fails: {@link ManagerListenError}. */
  async listen(): Promise<Server> {
    if (this.#server !== undefined) {
      return this.#server;
    }
    const { name, address, tls, handler, log } = this.#options;
    const listener = nodeListener(handler, log);
    const server = tls === undefined ? createServer(SERVER_LIMITS, listener) : await this.#createSecure(tls, listener);
    try {
      this.#port = await listen(server, address);
    } catch (error) {
      this.#stopWatching();
      throw new ManagerListenError(name, `${address.host}:${String(address.port)}`, error);
    }
    this.#server = server;
    log.info("starting server", { server: name, host: address.host, port: this.#port, secure: tls !== undefined });
    return server;
  }

  async #createSecure(tls: TlsSource, listener: Parameters<typeof createSecureServer>[1]): Promise<SecureServer> {
    const server = createSecureServer({ ...SERVER_LIMITS, ...(await tls.load()) }, listener);
    const watching = tls.watch((settings) => server.setSecureContext(settings));
    this.#stopWatching = () => watching.stop();
    return server;
  }

  /** Stops listening if the server was never started. */
  async close(): Promise<void> {
    this.#stopWatching();
    const server = this.#server;
    this.#server = undefined;
    this.#port = undefined;
    if (server !== undefined) {
      await closeGracefully(server, this.#options.shutdownTimeoutMs ?? NO_LIMIT_MS);
    }
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.listen();
    await whenAborted(signal);
    await this.close();
  }
}

/** The address of a server; an empty host means all addresses. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Parses `host:port` or `:port`; empty and `0` disable the server.
 *
 * Fails: {@link ManagerAddressError} for any other text.
 */
export function parseAddress(text: string): ListenAddress | undefined {
  if (text === "" || text === "0") {
    return undefined;
  }
  const [, host, port] = /^(.*):(\d{1,5})$/u.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) {
    throw new ManagerAddressError(text);
  }
  return { host: host.replace(/^\[(.*)\]$/u, "$1"), port: Number(port) };
}
