import type { IncomingMessage } from "node:http";
import type { Agent, RequestOptions } from "node:https";
import { posix } from "node:path";

import { ScaffoldError } from "@kubescaffold/k8s";
import type { WebhookClientConfig } from "@kubescaffold/k8s/admissionregistration/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import { goMessage, isAddress } from "./go-errors.ts";
import { encodeGoPath } from "./go-path.ts";
import type { ServiceAddress, ServiceResolver } from "./service-address.ts";

// Messages of Go's HTTP client, for identical errors.
const GO_MESSAGES = { late: "context deadline exceeded", stale: "EOF" } as const;

/**
 * Thrown when a call to an admission webhook failed, or its response is not JSON or not successful.
 *
 * Fix: Read the reason in the message: connection refused, certificate mismatch, or timeout. With `failurePolicy: Ignore`, such requests are admitted.
 */
export class WebhookCallError extends ScaffoldError {
  readonly code = "APISERVER_WEBHOOK_CALL";
}

type Https = typeof import("node:https");
type Tls = typeof import("node:tls");

/** One call of a webhook. */
export interface WebhookCall {
  readonly clientConfig: WebhookClientConfig;
  readonly body: string;
  readonly timeoutSeconds: number;
}

/** Calls webhooks over HTTPS; connections are kept for as long as the server runs. */
export class WebhookClient {
  readonly #clock: Clock;
  readonly #resolve: ServiceResolver;
  readonly #agents = new Map<string, Agent>();

  constructor(clock: Clock, resolve: ServiceResolver) {
    this.#clock = clock;
    this.#resolve = resolve;
  }

  /** Sends a review and returns what came back. Fails: {@link WebhookCallError}. */
  async call(call: WebhookCall): Promise<string> {
    const endpoint = this.#endpointOf(call.clientConfig);
    const url = new URL(endpoint.url);
    url.searchParams.set("timeout", `${String(call.timeoutSeconds)}s`);
    // Loaded here, since most servers never call a webhook and TLS takes a tenth of the start.
    const [https, tls] = await Promise.all([import("node:https"), import("node:tls")]);
    const agent = this.#agentOf(https, endpoint.serverName, call.clientConfig.caBundle);
    const options = {
      ...endpoint,
      request: https.request,
      connectTls: tls.connect,
      agent,
      body: call.body,
      timeoutMs: call.timeoutSeconds * 1000,
      clock: this.#clock,
    };
    const outcome = await send(url, options);
    if (outcome.kind === "cut") throw cutOff(outcome);
    if (outcome.kind === "answer") return textOf(await redirected(outcome, url, options));
    const message = outcome.kind === "failed" ? goMessage(outcome.error, endpoint) : GO_MESSAGES[outcome.kind];
    const printed = endpoint.connectTo === undefined ? url.href : `${endpoint.url}${url.search}`;
    throw new WebhookCallError(`Post "${printed}": ${message}`);
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #endpointOf({ url, service }: WebhookClientConfig): Endpoint {
    if (url !== undefined) {
      const { hostname, port, host, pathname, search, origin } = new URL(url);
      const cleaned = `${origin}${cleanPath(pathname)}${search}`;
      return { url: cleaned, serverName: hostname, address: port === "" ? `${host}:443` : host };
    }
    const { namespace = "", name = "", port = 443 } = service ?? {};
    const path = cleanPath(service?.path ?? "/");
    const serverName = `${name}.${namespace}.svc`;
    const resolved = this.#resolve({ namespace, name, port });
    if (resolved === undefined) {
      throw new WebhookCallError(
        `Post "https://${serverName}:${String(port)}${path}": service "${name}" has no address`,
      );
    }
    const address =
      "connect" in resolved ? `${serverName}:${String(port)}` : `${resolved.host}:${String(resolved.port)}`;
    return { url: `https://${serverName}:${String(port)}${path}`, serverName, address, connectTo: resolved };
  }

