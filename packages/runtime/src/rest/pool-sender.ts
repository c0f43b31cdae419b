// oxlint-disable-next-line typescript/triple-slash-reference -- whoever compiles this source needs these declarations
/// <reference path="./undici-parts.d.ts" />
import { lookup as resolve } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { checkServerIdentity, createSecureContext } from "node:tls";

import { messageOf, type RestConfig, type TlsConfig } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";
import { abortSignalOf, untilAborted } from "@kubescaffold/platform/clock";
import type { buildConnector, Dispatcher, Socks5ProxyAgent } from "undici";
// Proxies need all of undici, which takes 9 MB more memory, with fetch and mocks.
import sendRequest from "undici/lib/api/api-request.js";
import Pool from "undici/lib/dispatcher/pool.js";

import { InvalidRestConfigError } from "./errors.ts";
import { decompressed, largestBody, limited, textOf } from "./response-body.ts";
import { sendForWholeAnswer } from "./whole-answer.ts";
import type { ClientCertificate, Sender, WireHeaders, WireRequest, WireResponse } from "./wire.ts";

// The limit of concurrent requests; watches are not counted.
const REQUEST_CONNECTIONS = 64;
const CONNECT_TIMEOUT_MS = 30_000;
// Below the 90 s after which an API server closes an idle connection, so that requests do not meet a closing one.
const IDLE_CONNECTION_MS = 45_000;
const TCP_KEEP_ALIVE_MS = 30_000;

/**
 * Creates a sender with persistent connections: one pool for requests and one for streams.
 *
 * Guarantees: no handshake per request; TCP keep-alive detects a vanished peer; idle connections do not prevent the process from
 * exiting.
 */
export function createPoolSender(
  config: RestConfig,
  certificate?: ClientCertificate,
  lookup: LookupFunction = resolve,
): Sender {
  const origin = originOf(config.server);
  const isCompressed = !(config.disableCompression ?? isLoopback(new URL(origin).hostname));
  const prefix = serverPath(config.server);
  // Each request fails with it.
  const opening = handledLater(openPools(config, { certificate, lookup }));
  return {
    send: async (request) => {
      const { requests, streams } = await opening;
      return request.reading === "stream"
        ? await send(streams, { origin, prefix, request, isCompressed: false })
        : await send(requests, { origin, prefix, request, isCompressed });
    },
    retire: async () => {
      const pools = await opening.catch(() => undefined);
      await Promise.all([pools?.requests.close(), pools?.streams.destroy()]);
    },
    close: async () => {
      const pools = await opening.catch(() => undefined);
      await Promise.all([pools?.requests.destroy(), pools?.streams.destroy()]);
    },
  };
}

interface PoolOptions {
  readonly certificate: ClientCertificate | undefined;
  readonly lookup: LookupFunction;
}

async function openPools(
  config: RestConfig,
  options: PoolOptions,
): Promise<{ readonly requests: Dispatcher; readonly streams: Dispatcher }> {
  const [requests, streams] = await Promise.all([
    createDispatcher(config, { ...options, connections: REQUEST_CONNECTIONS }),
    createDispatcher(config, { ...options, connections: null }),
  ]);
  return { requests, streams };
}

async function createDispatcher(
  config: RestConfig,
  { certificate, lookup, connections }: PoolOptions & { readonly connections: number | null },
): Promise<Dispatcher> {
  const connect = { ...connectOptions(config.tls ?? {}, certificate), lookup };
  const pool = {
    connections,
    // Requests state their own limits, and a silent watch is healthy.
    bodyTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
  };
  const proxy = proxyFor(config, process.env);
  if (proxy === undefined) {
    return new Pool(originOf(config.server), { ...pool, connect });
  }
  const { ProxyAgent, Socks5ProxyAgent } = await import("undici");
  if (/^socks5?:/u.test(proxy)) {
    return new Socks5ProxyAgent(proxy, { ...pool, requestTls: connect } as Socks5ProxyAgent.Options);
  }
  return new ProxyAgent({ uri: proxy, ...pool, requestTls: connect, proxyTls: { lookup } });
}

/** Returns the options of connections: TLS and timeouts. */
export function connectOptions(
  tls: TlsConfig,
  certificate: ClientCertificate | undefined,
): buildConnector.BuildOptions {
  const identity = certificate ?? (tls.cert === undefined ? {} : { cert: tls.cert, ...withKey(tls) });
  requireIdentity(identity);
  return {
    timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...identity,
    ...(tls.insecureSkipTlsVerify === true ? { rejectUnauthorized: false } : {}),
    ...serverNameOptions(tls.serverName),
  };
}

