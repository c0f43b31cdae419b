import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const UNTIL_SEEN_MS = 50;

/** The Service of an operator's webhooks: one address, behind which the managers of both versions are ready, or one of them, or none. */
export class WebhookService {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #ports: readonly number[] = [];
  #next = 0;

  private constructor() {
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens on a port of the loopback address. */
  static async listen(port: number): Promise<WebhookService> {
    const service = new WebhookService();
    service.#server.listen(port, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  /** Sets the ports of the managers that are ready. Open connections end, so that the next request reaches one of them. */
  async route(ports: readonly number[]): Promise<void> {
    this.#ports = ports;
    this.#endConnections();
    // A client must not send a request on a connection whose end it has not seen.
    await delay(UNTIL_SEEN_MS);
  }

  /** Ends all connections, and listens no longer. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#endConnections();
    await closed;
  }

  #endConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #accept(socket: Socket): void {
    const port = this.#ports[this.#next % Math.max(this.#ports.length, 1)];
    this.#next += 1;
    if (port === undefined) {
      socket.destroy();
      return;
    }
    const backend = connect({ port, host: "127.0.0.1" });
    for (const [from, to] of [
      [socket, backend],
      [backend, socket],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      // The end of one side is the end of the other; a broken connection is reported by the caller of the webhook.
      from.once("error", () => to.destroy());
      from.once("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
