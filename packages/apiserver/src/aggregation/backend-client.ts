import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, RequestOptions } from "node:http";
import type { Agent, AgentOptions } from "node:https";
import type { Duplex } from "node:stream";

import { messageOf } from "@kubescaffold/k8s";
import { whenAborted } from "@kubescaffold/platform/clock";

import { type ConnectionError, goMessage, isAddress } from "../http/go-errors.ts";
import type { ServiceAddress } from "../http/service-address.ts";
import type { UserInfo } from "../request/request-context.ts";

/** Handles the requests of an API server within the process, and is told who makes each. */
export type BackendHandler = (request: Request, user: UserInfo) => Response | Promise<Response>;

/** The server behind a Service. */
export type Backend =
  | { readonly kind: "handler"; readonly handle: BackendHandler }
  | { readonly kind: "address"; readonly address: ServiceAddress }
  /** Nothing listens, so connections are refused. */
  | { readonly kind: "nobody" };

/** The certificate of a client, as PEM text. */
export interface ClientPair {
  readonly cert: string;
  readonly key: string;
}

/** A request to the server behind a Service. */
export interface BackendCall {
  readonly backend: Backend;
  /** Host and port of the URL. */
  readonly location: string;
  /** The name that its certificate must have. */
  readonly serverName: string;
  /** Certificates in base64 that it is verified with; empty for those of the system. */
  readonly caBundle: string;
  readonly isVerified: boolean;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
}

/** The outcome of a request; a message of a failure is that of Go's HTTP client. */
export type BackendOutcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly body: AsyncIterable<Uint8Array>;
      /** Ends a body that nobody reads any more. */
      readonly cancel: () => void;
    }
  | {
      readonly kind: "upgraded";
      /** Name and value in turn, as they came. */
      readonly rawHeaders: readonly string[];
      readonly socket: Duplex;
      readonly head: Buffer;
    }
  | { readonly kind: "failed"; readonly message: string };

type Https = typeof import("node:https");
type Tls = typeof import("node:tls");

/** Calls the servers behind Services over HTTPS, or within the process; connections are kept for as long as the server runs. */
export class BackendClient {
  readonly #agents = new Map<string, Agent>();
  readonly #clientPair: () => Promise<ClientPair>;

  /** `clientPair` identifies this server to others, which trust the user that it names in headers. */
  constructor(clientPair: () => Promise<ClientPair>) {
    this.#clientPair = clientPair;
  }

  async call(call: BackendCall): Promise<BackendOutcome> {
    const { backend } = call;
    if (backend.kind === "handler") return await callHandler(backend.handle, call);
    if (backend.kind === "nobody") {
      return { kind: "failed", message: `dial tcp ${call.location}: connect: connection refused` };
    }
    const [https, tls, pair] = await Promise.all([import("node:https"), import("node:tls"), this.#clientPair()]);
    const agent = this.#agentOf(https, call, pair);
    const send = async (): Promise<BackendOutcome | "stale"> =>
      await sendTo(backend.address, call, { https, tls, agent });
    const first = await send();
    const outcome = first === "stale" ? await send() : first;
    return outcome === "stale" ? { kind: "failed", message: "EOF" } : outcome;
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #agentOf(https: Https, { serverName, caBundle, isVerified }: BackendCall, pair: ClientPair): Agent {
    const key = `${serverName} ${String(isVerified)} ${caBundle}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const options: AgentOptions & { readonly allowPartialTrustChain: boolean } = {
      ...pair,
      keepAlive: true,
      rejectUnauthorized: isVerified,
      // Like Go, which also trusts a certificate whose issuer is not in the bundle.
      allowPartialTrustChain: true,
      ...(caBundle === "" ? {} : { ca: Buffer.from(caBundle, "base64").toString("utf8") }),
      ...(isAddress(serverName) ? {} : { servername: serverName }),
    };
    const agent = new https.Agent(options);
    this.#agents.set(key, agent);
    return agent;
  }
}

async function callHandler(handle: BackendHandler, call: BackendCall): Promise<BackendOutcome> {
  const { method, path, location, signal, body, user } = call;
  if (call.headers["upgrade"] !== undefined) {
    return { kind: "failed", message: "a server within the process cannot upgrade connections" };
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(call.headers)) {
    if (name === "host" || value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) headers.append(name, String(item));
  }
  try {
    const hasBody = body.length > 0 && method !== "GET" && method !== "HEAD";
    const request = new Request(`https://${location}${path}`, {
      method,
      headers,
      signal,
      ...(hasBody ? { body: Uint8Array.from(body) } : {}),
    });
    // A handler may ignore the signal of its request.
    const response = await Promise.race([handle(request, user), whenAborted(signal)]);
    if (response === undefined)
      throw signal.aborted ? (signal.reason as Error) : new TypeError("the handler returned no response");
    return answerOfResponse(response, signal);
  } catch (error) {
    return { kind: "failed", message: messageOf(error) };
  }
}

function answerOfResponse({ status, headers, body }: Response, signal: AbortSignal): BackendOutcome {
  const reader = body?.getReader();
  return {
    kind: "answer",
    status,
    headers: Object.fromEntries(headers),
    body: chunksOf(reader, signal),
    cancel: () => cancel(reader),
  };
}

function cancel(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): void {
  reader?.cancel().catch(() => undefined);
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (reader === undefined) return;
  const end = (): void => cancel(reader);
  signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      const { value } = await reader.read();
      signal.throwIfAborted();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

interface Connections {
  readonly https: Https;
  readonly tls: Tls;
  readonly agent: Agent;
}

// A connection that was kept may have been closed at the other end in the meantime; then the outcome is "stale".
async function sendTo(
  address: ServiceAddress,
  call: BackendCall,
  connections: Connections,
): Promise<BackendOutcome | "stale"> {
  return await new Promise((resolve) => {
    const outgoing: ClientRequest = connections.https.request({
      method: call.method,
      path: call.path,
      headers: call.headers,
      signal: call.signal,
      ...connectionOf(address, connections),
    });
    outgoing.once("response", (message) => resolve(answerOf(message)));
    outgoing.once("upgrade", ({ rawHeaders }, socket, head) => resolve({ kind: "upgraded", rawHeaders, socket, head }));
    outgoing.once("error", (error: ConnectionError) => {
      if (outgoing.reusedSocket && error.code === "ECONNRESET") resolve("stale");
      else resolve({ kind: "failed", message: failureText(error, address, call) });
    });
    outgoing.end(call.body);
  });
}

// Connections within the process are opened for each call.
function connectionOf(address: ServiceAddress, { agent, tls }: Connections): RequestOptions {
  if (!("connect" in address)) return { agent, hostname: address.host, port: address.port };
  const { keepAlive: _, ...options } = agent.options;
  return { createConnection: () => tls.connect({ ...options, socket: address.connect() }) };
}

function answerOf(message: IncomingMessage): BackendOutcome {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (values !== undefined) headers[name] = values.length === 1 ? (values[0] as string) : values;
  }
  // A connection whose response is complete serves further requests.
  const cancel = (): unknown => (message.complete ? message.resume() : message.destroy());
  return { kind: "answer", status: message.statusCode ?? 502, headers, body: message, cancel };
}

function failureText(error: ConnectionError, address: ServiceAddress, { location, serverName }: BackendCall): string {
  const dialed = "connect" in address ? location : `${address.host}:${String(address.port)}`;
  return goMessage(error, { address: dialed, serverName });
}
