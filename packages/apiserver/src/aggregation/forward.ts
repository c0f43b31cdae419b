import type { OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "@kubescaffold/platform/clock";

import { encodeGoPath } from "../http/go-path.ts";
import { encodeHeader } from "../http/in-process.ts";
import { plainAnswer } from "../output/write-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import {
  type ResponseSink,
  servableStatus,
  type ServerRequest,
  type ServerResponse,
} from "../request/server-request.ts";
import { webSocketProtocols } from "../request/web-socket-request.ts";
import type { DelegatedVersion, VersionBackend } from "./api-services.ts";
import type { BackendClient, BackendOutcome } from "./backend-client.ts";
import { isUserHeader, userHeaders } from "./front-proxy.ts";
import type { BackendRoute } from "./routes.ts";

/** What requests to other servers need. */
export interface Forwarding {
  readonly client: BackendClient;
  readonly clock: Clock;
  /** Returns how to reach a server; a text tells why it cannot be reached. */
  readonly routeTo: (backend: VersionBackend) => BackendRoute | string;
}

/** Passes an authorized request on to the server of its group version, and the response back. */
export async function forward(
  { client, routeTo }: Forwarding,
  version: DelegatedVersion,
  { request, info, user, auditId }: RequestContext,
): Promise<ServerResponse> {
  const route = routeTo(version.backend);
  if (!version.backend.isAvailable || typeof route === "string") return plainAnswer(503, "service unavailable\n");
  const upgrade = request.canUpgrade === true ? (request.header("upgrade") ?? "") : "";
  const body = upgrade === "" ? await request.bytes() : new Uint8Array();
  const query = request.query.toString();
  const path = encodeGoPath(info.path);
  const headers: OutgoingHttpHeaders = {
    ...passedHeaders(request, upgrade, body.length),
    ...userHeaders(user),
    "audit-id": auditId,
    host: route.location,
    "x-forwarded-host": route.location,
    "x-forwarded-proto": "https",
    "x-forwarded-uri": path,
  };
  const outcome =
    headerFailure(headers) ??
    (await client.call({
      ...route,
      method: request.method,
      path: `${path}${query === "" ? "" : `?${query}`}`,
      headers,
      body,
      user,
      signal: request.signal,
    }));
  return answerOf(outcome, { isUpgrade: upgrade !== "", isHead: request.method === "HEAD" });
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

// Credentials, and whom they impersonate, are for this server alone.
function passedHeaders(request: ServerRequest, upgrade: string, bodyBytes: number): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const name of request.headerNames()) {
    if (HOP_BY_HOP.has(name) || isUserHeader(name) || name.startsWith("impersonate-")) continue;
    if (name === "authorization" || name === "content-length" || name === "expect") continue;
    headers[name] = encodeHeader(request.header(name) ?? "");
  }
  const client = request.remoteAddress;
  return {
    ...headers,
    ...(bodyBytes === 0 ? {} : { "content-length": bodyBytes }),
    ...(client === undefined ? {} : { "x-forwarded-for": forwardedFor(request, client) }),
    ...(upgrade === "" ? {} : { connection: "Upgrade", upgrade, ...protocolHeader(request) }),
  };
}

// Names of users may have characters that no header can have.
function headerFailure(headers: OutgoingHttpHeaders): BackendOutcome | undefined {
  const found = Object.entries(headers).find(([, value]) => [value].flat().some((item) => CONTROL.test(String(item))));
  if (found === undefined) return undefined;
  const name = JSON.stringify(canonicalName(found[0]));
  return { kind: "failed", message: `net/http: invalid header field value for ${name}` };
}

// Those from U+0080 on are bytes of longer characters.
const CONTROL = /(?![\t\u0080-\u009F])\p{Cc}/u;

function forwardedFor(request: ServerRequest, client: string): string {
  const earlier = request.header("x-forwarded-for") ?? "";
  return earlier === "" ? client : `${earlier}, ${client}`;
}

function protocolHeader(request: ServerRequest): OutgoingHttpHeaders {
  const { protocols, encodedTokens } = webSocketProtocols(request);
  return encodedTokens.length === 0 ? {} : { "sec-websocket-protocol": protocols.join(", ") };
}

interface Asked {
  readonly isUpgrade: boolean;
  readonly isHead: boolean;
}

function answerOf(outcome: BackendOutcome, asked: Asked): ServerResponse {
  const { isUpgrade } = asked;
  switch (outcome.kind) {
    case "failed":
      return plainAnswer(
        503,
        `${isUpgrade ? "error dialing backend" : "error trying to reach service"}: ${outcome.message}\n`,
      );
    case "upgraded":
      if (isUpgrade) {
        return { code: 101, contentType: "", body: { tunnel: (socket, head) => connect(outcome, socket, head) } };
      }
      outcome.socket.destroy();
      return plainAnswer(503, "error trying to reach service: backend tried to switch protocols\n");
    case "answer":
      if (!isUpgrade || outcome.status >= 400) return passedAnswer(outcome, asked);
      outcome.cancel();
      return plainAnswer(503, `invalid upgrade response: status code ${String(outcome.status)}\n`);
  }
}

const REDIRECTED: ServerResponse = {
  code: 502,
  contentType: "text/plain; charset=utf-8",
  body: "the backend attempted to redirect this request, which is not permitted",
};

// The id of the request is that of this server, and no page of another origin may read responses.
const REPLACED = /^(?:audit-id|access-control-allow-(?:credentials|headers|methods|origin))$/u;

function passedAnswer(
  { status, headers, body, cancel }: BackendOutcome & { readonly kind: "answer" },
  { isHead }: Asked,
): ServerResponse {
  if (status >= 300 && status <= 399 && headers["location"] !== undefined) {
    cancel();
    return REDIRECTED;
  }
  const { "content-type": contentType = "", ...others } = headers;
  const passed = Object.entries(others).filter(([name]) => !HOP_BY_HOP.has(name) && !REPLACED.test(name));
  const answer = {
    code: servableStatus(status),
    contentType: String(contentType),
    headers: Object.fromEntries(passed.map(([name, value]) => [canonicalName(name), value])),
  };
  const isEmpty = status === 204 || status === 304;
  if (isEmpty || isHead) {
    cancel();
    return { ...answer, body: isEmpty ? "" : { start: (sink) => sink.done() } };
  }
  return {
    ...answer,
    body: {
      start: (sink, signal) => {
        signal.addEventListener("abort", cancel, { once: true });
        void pass(body, sink).finally(() => sink.done());
      },
    },
  };
}

// As other headers of this server are written, so that they replace those of the same name.
function canonicalName(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/gu, (start) => start.toUpperCase());
}

async function pass(body: AsyncIterable<Uint8Array>, sink: ResponseSink): Promise<void> {
  try {
    for await (const chunk of body) {
      sink.write(chunk);
      await sink.drained();
    }
  } catch {
    // The connection broke, and the response ends.
  }
}

function connect(backend: BackendOutcome & { readonly kind: "upgraded" }, socket: Duplex, head: Buffer): void {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headerLines(backend.rawHeaders)}\r\n`);
  if (backend.head.length > 0) socket.write(backend.head);
  if (head.length > 0) backend.socket.write(head);
  for (const [from, to] of [
    [socket, backend.socket],
    [backend.socket, socket],
  ] as const) {
    from.pipe(to);
    from.once("close", () => to.destroy());
    from.on("error", () => to.destroy());
  }
}

function headerLines(rawHeaders: readonly string[]): string {
  let lines = "";
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines += `${rawHeaders[index] ?? ""}: ${rawHeaders[index + 1] ?? ""}\r\n`;
  }
  return lines;
}
