import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";

import {
  badRequest,
  failure,
  hostAndPort,
  proxiedPath,
  type RequestContext,
  servableStatus,
  type ServerContext,
  type ServerRequest,
  type ServerResponse,
  throwNoContainer,
} from "@kubescaffold/apiserver/cluster-api";
import { messageOf, newNotFound } from "@kubescaffold/k8s";
import type { Pod, Service } from "@kubescaffold/k8s/core/v1";

import type { ContainerRuntime } from "./container-runtime.ts";
import { rewriteLink, rewriteLinks } from "./proxied-links.ts";
import { podConnection, serviceConnection } from "./service-connections.ts";

/** A request to a proxy, and where the containers are. */
export interface ProxyCall {
  readonly context: ServerContext;
  readonly runtime: ContainerRuntime;
  readonly request: RequestContext;
}

const PODS = { group: "", resource: "pods" } as const;
const SERVICES = { group: "", resource: "services" } as const;

/** Passes a request to a simulated container of a Pod or behind a Service, and its response back. */
export async function serveProxy(call: ProxyCall): Promise<ServerResponse> {
  const redirect = redirectOf(call.request);
  if (redirect !== undefined) return redirect;
  const target = parseTarget(call.request.info.name);
  const connect = call.request.info.resource === "services" ? serviceTarget(call, target) : podTarget(call, target);
  const message = await send(call.request.request, connect, target.scheme === "https");
  const prefix = proxyPrefix(call.request.request.path);
  const contentType = message.headers["content-type"] ?? "";
  const code = servableStatus(message.statusCode);
  const headers = endToEnd(message.headers, prefix);
  if (isPlainHtml(contentType, message)) {
    const { "content-length": _length, ...others } = headers;
    const body = rewriteLinks(await textOf(message), prefix);
    return { code, contentType, headers: others, body };
  }
  return {
    code,
    contentType,
    headers,
    body: {
      start: (sink, signal) => {
        signal.addEventListener("abort", () => message.destroy(), { once: true });
        void pass(message, sink).finally(() => sink.done());
      },
    },
  };
}

