import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import { Readable } from "node:stream";

import type { Credentials, Impersonation, RestConfig, TlsConfig, Transport } from "@kubescaffold/k8s";

/**
 * Sends requests as rows state them, byte for byte, unlike a client that decodes, repeats and interprets.
 *
 * Returns a transport that sends a request, made for any host, to the server of a config with its credentials.
 *
 * Keeps connections open between calls; those that are idle do not keep the process alive.
 */
export function transportOf(config: RestConfig): Transport {
  const send = config.transport ?? socketTransport(config);
  return async (request) => send(withCredentials(request, config));
}

function withCredentials(request: Request, config: RestConfig): Request {
  const headers = new Headers(request.headers);
  const authorization = authorizationOf(config.credentials);
  if (authorization !== undefined) headers.set("authorization", authorization);
  if (config.userAgent !== undefined) headers.set("user-agent", config.userAgent);
  if (config.impersonate !== undefined) impersonate(headers, config.impersonate);
  return new Request(request, { headers });
}

function authorizationOf(credentials: Credentials = { kind: "anonymous" }): string | undefined {
  if (credentials.kind === "anonymous") return undefined;
  if (credentials.kind === "token") return `Bearer ${credentials.token}`;
  throw new TypeError(`credentials of kind ${credentials.kind} are not for conformance targets`);
}

function impersonate(headers: Headers, impersonation: Impersonation): void {
  headers.set("impersonate-user", impersonation.userName);
  if (impersonation.uid !== undefined) headers.set("impersonate-uid", impersonation.uid);
  for (const group of impersonation.groups ?? []) headers.append("impersonate-group", group);
  for (const [key, values] of Object.entries(impersonation.extra ?? {})) {
    for (const value of values) headers.append(`impersonate-extra-${encodeURIComponent(key)}`, value);
  }
}

function socketTransport(config: RestConfig): Transport {
  const base = new URL(config.server);
  const agent = base.protocol === "https:" ? new Agent({ keepAlive: true, ...tlsOptions(config.tls) }) : undefined;
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer());
    const url = new URL(request.url);
    const options: RequestOptions = {
      method: request.method,
      host: base.hostname.replace(/^\[|\]$/gu, ""),
      port: base.port,
      path: base.pathname.replace(/\/$/u, "") + url.pathname + url.search,
      headers: headersOf(request.headers, body),
      signal: request.signal,
      agent,
    };
    return exchange(agent === undefined ? requestHttp(options) : requestHttps(options), body);
  };
}

function tlsOptions(tls: TlsConfig = {}): Readonly<Record<string, unknown>> {
  return {
    ca: tls.ca,
    cert: tls.cert,
    key: tls.key,
    servername: tls.serverName,
    rejectUnauthorized: tls.insecureSkipTlsVerify !== true,
  };
}

// Impersonation groups repeat; Node sends an array as several lines, while a joined value would be one group with a comma in it.
function headersOf(headers: Headers, body: Buffer): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    result[name] = name.startsWith("impersonate-") && name !== "impersonate-user" ? value.split(", ") : value;
  }
  if (body.length > 0) result["content-length"] = String(body.length);
  return result;
}

async function exchange(request: ClientRequest, body: Buffer): Promise<Response> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve);
    request.once("error", reject);
    request.end(body.length > 0 ? body : undefined);
  });
  const status = message.statusCode ?? 500;
  const isBodiless = status === 204 || status === 304;
  if (isBodiless) message.resume();
  return new Response(isBodiless ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>), {
    status,
    headers: responseHeaders(message),
  });
}

function responseHeaders(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}
