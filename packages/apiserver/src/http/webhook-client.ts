import type { IncomingMessage } from "node:http";
import type { Agent, RequestOptions } from "node:https";
import { posix } from "node:path";

import type { WebhookClientConfig } from "@kubescaffold/k8s/admissionregistration/v1";
import { type Clock, sleep } from "@kubescaffold/platform/clock";

import { WebhookCallError } from "./errors.ts";
import { goMessage, isAddress } from "./go-errors.ts";
import { encodeGoPath } from "./go-path.ts";
import { bodyProblem, encodingProblem } from "./malformed-answers.ts";
import type { ServiceAddress, ServiceResolver } from "./service-address.ts";
import { bodyOfResponse, retryDelayMs, type WebhookResponse } from "./webhook-response.ts";

// Messages of Go's HTTP client, for identical errors.
const GO_MESSAGES = { late: "context deadline exceeded", stale: "EOF" } as const;

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
      dueAt: this.#clock.monotonic() + call.timeoutSeconds * 1000,
      clock: this.#clock,
    };
    for (let retries = 0; ; retries += 1) {
      const response = await exchange(url, endpoint, options);
      const delayMs = retries === MOST_RETRIES ? undefined : retryDelayMs(response);
      if (delayMs === undefined) return await bodyOfResponse(response);
      await sleep(this.#clock, Math.min(delayMs, remainingMs(options)));
    }
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

/** How often a response with `Retry-After` is followed by the same request. */
const MOST_RETRIES = 10;

async function exchange(url: URL, endpoint: Endpoint, options: PostOptions): Promise<WebhookResponse> {
  const outcome = await send(url, options);
  if (outcome.kind === "cut") throw cutOff(outcome);
  if (outcome.kind === "answer") return await redirected(outcome, url, options);
  const message = outcome.kind === "failed" ? goMessage(outcome.error, endpoint) : GO_MESSAGES[outcome.kind];
  const printed = endpoint.connectTo === undefined ? url.href : `${endpoint.url}${url.search}`;
  throw new WebhookCallError(`Post "${printed}": ${message}`);
}

interface PostOptions {
  readonly request: Https["request"];
  readonly connectTls: Tls["connect"];
  readonly agent: Agent;
  readonly body: string;
  /** Default: POST. */
  readonly method?: string;
  /** When the time of the whole call is over, on the monotonic clock. */
  readonly dueAt: number;
  readonly clock: Clock;
  readonly connectTo?: ServiceAddress;
}

interface Answer extends WebhookResponse {
  readonly kind: "answer";
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
  if (remainingMs(options) === 0) return { kind: "late" };
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
      const target = { address: url.port === "" ? `${url.host}:443` : url.host, serverName: url.hostname };
      const problem = next.kind === "failed" ? goMessage(next.error, target) : GO_MESSAGES[next.kind];
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
    const cut = (error: NodeJS.ErrnoException): void => {
      const reason = bodyProblem(error);
      if (reason === undefined) fail(error);
      else resolve({ kind: "cut", reason });
    };
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
        const problem = encodingProblem(incoming.headers["transfer-encoding"]);
        if (problem !== undefined) {
          fail(new Error(problem));
          outgoing.destroy();
          return;
        }
        void readAll(incoming).then(resolve, cut);
      },
    );
    // Without a listener, Node closes the connection and reports nothing.
    outgoing.once("upgrade", ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({
        kind: "answer",
        code: statusCode,
        contentType: "",
        text: "",
        retryAfter: undefined,
        location: undefined,
      });
    });
    const timer = options.clock.setTimeout(() => {
      resolve(isAnswering ? { kind: "cut", reason: GO_MESSAGES.late } : { kind: "late" });
      outgoing.destroy();
    }, remainingMs(options));
    outgoing.once("close", () => timer.cancel());
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === "ECONNRESET") resolve({ kind: "stale" });
      else if (isAnswering) cut(error);
      else fail(error);
    });
    outgoing.end(options.body);
  });
}

function remainingMs({ clock, dueAt }: PostOptions): number {
  return Math.max(0, dueAt - clock.monotonic());
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
    retryAfter: incoming.headers["retry-after"],
    location: incoming.headers.location,
  };
}