// Without it, the error of the first connection would not name the certificate.
function requireIdentity(identity: { readonly cert?: string; readonly key?: string }): void {
  if (identity.cert === undefined && identity.key === undefined) return;
  try {
    createSecureContext(identity);
  } catch (cause) {
    throw new InvalidRestConfigError(`the client certificate and its key cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function withKey(tls: TlsConfig): { readonly key?: string } {
  return tls.key === undefined ? {} : { key: tls.key };
}

function serverNameOptions(serverName: string | undefined): Partial<buildConnector.BuildOptions> {
  if (serverName === undefined || serverName === "") {
    return {};
  }
  // TLS does not allow an IP address as SNI, so it is only verified against the certificate.
  return isIP(serverName) === 0
    ? { servername: serverName }
    : { checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate) };
}

interface Target {
  readonly origin: string;
  readonly prefix: string;
  readonly request: WireRequest;
  /** Asks for a body in gzip. */
  readonly isCompressed: boolean;
}

async function send(dispatcher: Dispatcher, { origin, prefix, request, isCompressed }: Target): Promise<WireResponse> {
  const options = {
    origin,
    path: `${prefix}${request.path}`,
    method: request.method,
    headers: {
      ...(request.headers as Record<string, string | string[]>),
      ...(isCompressed ? { "accept-encoding": "gzip" } : {}),
    },
    body: request.body ?? null,
    bodyTimeout: request.bodyTimeoutMs,
  };
  return request.reading === "whole"
    ? await sendForWholeAnswer(dispatcher, options, request)
    : await sendForPieces(
        dispatcher,
        { ...options, signal: abortSignalOf(request.signal) },
        { isCompressed, isStream: request.reading === "stream" },
      );
}

async function sendForPieces(
  dispatcher: Dispatcher,
  options: Dispatcher.RequestOptions & { readonly signal: AbortSignal },
  { isCompressed, isStream }: { readonly isCompressed: boolean; readonly isStream: boolean },
): Promise<WireResponse> {
  // While a request waits for a connection, undici only takes note of the signal.
  const response = await untilAborted(sendRequest.call(dispatcher, options), options.signal);
  const isGzip = isCompressed && response.headers["content-encoding"] === "gzip";
  const plain = isGzip ? await decompressed(response.body) : undefined;
  const body = (plain ?? response.body) as AsyncIterable<Uint8Array>;
  return {
    status: response.statusCode,
    header: (name) => {
      const value = response.headers[name];
      return typeof value === "string" ? value : value?.join(", ");
    },
    headers: () => response.headers as WireHeaders,
    text: () => textOf(limited(body, largestBody(response.statusCode))),
    chunks: () => (isStream ? body : limited(body, largestBody(response.statusCode))),
    discard: async () => {
      if (plain === undefined) await response.body.dump();
      else plain.destroy();
    },
  };
}

function originOf(server: string): string {
  return parseServer(server).origin;
}

/** Returns the path prefix of a server, without a slash at the end. */
export function serverPath(server: string): string {
  return parseServer(server).pathname.replace(/(?<!\/)\/+$/u, "");
}

/** Parses the address of a server. Fails: {@link InvalidRestConfigError}. */
export function parseServer(server: string): URL {
  let url: URL;
  try {
    url = new URL(server);
  } catch (cause) {
    throw new InvalidRestConfigError(`the server address ${JSON.stringify(server)} is not a URL`, { cause });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new InvalidRestConfigError(`the server address ${server} is neither http nor https`);
  }
  return url;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy of a server: that of the config, otherwise that of `HTTPS_PROXY` or `HTTP_PROXY`
 * unless `NO_PROXY` matches the host.
 */
export function proxyFor(config: RestConfig, environment: Environment): string | undefined {
  if (config.proxyUrl !== undefined && config.proxyUrl !== "") {
    if (URL.canParse(config.proxyUrl)) return config.proxyUrl;
    throw new InvalidRestConfigError(`the address of the proxy ${JSON.stringify(config.proxyUrl)} is not a URL`);
  }
  const server = new URL(config.server);
  const proxy = server.protocol === "https:" ? read(environment, "HTTPS_PROXY") : read(environment, "HTTP_PROXY");
  if (proxy === undefined || isLoopback(server.hostname) || isExcluded(server, read(environment, "NO_PROXY") ?? "")) {
    return undefined;
  }
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function read(environment: Environment, name: string): string | undefined {
  const value = environment[name] ?? environment[name.toLowerCase()];
  return value === "" ? undefined : value;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

// An entry is a host with its subdomains, an address, or a block of addresses, the first two with or without a port.
function isExcluded(server: URL, noProxy: string): boolean {
  const defaultPort = server.protocol === "https:" ? "443" : "80";
  const target = { host: withoutBrackets(server.hostname), port: server.port === "" ? defaultPort : server.port };
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry, target));
}

interface Address {
  readonly host: string;
  readonly port: string;
}

function matches(entry: string, target: Address): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInBlock(entry, target.host);
  const { host, port } = splitPort(entry);
  if (port !== "" && port !== target.port) return false;
  if (isIP(host) !== 0) return isInBlock(`${host}/${isIP(host) === 6 ? "128" : "32"}`, target.host);
  const suffix = host.replace(/^\*?\./u, "");
  return target.host.endsWith(`.${suffix}`) || (target.host === suffix && !/^\*?\./u.test(host));
}

// An IPv6 address contains colons without having a port.
function splitPort(entry: string): Address {
  if (isIP(entry) === 6) return { host: entry, port: "" };
  const [, host = entry, port = ""] = /^(.*):(\d+)$/u.exec(entry) ?? [];
  return { host: withoutBrackets(host), port };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/gu, "");
}

function isInBlock(block: string, host: string): boolean {
  const [network = "", bits = ""] = block.split("/");
  const family = isIP(network);
  const prefix = Number(bits);
  const isBlock = family !== 0 && /^\d+$/u.test(bits) && prefix <= (family === 6 ? 128 : 32);
  if (!isBlock || isIP(host) !== family) return false;
  const kind = family === 6 ? "ipv6" : "ipv4";
  const blocks = new BlockList();
  blocks.addSubnet(network, prefix, kind);
  return blocks.check(host, kind);
}