/** The target in the path of a proxy: `name`, `name:port`, or `scheme:name:port`. */
interface Target {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

function parseTarget(id: string): Target {
  const parts = id.split(":");
  const [first = "", second = "", third = ""] = parts;
  const target = parts.length === 3 ? [first, second, third] : ["", first, second];
  const [scheme = "", name = "", port = ""] = target;
  if (parts.length > 3 || !["", "http", "https"].includes(scheme) || name === "")
    throw badRequest(`invalid ${parts.length > 2 ? "service" : "pod"} request ${JSON.stringify(id)}`);
  return { scheme, name, port };
}

function podTarget({ context, runtime, request }: ProxyCall, { name, port }: Target): () => Duplex {
  const { namespace } = request.info;
  const pod = context.objects.get(PODS, { namespace, name }) as Pod | undefined;
  if (pod === undefined) throw newNotFound(PODS, name);
  const containers = pod.spec?.containers ?? [];
  if (runtime.containersOf(pod.metadata.uid ?? "").length === 0) {
    const [container] = containers;
    throwNoContainer("proxy", { name: container?.name ?? "", image: container?.image ?? "" });
  }
  const [first] = containers.flatMap(({ ports = [] }) => ports);
  const wanted = port === "" ? (first?.containerPort ?? 80) : port;
  const connect = podConnection(runtime, pod, wanted);
  if (connect !== undefined) return connect;
  throw unavailable(
    `error trying to reach service: dial tcp ${hostAndPort(pod.status?.podIP ?? "", wanted)}: connect: connection refused`,
  );
}

function serviceTarget({ context, runtime, request }: ProxyCall, { name, port }: Target): () => Duplex {
  const { namespace } = request.info;
  const service = context.objects.get(SERVICES, { namespace, name }) as Service | undefined;
  if (service === undefined) throw newNotFound(SERVICES, name);
  const ports = service.spec?.ports ?? [];
  const isKnown =
    port === "" ? ports.length === 1 : ports.some((each) => each.name === port || String(each.port) === port);
  if (!isKnown) throw unavailable(`no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`);
  const connect = serviceConnection(context.objects, runtime, {
    namespace,
    name,
    port: /^\d+$/u.test(port) ? Number(port) : port,
  });
  if (connect === undefined) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  return connect;
}

function unavailable(message: string): Error {
  return failure({ code: 503, reason: "ServiceUnavailable", message });
}

async function send(request: ServerRequest, connect: () => Duplex, isTls: boolean): Promise<IncomingMessage> {
  const [http, tls, body] = await Promise.all([import("node:http"), import("node:tls"), request.bytes()]);
  const query = request.query.toString();
  const path = proxiedPath(request.path);
  return await new Promise((resolve, reject) => {
    const outgoing = http.request({
      method: request.method,
      path: `${path === "" ? "/" : path}${query === "" ? "" : `?${query}`}`,
      headers: headersOf(request, body.length),
      signal: request.signal,
      createConnection: () => (isTls ? tls.connect({ socket: connect(), rejectUnauthorized: false }) : connect()),
    });
    outgoing.once("response", resolve);
    // Without a listener, Node closes the connection and reports nothing.
    outgoing.once("upgrade", (_message, socket) => {
      socket.destroy();
      reject(unavailable("error trying to reach service: backend tried to switch protocols"));
    });
    outgoing.once("error", (error) => reject(unavailable(`error trying to reach service: ${error.message}`)));
    outgoing.end(body);
  });
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

// Credentials of the API server are not for its containers.
function headersOf(request: ServerRequest, length: number): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const name of request.headerNames()) {
    if (HOP_BY_HOP.has(name) || name === "authorization" || name === "content-length") continue;
    if (name.startsWith("impersonate-")) continue;
    headers[name] = request.header(name);
  }
  return length === 0 ? headers : { ...headers, "content-length": length };
}

function endToEnd(headers: IncomingHttpHeaders, prefix: string): Readonly<Record<string, string | readonly string[]>> {
  const { location } = headers;
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || HOP_BY_HOP.has(name) || name === "content-type" ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(passed),
    ...(location === undefined ? {} : { location: rewriteLink(location, prefix) }),
  };
}

// The program behind a proxy is a folder, which links in its pages are relative to.
function redirectOf({ request }: RequestContext): ServerResponse | undefined {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || !request.path.endsWith("/proxy") || proxiedPath(request.path) !== "") return undefined;
  const query = request.query.toString();
  const location = `${request.path}/${query === "" ? "" : `?${query}`}`;
  return { code: 301, contentType: "", headers: { location }, body: "" };
}

function proxyPrefix(path: string): string {
  return path.slice(0, path.length - proxiedPath(path).length);
}

function isPlainHtml(contentType: string, { headers }: IncomingMessage): boolean {
  return contentType.split(";")[0]?.trim() === "text/html" && headers["content-encoding"] === undefined;
}

// Links may be anywhere, so that a page is read before it is sent.
const LARGEST_PAGE_BYTES = 16 * 1024 * 1024;

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_PAGE_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unavailable(`error trying to reach service: ${messageOf(error)}`);
  }
  if (size <= LARGEST_PAGE_BYTES) return Buffer.concat(chunks).toString("utf8");
  throw unavailable(
    `error trying to reach service: a page has more than ${String(LARGEST_PAGE_BYTES)} bytes, which is the limit for pages with links`,
  );
}

async function pass(
  message: IncomingMessage,
  sink: { write(chunk: Uint8Array): void; drained(): Promise<void> },
): Promise<void> {
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      sink.write(chunk);
      await sink.drained();
    }
  } catch {
    // The connection broke, and the response ends.
  }
}
