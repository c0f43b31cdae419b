import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";

import type { ClientCertificate, ServerRequest } from "../request/server-request.ts";
import type { Exchange } from "./exchange.ts";
import { decodeHeader } from "./in-process.ts";

/** Returns the request of an exchange; undefined for several hosts or a malformed one, and for targets that are neither a path nor an address. */
export function toServerRequest(
  exchange: Exchange,
  hostNames: ReadonlySet<string> | undefined,
): ServerRequest | undefined {
  const target = pathAndHost(exchange.message);
  return target === undefined ? undefined : new SocketRequest(exchange, target, hostNames);
}

interface Target {
  readonly url: string;
  readonly host: string;
}

// A class, since V8 creates object literals with getters slowly.
class SocketRequest implements ServerRequest {
  readonly #exchange: Exchange;
  readonly method: string;
  readonly path: string;
  readonly target: string;
  readonly query: URLSearchParams;
  readonly header: ServerRequest["header"];
  readonly headerValues: ServerRequest["headerValues"];
  readonly headerNames: ServerRequest["headerNames"];
  readonly body: ServerRequest["body"];
  readonly bytes: () => Promise<Buffer>;
  readonly isAborted: ServerRequest["isAborted"];
  readonly canUpgrade: boolean;
  readonly hostNames?: ReadonlySet<string>;
  readonly clientCertificate?: ClientCertificate;

  constructor(exchange: Exchange, { url, host }: Target, hostNames: ReadonlySet<string> | undefined) {
    const { message } = exchange;
    const mark = url.indexOf("?");
    const certificate = clientCertificateOf(message);
    let body: Promise<Buffer> | undefined;
    this.#exchange = exchange;
    this.method = message.method ?? "GET";
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.target = url;
    this.query = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
    this.header = (name) => {
      if (name === "host") return host;
      const value = message.headers[name];
      return decodeHeader(Array.isArray(value) ? value.join(", ") : value);
    };
    this.headerValues = (name) =>
      message.headers[name] === undefined
        ? []
        : (message.headersDistinct[name] ?? []).map((value) => decodeHeader(value));
    this.headerNames = () => Object.keys(message.headers);
    this.bytes = () => (body ??= exchange.readBody());
    this.body = async () => (await this.bytes()).toString("utf8");
    this.isAborted = () => exchange.isAborted;
    this.canUpgrade = exchange.upgrade !== undefined;
    if (hostNames !== undefined) this.hostNames = hostNames;
    if (certificate !== undefined) this.clientCertificate = certificate;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get remoteAddress(): string | undefined {
    return this.#exchange.message.socket.remoteAddress;
  }
}

const HOST = /^(?:\[[\da-f:.%]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/iu;
const SCHEME = /^https?:\/\//iu;

function pathAndHost(message: IncomingMessage): Target | undefined {
  const { url = "/", rawHeaders } = message;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  const named = message.headers.host ?? "";
  if (hosts > 1 || !HOST.test(named)) return undefined;
  if (url.startsWith("/") || url === "*") return { url, host: named };
  const scheme = SCHEME.exec(url)?.[0];
  if (scheme === undefined) return undefined;
  const address = url.slice(scheme.length);
  const end = address.search(/[/?#]/u);
  const [host, rest] = end < 0 ? [address, ""] : [address.slice(0, end), address.slice(end)];
  if (host === undefined || rest === undefined || !HOST.test(host.slice(host.lastIndexOf("@") + 1))) return undefined;
  return { url: rest, host };
}

// Node reads the certificate from OpenSSL each time, so it is read once per connection.
const certificates = new WeakMap<object, { readonly certificate: ClientCertificate | undefined }>();

function clientCertificateOf({ socket }: IncomingMessage): ClientCertificate | undefined {
  let known = certificates.get(socket);
  if (known === undefined) {
    known = { certificate: readClientCertificate(socket as Partial<TLSSocket>) };
    certificates.set(socket, known);
  }
  return known.certificate;
}

function readClientCertificate(socket: Partial<TLSSocket>): ClientCertificate | undefined {
  const certificate = socket.getPeerCertificate?.();
  if (certificate?.subject === undefined) {
    return undefined;
  }
  // A subject may have several organizations, one of which the type of Node knows; of several common names, Go reads the last.
  const { CN, O } = certificate.subject as unknown as Record<"CN" | "O", string | readonly string[] | undefined>;
  return { commonName: asList(CN).at(-1) ?? "", organizations: asList(O), isVerified: socket.authorized === true };
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}
