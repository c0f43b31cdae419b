import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";

import { ScaffoldError } from "@kubescaffold/k8s";
import type { WebhookClientConfig } from "@kubescaffold/k8s/admissionregistration/v1";

// What a Go server says, so that messages are the same.
const CONTEXT_DEADLINE_EXCEEDED = "context deadline exceeded";

/** Thrown when a webhook could not be asked, or answered what is no answer. */
export class WebhookCallError extends ScaffoldError {
  readonly code = "APISERVER_WEBHOOK_CALL";
}

/** Finds the address under which the pods of a service can be reached. */
export type ServiceResolver = (service: {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}) => { readonly host: string; readonly port: number } | undefined;

/** One call of a webhook. */
export interface WebhookCall {
  readonly clientConfig: WebhookClientConfig;
  readonly body: string;
  readonly timeoutSeconds: number;
}

/** Calls webhooks over HTTPS; connections are kept for as long as the server runs. */
export class WebhookClient {
  readonly #resolve: ServiceResolver;
  readonly #agents = new Map<string, Agent>();

  constructor(resolve: ServiceResolver) {
    this.#resolve = resolve;
  }

  /** Sends a review and returns what came back. Fails: {@link WebhookCallError}. */
  async call(call: WebhookCall): Promise<string> {
    const endpoint = this.#endpointOf(call.clientConfig);
    const url = new URL(endpoint.url);
    url.searchParams.set("timeout", `${String(call.timeoutSeconds)}s`);
    const agent = this.#agentOf(endpoint.serverName, call.clientConfig.caBundle);
    try {
      return await post(url, { ...endpoint, agent, body: call.body, timeoutMs: call.timeoutSeconds * 1000 });
    } catch (error) {
      if (error instanceof WebhookCallError) throw error;
      throw new WebhookCallError(`Post "${url.href}": ${goMessage(error, endpoint.address)}`, { cause: error });
    }
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #endpointOf({ url, service }: WebhookClientConfig): Endpoint {
    if (url !== undefined) {
      const { hostname, port, host } = new URL(url);
      return { url, serverName: hostname, address: port === "" ? `${host}:443` : host };
    }
    const { namespace = "", name = "", path = "/", port = 443 } = service ?? {};
    const serverName = `${name}.${namespace}.svc`;
    const resolved = this.#resolve({ namespace, name, port });
    if (resolved === undefined) {
      throw new WebhookCallError(
        `Post "https://${serverName}:${String(port)}${path}": service "${name}" has no address`,
      );
    }
    const address = `${resolved.host}:${String(resolved.port)}`;
    return { url: `https://${serverName}:${String(port)}${path}`, serverName, address, connectTo: resolved };
  }

  #agentOf(serverName: string, caBundle: string | undefined): Agent {
    const key = `${serverName} ${caBundle ?? ""}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const ca =
      caBundle === undefined || caBundle === "" ? {} : { ca: Buffer.from(caBundle, "base64").toString("utf8") };
    const agent = new Agent({ keepAlive: true, ...ca, ...(isAddress(serverName) ? {} : { servername: serverName }) });
    this.#agents.set(key, agent);
    return agent;
  }
}

interface Endpoint {
  readonly url: string;
  readonly serverName: string;
  /** Host and port, as messages name them. */
  readonly address: string;
  readonly connectTo?: { readonly host: string; readonly port: number };
}

interface PostOptions {
  readonly agent: Agent;
  readonly body: string;
  readonly timeoutMs: number;
  readonly connectTo?: { readonly host: string; readonly port: number };
}

async function post(url: URL, options: PostOptions): Promise<string> {
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: "POST",
        agent: options.agent,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "content-length": Buffer.byteLength(options.body),
        },
        ...options.connectTo,
      },
      (incoming) => {
        void readAnswer(incoming).then(resolve, reject);
      },
    );
    const timer = setTimeout(() => outgoing.destroy(new WebhookTimeout()), options.timeoutMs);
    outgoing.once("close", () => clearTimeout(timer));
    outgoing.once("error", reject);
    outgoing.end(options.body);
  });
}

async function readAnswer(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const code = incoming.statusCode ?? 0;
  if (code >= 200 && code < 300) return text;
  throw new WebhookCallError(refusalText(code, text));
}

// How client-go words an answer that is neither a success nor a Status.
function refusalText(code: number, body: string): string {
  const detail = body.trim() === "" ? "unknown" : body.trim();
  switch (code) {
    case 404:
      return "the server could not find the requested resource";
    case 401:
      return "the server has asked for the client to provide credentials";
    default:
      return code >= 500
        ? `an error on the server (${JSON.stringify(detail)}) has prevented the request from succeeding`
        : `the server responded with the status code ${String(code)} but did not return more details`;
  }
}

class WebhookTimeout extends Error {}

function goMessage(error: unknown, address: string): string {
  if (error instanceof WebhookTimeout) return CONTEXT_DEADLINE_EXCEEDED;
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${address}: connect: connection refused`;
    case "ECONNRESET":
      return "EOF";
    case "ENOTFOUND":
      return `dial tcp: lookup ${address.replace(/:\d+$/u, "")}: no such host`;
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    default:
      return message;
  }
}

function isAddress(host: string): boolean {
  return /^[\d.]+$|:/u.test(host);
}
