import { createServer, type Server } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";

import { whenAborted } from "../clock/clock.ts";
import { type HttpHandler, nodeListener } from "../http-server/http-handler.ts";
import { closeGracefully, listen } from "../http-server/listening.ts";
import type { Logger } from "../log/logger.ts";
import { ManagerAddressError, ManagerListenError } from "./errors.ts";
import type { Runnable, RunnableGroupName } from "./runnable.ts";

/** What a server of the manager serves, and where. */
export interface HttpServerOptions {
  /** What it serves, for messages. */
  readonly name: string;
  readonly address: ListenAddress;
  readonly handler: HttpHandler;
  readonly log: Logger;
  /** Serves HTTPS with these settings, which are asked for when it begins to listen. */
  readonly tls?: () => Promise<ServerOptions>;
  /** Serves only while this process leads. */
  readonly onlyServeWhenLeader?: boolean;
  /** How long open requests may take after the stop; without limit unless given. */
  readonly shutdownTimeoutMs?: number;
}

const MAX_HEADER_BYTES = 1 << 20;
const IDLE_TIMEOUT_MS = 90_000;
const HEADERS_TIMEOUT_MS = 32_000;
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Serves HTTP or HTTPS as part of a manager. */
export class HttpServer implements Runnable {
  readonly #options: HttpServerOptions;
  #server: Server | undefined;
  #port: number | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
  }

  get runnableGroup(): RunnableGroupName {
    return this.#options.onlyServeWhenLeader === true ? "leaderElection" : "httpServers";
  }

  get runnableName(): string {
    return `${this.#options.name} server`;
  }

  /** The port in use while it listens. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Begins to listen, unless it does; a port that is taken is so found out early. Fails: {@link ManagerListenError}. */
  async listen(): Promise<Server> {
    if (this.#server !== undefined) {
      return this.#server;
    }
    const { name, address, tls, handler, log } = this.#options;
    const settings = {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
    };
    const listener = nodeListener(handler, log);
    const server =
      tls === undefined
        ? createServer(settings, listener)
        : createSecureServer({ ...settings, ...(await tls()) }, listener);
    try {
      this.#port = await listen(server, address);
    } catch (error) {
      throw new ManagerListenError(name, `${address.host}:${String(address.port)}`, error);
    }
    this.#server = server;
    log.info("starting server", { server: name, host: address.host, port: this.#port, secure: tls !== undefined });
    return server;
  }

  /** Ends listening without having been started. */
  async close(): Promise<void> {
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

/** Where a server listens; an empty host means every address of the machine. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `host:port` or `:port`; empty and `0` mean that there is no server.
 *
 * Fails: {@link ManagerAddressError} when the text is neither.
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
