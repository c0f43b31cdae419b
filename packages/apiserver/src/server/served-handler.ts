import type { Duplex } from "node:stream";

import { checkNumbers, type RestConfig, type Transport } from "@kubescaffold/k8s";

import type { RequestLog } from "../audit/request-log.ts";
import { DisconnectedError } from "../http/errors.ts";
import type { InProcessServer, Listener, ListenOptions } from "../http/http-listener.ts";
import type { Handler } from "../http/in-process.ts";
import { createInProcessTransport } from "../http/plain-exchange.ts";

/** Serves a handler in the process and on sockets, until it is closed. */
export class ServedHandler {
  readonly handle: Transport;
  readonly #handler: Handler;
  readonly #requestLog: RequestLog | undefined;
  readonly #listeners = new Set<Listener>();
  #connections: InProcessServer | undefined;
  #isClosed = false;

  constructor(handler: Handler, requestLog: RequestLog | undefined) {
    this.#handler = handler;
    this.#requestLog = requestLog;
    this.handle = createInProcessTransport(handler);
  }

  restConfig(): RestConfig {
    return { server: "http://embedded.invalid", transport: this.handle, connect: async () => await this.#connect() };
  }

  async listen(options: ListenOptions = {}): Promise<Listener> {
    checkNumbers("the listener", options, { port: "port" });
    // node:http is loaded only by those who listen.
    const { listen } = await import("../http/http-listener.ts");
    await this.#requestLog?.auditor();
    const listener = await listen(this.#handler, options);
    const closing: Listener = {
      ...listener,
      close: async () => {
        this.#listeners.delete(closing);
        await listener.close();
      },
    };
    this.#listeners.add(closing);
    return closing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connections?.close();
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
  }

  async #connect(): Promise<Duplex> {
    const { createInProcessServer } = await import("../http/http-listener.ts");
    if (this.#isClosed) throw new DisconnectedError();
    this.#connections ??= createInProcessServer(this.#handler);
    return this.#connections.connect();
  }
}
