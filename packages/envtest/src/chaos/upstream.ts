import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";

import type { RestConfig, TlsConfig, Transport } from "@kubescaffold/k8s";

import { ChaosOptionsError } from "../failures/errors.ts";

/** Headers with all their values. */
export type HeaderValues = Readonly<Record<string, readonly string[]>>;

// A request that is forwarded.
interface ForwardedRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  /** The headers of the client that concern the server. */
  readonly headers: HeaderValues;
  /** The body; empty without one. */
  readonly body: Buffer;
  /** Cancels the request when it aborts. */
  readonly signal: AbortSignal;
}

/** The head of a server's response, and its body. */
export interface UpstreamResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers that concern the client. */
  readonly headers: HeaderValues;
  /** The body in chunks. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The API server behind the proxy. */
export interface Upstream {
  /** Sends a request and resolves with the head of the response. */
  send(request: ForwardedRequest): Promise<UpstreamResponse>;
  /** Closes all connections. */
  close(): void;
}

/** Returns the API server of a config: one with a socket, or one in this process. Fails: {@link ChaosOptionsError}. */
export function createUpstream(target: RestConfig): Upstream {
  if (target.transport !== undefined) return inProcessUpstream(target.server, target.transport);
  if (target.proxyUrl !== undefined && target.proxyUrl !== "") {
    throw new ChaosOptionsError(`cannot reach the target through the proxy ${target.proxyUrl}`, {
      hint: "use a target without proxyUrl",
    });
  }
  if (!/^https?:/u.test(target.server) || !URL.canParse(target.server)) {
    throw new ChaosOptionsError(`cannot use the target ${target.server}: it is not an HTTP URL`);
  }
  return socketUpstream(target);
}

function inProcessUpstream(server: string, transport: Transport): Upstream {
  const base = server.replace(/(?<!\/)\/+$/u, "");
  return {
    send: async ({ method, target, headers, body, signal }) => {
      const list = Object.entries(headers).flatMap(([name, values]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const init = { method, headers: list, signal, body: body.length === 0 ? null : new Uint8Array(body) };
      const response = await transport(new Request(`${base}${target}`, init));
      return {
        status: response.status,
        headers: withoutHopByHop(Object.fromEntries([...response.headers].map(([name, value]) => [name, [value]]))),
        body: response.body ?? emptyBody(),
      };
    },
    close: () => undefined,
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array, void, undefined> {
  // Nothing follows the head.
}

// Below the 90 s after which an API server closes an idle connection.
const IDLE_CONNECTION_MS = 45_000;

function socketUpstream(target: RestConfig): Upstream {
  const server = new URL(target.server);
  const prefix = server.pathname.replace(/(?<!\/)\/+$/u, "");
  const isTls = server.protocol === "https:";
  const agentOptions = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const send = isTls ? httpsRequest : httpRequest;
  const connection: RequestOptions = {
    protocol: server.protocol,
    host: server.hostname.replace(/^\[|\]$/gu, ""),
    port: server.port,
    agent,
    ...(isTls ? tlsOptions(target.tls ?? {}) : {}),
  };
  return {
    send: async ({ method, target, headers, body, signal }) => {
      const message = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { ...connection, method, path: `${prefix}${target}`, headers: { ...headers }, signal };
        const request = send(options as RequestOptions, resolve);
        request.on("error", reject);
        // Without a listener, Node closes the connection and reports nothing.
        request.once("upgrade", (_message, socket) => {
          socket.destroy();
          reject(new Error("the server switched to another protocol"));
        });
        request.end(body);
      });
      return {
        status: message.statusCode ?? 502,
        headers: withoutHopByHop(valuesOf(message.headersDistinct)),
        body: message as AsyncIterable<Uint8Array>,
      };
    },
    close: () => agent.destroy(),
  };
}

function tlsOptions({ ca, cert, key, serverName, insecureSkipTlsVerify }: TlsConfig): RequestOptions {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(insecureSkipTlsVerify === true ? { rejectUnauthorized: false } : {}),
    ...serverNameOptions(serverName),
  };
}

// TLS does not allow an IP address as SNI, so it is only verified against the certificate.
function serverNameOptions(serverName: string | undefined): RequestOptions {
  if (serverName === undefined || serverName === "") return {};
  return isIP(serverName) === 0
    ? { servername: serverName }
    : { checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate) };
}

// Headers of one connection; the proxy reads and writes bodies itself, and does not decompress them.
const HOP_BY_HOP = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Returns headers without those that concern one connection only. */
export function withoutHopByHop(headers: HeaderValues): HeaderValues {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase())));
}

/** Returns the headers of a message of Node with all their values. */
export function valuesOf(headers: IncomingMessage["headersDistinct"]): HeaderValues {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values ?? []]));
}
