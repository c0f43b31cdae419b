import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import { createCertificateAuthority } from "@kubescaffold/cluster";

import type { Json } from "./row.ts";

/** A request that reached the server. */
interface ExtensionCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headersDistinct"];
  readonly body: string;
}

/** An API server of one group version with one kind, behind a Service. */
export interface ExtensionServer {
  readonly port: number;
  readonly caBundle: string;
  /** All requests since the last time this was asked for, without those of the API server itself. */
  readonly takeCalls: () => readonly ExtensionCall[];
  readonly close: () => Promise<void>;
}

/** What an extension server is like. */
export interface ExtensionOptions {
  readonly group: string;
  /** The names of its certificate. */
  readonly dnsNames: readonly string[];
  /** Whether it has discovery in one document, and OpenAPI documents. */
  readonly isModern?: boolean;
}

/** Starts a server on loopback that serves `v1` of a group. */
export async function startExtensionServer(options: ExtensionOptions): Promise<ExtensionServer> {
  const calls: ExtensionCall[] = [];
  const authority = await createCertificateAuthority(`authority of ${options.dnsNames.join(" ")}`);
  const pair = await authority.issueServer({ dnsNames: options.dnsNames, ipAddresses: ["127.0.0.1"] });
  const server = createServer(pair, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const call = { method: request.method ?? "", url: request.url ?? "", headers: request.headersDistinct, body };
      if (!isInternal(call)) calls.push(call);
      answer(options, call, response);
    });
  });
  // Also closes connections whose handshake failed.
  const connections = new Set<Duplex>();
  server.on("connection", (socket: Duplex) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => upgrade(request, socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(authority.cert).toString("base64"),
    takeCalls: () => calls.splice(0),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

const AGGREGATORS: ReadonlySet<string> = new Set(["system:kube-aggregator", "system:aggregator"]);

// Checks and documents are asked for as often as the API server likes.
function isInternal({ headers }: ExtensionCall): boolean {
  return AGGREGATORS.has(headers["x-remote-user"]?.[0] ?? "");
}

function answer(options: ExtensionOptions, call: ExtensionCall, response: ServerResponse): void {
  const { group } = options;
  const [path = ""] = call.url.split("?");
  const root = `/apis/${group}/v1`;
  if (options.isModern === true && path === "/apis") {
    const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    response.writeHead(200, { "content-type": type }).end(JSON.stringify(groupDiscovery(group)));
  } else if (options.isModern === true && path === "/openapi/v3") {
    const paths = { [root.slice(1)]: { serverRelativeURL: `/openapi/v3${root}?hash=1` } };
    json(response, 200, { paths });
  } else if (options.isModern === true && path === `/openapi/v3${root}`) {
    json(response, 200, { openapi: "3.0.0", info: { title: group, version: "v1" }, paths: {} });
  } else if (path === root) {
    json(response, 200, resourceList(group));
  } else if (path.startsWith(`${root}/`)) {
    resource(path.slice(root.length), call, response);
  } else {
    response.writeHead(404, { "content-type": "text/plain" }).end("nothing here\n");
  }
}

function resource(path: string, call: ExtensionCall, response: ServerResponse): void {
  const name = path.split("/").at(-1) ?? "";
  if (call.url.includes("watch=")) {
    response.writeHead(200, { "content-type": "application/json" });
    for (const type of ["ADDED", "MODIFIED"])
      response.write(`${JSON.stringify({ type, object: { kind: "Token" } })}\n`);
    return;
  }
  switch (name) {
    case "missing":
      json(response, 404, { kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", code: 404 });
      return;
    case "moved":
      response.writeHead(302, { location: "https://other.example.com/" }).end();
      return;
    case "empty":
      response.writeHead(204).end();
      return;
    case "cross":
      response
        .writeHead(200, { "content-type": "text/plain", "access-control-allow-origin": "*", "x-own": "1" })
        .end("ok");
      return;
    case "broken":
      response.socket?.destroy();
      return;
    default:
      json(response, call.method === "POST" ? 201 : 200, { kind: "Token", apiVersion: "v1", metadata: { name } });
  }
}

// Accepts any protocol, sends one frame of text, and repeats nothing.
function upgrade({ url = "", headers }: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => undefined);
  if (url.includes("refused")) {
    socket.end(
      "HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno",
    );
    return;
  }
  const accept = createHash("sha1")
    .update(`${headers["sec-websocket-key"] ?? ""}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  const user = String(headers["x-remote-user"] ?? "");
  const protocol = headers["sec-websocket-protocol"];
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "connection: Upgrade",
    "upgrade: websocket",
    `sec-websocket-accept: ${accept}`,
    ...(protocol === undefined ? [] : [`sec-websocket-protocol: ${protocol}`]),
  ];
  const text = Buffer.from(`hello ${user}`);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function resourceList(group: string): Json {
  const verbs = ["create", "get", "list", "watch"];
  const tokens = { name: "tokens", singularName: "token", namespaced: true, kind: "Token", verbs, shortNames: ["tk"] };
  const use = { name: "tokens/use", singularName: "", namespaced: true, kind: "TokenUse", verbs: ["create"] };
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion: `${group}/v1`, resources: [tokens, use] };
}

function groupDiscovery(group: string): Json {
  const resources = [
    {
      resource: "tokens",
      responseKind: { group, version: "v1", kind: "Token" },
      scope: "Namespaced",
      singularResource: "token",
      verbs: ["get", "list"],
    },
  ];
  const item = { metadata: { name: group }, versions: [{ version: "v1", resources, freshness: "Current" }] };
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items: [item] };
}
