import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

import { type CertificateAuthority, createCertificateAuthority, type KeyPair } from "@kubescaffold/cluster";

/** Handles a request to the proxy. */
export type ProxyHandler = (message: IncomingMessage, response: ServerResponse) => void;

const HOST = "127.0.0.1";

// An API server keeps idle connections for 90 s, and limits neither the headers' number nor a request's duration.
const SERVER_OPTIONS = { keepAliveTimeout: 90_000, requestTimeout: 0, maxHeaderSize: 1 << 20 } as const;

/** The listening socket of the proxy, with HTTP or HTTPS. */
export class ProxyListener {
  readonly #server: Server | TlsServer;
  readonly #authority: CertificateAuthority | undefined;
  // A server of Node closes only the connections whose TLS handshake is complete.
  readonly #sockets: Set<Socket> = new Set();

  private constructor(server: Server | TlsServer, authority: CertificateAuthority | undefined) {
    this.#server = server;
    this.#authority = authority;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** Listens on a free port of the loopback address. */
  static async start(options: { readonly tls: boolean; readonly handler: ProxyHandler }): Promise<ProxyListener> {
    const authority = options.tls ? await createCertificateAuthority("envtest-chaos") : undefined;
    const server =
      authority === undefined
        ? createServer(SERVER_OPTIONS, options.handler)
        : createTlsServer({ ...SERVER_OPTIONS, ...(await servingPair(authority)) }, options.handler);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: HOST, port: 0 }, resolve);
    });
    return new ProxyListener(server, authority);
  }

  /** The base URL. */
  get url(): string {
    const scheme = this.#authority === undefined ? "http" : "https";
    return `${scheme}://${HOST}:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** The certificate of the authority, as PEM text; undefined with HTTP. */
  get ca(): string | undefined {
    return this.#authority?.cert;
  }

  /** Serves a new certificate on new connections, of the known authority or of a foreign one, and closes all connections. */
  async rotateCertificate({ isTrusted }: { readonly isTrusted: boolean }): Promise<void> {
    if (this.#authority === undefined || !("setSecureContext" in this.#server)) return;
    const authority = isTrusted ? this.#authority : await createCertificateAuthority("envtest-chaos-foreign");
    this.#server.setSecureContext(await servingPair(authority));
    this.closeConnections();
  }

  /** Closes all connections; clients may open new ones. */
  closeConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Stops listening and closes all connections. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.closeConnections();
    });
  }
}

async function servingPair(authority: CertificateAuthority): Promise<KeyPair> {
  return await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: [HOST] });
}
