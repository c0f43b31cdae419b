import { once } from "node:events";
import { type AddressInfo, createServer, isIP, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { SpdyError, SpdySession, SpdyStream } from "@kubescaffold/k8s/spdy";
import { PORT_FORWARD_HEADERS, PORT_FORWARD_PROTOCOL } from "@kubescaffold/k8s/streams";
import { handledLater } from "@kubescaffold/platform";
import { onAbort } from "@kubescaffold/platform/clock";

import type { ObjectKey } from "../client/client.ts";
import { resourcePath } from "../client/requests.ts";
import type { RestClient } from "../rest/rest-client.ts";
import type { WebSocketConnection } from "../rest/web-socket.ts";
import { InvalidPortError, PortForwardError } from "./errors.ts";

/**
 * A local port, and the port of the Pod that its connections reach.
 *
 * client-go: tools/portforward.ForwardedPort
 */
export interface ForwardedPort {
  /** The local port. */
  readonly local: number;
  /** The port of the Pod. */
  readonly remote: number;
}

/** Options of {@link portForward}. */
export interface PortForwardOptions {
  /**
   * The ports, in the form of `kubectl port-forward`: `"5000"` for the same port, `"8888:5000"` for another local port, and `":5000"` for any free one.
   * Without ports, only {@link PortForwarder.connect} reaches the Pod. Default: none.
   */
  readonly ports?: readonly (string | number)[];
  /** The IP addresses to listen on, or `localhost` for those of the loopback interface that exist. Default: `localhost`. */
  readonly addresses?: readonly string[];
  /** Receives the errors of single connections, for example that nothing listens on a port of the Pod. Default: they only end their connection. */
  readonly onError?: (error: PortForwardError) => void;
  /** Stops forwarding when it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Forwards local ports to a Pod.
 *
 * client-go: tools/portforward.PortForwarder
 */
export interface PortForwarder {
  /** The forwarded ports, with the local ports that were chosen. */
  readonly ports: readonly ForwardedPort[];
  /** Opens a connection to a port of the Pod without a local port. Fails: {@link PortForwardError} if nothing listens there, which may also end an open stream. */
  connect(port: number): Promise<Duplex>;
  /** Resolves when forwarding was stopped. Fails: `SpdyError` or `ConnectionError` when the connection to the Pod was lost, or with the signal's reason. */
  readonly done: Promise<void>;
  /** Stops listening, and closes all connections. */
  close(): Promise<void>;
}

/**
 * Forwards local ports to the ports of a Pod, over one WebSocket; resolves when it listens.
 *
 * Guarantees: bytes are read no faster than they are consumed; everything is closed when it is stopped, the signal aborts, or the connection is lost.
 * Fails: {@link InvalidPortError}; `StatusError` if the server refused it; `ConnectionError`; the signal's reason.
 *
 * client-go: tools/portforward.New
 *
 * @example
 * const forwarder = await portForward(createRestClient(config), { namespace: "default", name: "web-0" }, { ports: [":8080"] });
 * await fetch(`http://localhost:${forwarder.ports[0]?.local}/`);
 * await forwarder.close();
 */
export async function portForward(
  rest: RestClient,
  key: ObjectKey,
  options: PortForwardOptions = {},
): Promise<PortForwarder> {
  const wanted = (options.ports ?? []).map((port) => parsePort(String(port)));
  const addresses = parseAddresses(options.addresses ?? ["localhost"]);
  const { SpdySession: SpdyClientSession } = await import("@kubescaffold/k8s/spdy");
  const socket = await rest.webSocket({
    path: resourcePath({
      gvr: { group: "", version: "v1", resource: "pods" },
      namespace: key.namespace ?? "",
      name: key.name,
      subresource: "portforward",
    }),
    protocols: [PORT_FORWARD_PROTOCOL],
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const session = new SpdyClientSession(
    { chunks: () => socket.messages(), write: async (bytes) => socket.send(bytes), close: () => socket.close() },
    { role: "client" },
  );
  const forwarder = new WebSocketPortForwarder(socket, session, options.onError);
  try {
    await forwarder.listen(wanted, addresses);
  } catch (error) {
    await forwarder.close();
    throw error;
  }
  return forwarder;
}

class WebSocketPortForwarder implements PortForwarder {
  readonly done: Promise<void>;
  readonly #socket: WebSocketConnection;
  readonly #session: SpdySession;
  readonly #onError: PortForwardOptions["onError"];
  readonly #servers: Server[] = [];
  readonly #connections = new Set<Socket>();
  #ports: readonly ForwardedPort[] = [];
  #nextRequest = 0;
  #isClosing = false;

  constructor(socket: WebSocketConnection, session: SpdySession, onError: PortForwardOptions["onError"]) {
    this.#socket = socket;
    this.#session = session;
    this.#onError = onError;
    // Those who do not wait for the end learn of it from their connections.
    this.done = handledLater(this.#run());
  }

  get ports(): readonly ForwardedPort[] {
    return this.#ports;
  }

  async connect(port: number): Promise<Duplex> {
    if (!Number.isInteger(port) || port < 1 || port > LARGEST_PORT) {
      throw new InvalidPortError(String(port));
    }
    const requestId = String(this.#nextRequest);
    this.#nextRequest += 1;
    const headers = (type: string): ReadonlyMap<string, readonly string[]> =>
      new Map([
        [PORT_FORWARD_HEADERS.type, [type]],
        [PORT_FORWARD_HEADERS.port, [String(port)]],
        [PORT_FORWARD_HEADERS.requestId, [requestId]],
      ]);
    const errors = await this.#session.open(headers("error"));
    errors.end();
    const report = collectReport(errors, port);
    let data: SpdyStream;
    try {
      data = await this.#session.open(headers("data"));
    } catch (error) {
      errors.destroy();
      throw report() ?? error;
    }
    data.explainWith((error) => report() ?? error);
    errors.once("close", () => {
      const error = report();
      if (error !== undefined) data.destroy(error);
    });
    return data;
  }

  async listen(wanted: readonly ForwardedPort[], addresses: readonly string[]): Promise<void> {
    const ports: ForwardedPort[] = [];
    for (const { local, remote } of wanted) {
      ports.push({ local: await this.#listenOn(addresses, local, remote), remote });
    }
    this.#ports = ports;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#session.close();
    await this.done.catch(() => undefined);
  }

  // All addresses get the same port.
  async #listenOn(addresses: readonly string[], local: number, remote: number): Promise<number> {
    let port = local;
    let failure: unknown;
    let count = 0;
    for (const address of addresses) {
      const server = createServer({ allowHalfOpen: true }, (connection) => void this.#forward(connection, remote));
      try {
        server.listen({ host: address, port });
        await once(server, "listening");
      } catch (error) {
        // A machine without IPv6 has only one loopback address.
        failure = error;
        continue;
      }
      this.#servers.push(server);
      port = (server.address() as AddressInfo).port;
      count += 1;
    }
    if (count === 0) throw new InvalidPortError(String(local), { cause: failure });
    return port;
  }

  async #forward(connection: Socket, remote: number): Promise<void> {
    this.#connections.add(connection);
    connection.once("close", () => this.#connections.delete(connection));
    connection.on("error", () => undefined);
    try {
      const data = await this.connect(remote);
      if (connection.destroyed) {
        data.destroy();
        return;
      }
      connection.once("close", () => data.destroy());
      data.once("close", () => {
        if (data.errored !== null) this.#report(data.errored, remote);
        if (data.errored !== null || !data.readableEnded) connection.destroy();
      });
      connection.pipe(data).pipe(connection);
    } catch (error) {
      this.#report(error, remote);
      connection.destroy();
    }
  }

  #report(error: unknown, port: number): void {
    if (this.#isClosing || this.#session.closed.aborted) return;
    this.#onError?.(
      error instanceof PortForwardError ? error : new PortForwardError(port, String(error), { cause: error }),
    );
  }

  async #run(): Promise<void> {
    const { closed } = this.#session;
    await new Promise<void>((resolve) => {
      onAbort(closed, resolve);
    });
    const servers = this.#servers.map(async (server) => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const connection of this.#connections) connection.destroy();
      });
    });
    await Promise.all(servers);
    if (this.#socket.terminated.aborted) throw this.#socket.terminated.reason as Error;
    if (!this.#isClosing) throw closed.reason as SpdyError;
  }
}

/** Collects the text of the error stream, which a reset may follow at once; returns the error that it reports so far. */
function collectReport(stream: SpdyStream, port: number): () => PortForwardError | undefined {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    if (text.length < LARGEST_FAILURE) text += chunk.toString("utf8");
  });
  return () => (text === "" ? undefined : new PortForwardError(port, text));
}

const LARGEST_FAILURE = 64 * 1024;
const LARGEST_PORT = 65_535;

/** Parses a port of `kubectl port-forward`. Fails: {@link InvalidPortError}. */
function parsePort(text: string): ForwardedPort {
  const [, first, second] = /^(\d{0,5})(?::(\d{1,5}))?$/u.exec(text) ?? [];
  const local = first === "" ? 0 : Number(first);
  const remote = Number(second ?? first);
  const isValid = first !== undefined && (first !== "" || second !== undefined);
  if (!isValid || !(local <= LARGEST_PORT) || !(remote >= 1 && remote <= LARGEST_PORT)) {
    throw new InvalidPortError(text);
  }
  return { local, remote };
}

function parseAddresses(addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => {
    if (address === "localhost") return ["127.0.0.1", "::1"];
    if (isIP(address) === 0) throw new InvalidPortError(address);
    return [address];
  });
}