  #agentOf(https: Https, serverName: string, caBundle: string | undefined): Agent {
    const key = `${serverName} ${caBundle ?? ""}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const ca =
      caBundle === undefined || caBundle === "" ? {} : { ca: Buffer.from(caBundle, "base64").toString("utf8") };
    const agent = new https.Agent({
      keepAlive: true,
      ...ca,
      // Like Go, which also trusts a certificate whose issuer is not in the bundle.
      allowPartialTrustChain: true,
      ...(isAddress(serverName) ? {} : { servername: serverName }),
    });
    this.#agents.set(key, agent);
    return agent;
  }
}

// Go's HTTP client joins the segments of the decoded path, and encodes it again.
function cleanPath(encoded: string): string {
  const joined = posix.join("/", decode(encoded)).replace(/(?<=.)\/$/u, "");
  return encodeGoPath(joined);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface Endpoint {
  readonly url: string;
  readonly serverName: string;
  /** Host and port, as messages name them. */
  readonly address: string;
  readonly connectTo?: ServiceAddress;
}

interface PostOptions {
  readonly request: Https["request"];
  readonly connectTls: Tls["connect"];
  readonly agent: Agent;
  readonly body: string;
  /** Default: POST. */
  readonly method?: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly connectTo?: ServiceAddress;
}

interface Answer {
  readonly kind: "answer";
  readonly code: number;
  readonly contentType: string;
  readonly text: string;
  /** Where to the answer redirects. */
  readonly location: string | undefined;
}

type Outcome =
  | Answer
  | { readonly kind: "late" | "stale" }
  /** An answer whose body did not arrive whole. */
  | { readonly kind: "cut"; readonly reason: string }
  | { readonly kind: "failed"; readonly error: NodeJS.ErrnoException };

async function send(url: URL, options: PostOptions): Promise<Outcome> {
  const first = await post(url, options);
  // A connection that was kept may have been closed at the other end in the meantime.
  return first.kind === "stale" ? await post(url, options) : first;
}

const MOST_REDIRECTS = 10;
const KEEPING_METHOD: ReadonlySet<number> = new Set([307, 308]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, ...KEEPING_METHOD]);

// Follows redirects like Go's client: most of them with a GET, which has no body.
async function redirected(answer: Answer, from: URL, options: PostOptions): Promise<Answer> {
  let [current, url, method] = [answer, from, "POST"];
  for (let count = 1; REDIRECTS.has(current.code) && current.location !== undefined; count += 1) {
    if (!KEEPING_METHOD.has(current.code)) method = "GET";
    url = redirectTarget(current.location, url);
    const name = method === "GET" ? "Get" : "Post";
    if (count >= MOST_REDIRECTS) {
      throw new WebhookCallError(`${name} "${url.href}": stopped after ${String(MOST_REDIRECTS)} redirects`);
    }
    const next = await send(url, { ...options, method, ...(method === "GET" ? { body: "" } : {}) });
    if (next.kind === "cut") throw cutOff(next);
    if (next.kind !== "answer") {
      const problem = next.kind === "failed" ? next.error.message : GO_MESSAGES[next.kind];
      throw new WebhookCallError(`${name} "${url.href}": ${problem}`);
    }
    current = next;
  }
  return current;
}

function cutOff({ reason }: { readonly reason: string }): WebhookCallError {
  return new WebhookCallError(`unexpected error when reading response body. Please retry. Original error: ${reason}`);
}

// Webhooks are called over TLS only, also after a redirect.
function redirectTarget(location: string, from: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target?.protocol === "https:") return target;
  throw new WebhookCallError(`redirected to ${JSON.stringify(location)}, which is not an https URL`);
}

async function post(url: URL, options: PostOptions): Promise<Outcome> {
  return await new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve({ kind: "failed", error });
    let isAnswering = false;
    const cut = (error: NodeJS.ErrnoException): void =>
      error.code === "ECONNRESET" ? resolve({ kind: "cut", reason: "unexpected EOF" }) : fail(error);
    const outgoing = options.request(
      url,
      {
        method: options.method ?? "POST",
        ...connectionOf(options),
        headers: {
          host: url.host,
          "content-type": "application/json",
          accept: "application/json",
          "content-length": Buffer.byteLength(options.body),
        },
      },
      (incoming) => {
        isAnswering = true;
        void readAll(incoming).then(resolve, cut);
      },
    );
    // Without a listener, Node closes the connection and reports nothing.
    outgoing.once("upgrade", ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ kind: "answer", code: statusCode, contentType: "", text: "", location: undefined });
    });
    const timer = options.clock.setTimeout(() => {
      resolve(isAnswering ? { kind: "cut", reason: GO_MESSAGES.late } : { kind: "late" });
      outgoing.destroy();
    }, options.timeoutMs);
    outgoing.once("close", () => timer.cancel());
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === "ECONNRESET") resolve({ kind: "stale" });
      else fail(error);
    });
    outgoing.end(options.body);
  });
}

// Connections within the process are opened for each call.
function connectionOf({ agent, connectTls, connectTo }: PostOptions): RequestOptions {
  if (connectTo === undefined) return { agent };
  if (!("connect" in connectTo)) return { agent, hostname: connectTo.host, port: connectTo.port };
  const { keepAlive: _, ...tls } = agent.options;
  return { createConnection: () => connectTls({ ...tls, socket: connectTo.connect() }) };
}

// A ConversionReview holds all objects of a list; the answer to it is as long.
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;

async function readAll(incoming: IncomingMessage): Promise<Outcome> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_ANSWER_BYTES) {
      throw new TypeError(`the response exceeds ${String(LARGEST_ANSWER_BYTES)} bytes`);
    }
    chunks.push(chunk);
  }
  return {
    kind: "answer",
    code: incoming.statusCode ?? 0,
    contentType: incoming.headers["content-type"] ?? "",
    text: Buffer.concat(chunks).toString("utf8"),
    location: incoming.headers.location,
  };
}

function textOf(answer: Answer): string {
  const { code, contentType, text } = answer;
  const isNoType = contentType !== "" && contentType.split(";", 1)[0]?.trim() === "";
  if (isNoType) throw new WebhookCallError("Internal error occurred: mime: no media type");
  if (code >= 200 && code < 300) {
    if (text !== "") return text;
    throw new WebhookCallError(`0-length response with status code: ${String(code)} and content type: ${contentType}`);
  }
  throw new WebhookCallError(statusMessage(answer.text) ?? refusalText(answer));
}

function statusMessage(text: string): string | undefined {
  try {
    const { kind, message } = JSON.parse(text) as { readonly kind?: string; readonly message?: string };
    return kind === "Status" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

// How client-go words an answer that is neither a success nor a Status.
function refusalText({ code, contentType, text }: Answer): string {
  const detail = contentType.startsWith("text/") && text.trim() !== "" ? text.trim() : "unknown";
  switch (code) {
    case 404:
      return "the server could not find the requested resource";
    case 400:
      return "the server rejected our request for an unknown reason";
    case 403:
      return detail;
    case 409:
      return "the server reported a conflict";
    case 422:
      return "the server rejected our request due to an error in our request";
    case 401:
      return "the server has asked for the client to provide credentials";
    default:
      return code >= 500
        ? `an error on the server (${JSON.stringify(detail)}) has prevented the request from succeeding`
        : `the server responded with the status code ${String(code)} but did not return more information`;
  }
}
