import type { IncomingMessage, ServerResponse } from "node:http";

import { dropUnreadBody, readBody } from "@kubescaffold/platform/http-server";

import { expiredEvent, statusOf } from "./failure-answers.ts";
import type { RequestFaultKind } from "./faults.ts";
import type { Held } from "./held.ts";
import type { CountedRequest, DueFault, Injector } from "./injector.ts";
import { RecentEvents } from "./recent-events.ts";
import { relayWatch } from "./relay-watch.ts";
import { describeRequest } from "./request-target.ts";
import { StaleLists } from "./stale-lists.ts";
import { type Upstream, type UpstreamResponse, valuesOf, withoutHopByHop } from "./upstream.ts";

/** The parts of a proxy that forward requests. */
export interface ForwarderParts {
  /** The API server. */
  readonly upstream: Upstream;
  /** Decides on the faults. */
  readonly injector: Injector;
  /** Holds back requests and events. */
  readonly held: Held;
  /** Replaces the serving certificate. */
  readonly rotateCertificate: () => Promise<void>;
  /** Changes the wall-clock time. */
  readonly jumpClock: (byMs: number) => void;
}

interface Exchange {
  readonly counted: CountedRequest;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

// More than the API server reads, which answers itself.
const LIMIT_BYTES = 16 * 1024 * 1024;

type RequestFault = DueFault<RequestFaultKind>;

/** Forwards requests to the API server, and injects the faults of requests and responses. */
export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #staleLists: StaleLists = new StaleLists();
  readonly #recentEvents: RecentEvents = new RecentEvents();

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
  }

  /** Handles a request; resolves when its response has ended. */
  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    dropUnreadBody(message, response);
    const left = new AbortController();
    response.once("close", () => left.abort());
    try {
      const url = new URL(message.url ?? "/", "http://proxy");
      const counted = this.#parts.injector.count(describeRequest(message.method ?? "GET", url));
      const body = await readBody(message, LIMIT_BYTES);
      if (body === undefined) {
        response.writeHead(413).end();
        return;
      }
      const exchange = { counted, query: url.searchParams, message, response, body, signal: left.signal };
      await this.#exchange(exchange);
    } catch {
      // The connection broke, or the target did not answer; the client notices either as a closed connection.
      response.destroy();
    }
  }

  async #exchange(exchange: Exchange): Promise<void> {
    const fault = this.#parts.injector.requestFault(exchange.counted, (kind) => this.#applies(kind, exchange));
    if (fault !== undefined && (await this.#replace(exchange, fault)) === "answered") return;
    const answer = await this.#forward(exchange);
    if (fault?.kind === "delayResponse") await this.#parts.held.wait(fault.ms, exchange.signal);
    const isWatch = exchange.counted.request.verb === "watch" && answer.status === 200;
    if (isWatch || isEndless(exchange)) await this.#stream(exchange, answer, fault);
    else await this.#respond(exchange, answer, fault);
  }

  #applies(kind: RequestFaultKind, { counted: { request }, query, message }: Exchange): boolean {
    switch (kind) {
      case "truncateResponse":
        return request.verb !== "watch" && request.method !== "HEAD";
      case "expired":
        return canExpire(request.verb, query) && isJsonAccepted(message);
      case "staleList":
        return isJsonAccepted(message) && this.#staleLists.find(request, query).length > 0;
      case "replayEvents":
        return this.#recentEvents.before(request, query).length > 0;
      default:
        return true;
    }
  }

  // Injects the faults that the server does not notice, or that come before it.
  async #replace(exchange: Exchange, fault: RequestFault): Promise<"answered" | "forward"> {
    const { response, signal, counted, query } = exchange;
    const { held } = this.#parts;
    switch (fault.kind) {
      case "dropRequest":
        response.destroy();
        return "answered";
      case "hangRequest":
        await held.forever(signal);
        response.destroy();
        return "answered";
      case "tooManyRequests":
      case "internalError":
      case "unavailable":
        sendStatus(response, statusOf(fault.kind, fault.retryAfterSeconds));
        return "answered";
      case "expired":
        if (counted.request.verb === "watch") sendJson(response, 200, Buffer.from(expiredEvent()));
        else sendStatus(response, statusOf("expired"));
        return "answered";
      case "staleList": {
        const lists = this.#staleLists.find(counted.request, query);
        sendJson(response, 200, lists[Math.floor(fault.random() * lists.length)] ?? Buffer.from("{}"));
        return "answered";
      }
      case "rotateCertificate":
        await this.#parts.rotateCertificate();
        response.destroy();
        return "answered";
      case "jumpClock":
        this.#parts.jumpClock(fault.ms);
        return "forward";
      case "delayRequest":
        await held.wait(fault.ms, signal);
        return "forward";
      default:
        return "forward";
    }
  }

  async #forward({ message, body, signal, counted }: Exchange): Promise<UpstreamResponse> {
    try {
      return await this.#parts.upstream.send({
        method: counted.request.method,
        target: message.url ?? "/",
        headers: withoutHopByHop(valuesOf(message.headersDistinct)),
        body,
        signal,
      });
    } catch (error) {
      if (!signal.aborted) this.#parts.injector.log.targetFailures += 1;
      throw error;
    }
  }

  async #stream(exchange: Exchange, answer: UpstreamResponse, fault: RequestFault | undefined): Promise<void> {
    const { response, counted, query, signal } = exchange;
    if (fault?.kind === "dropResponse") {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, copyOf(answer.headers));
    response.flushHeaders();
    if (!isJson(answer)) {
      for await (const chunk of answer.body) response.write(chunk);
      response.end();
      return;
    }
    if (fault?.kind === "replayEvents") {
      const events = this.#recentEvents.before(counted.request, query);
      for (const event of events.slice(-1 - Math.floor(fault.random() * events.length))) response.write(event);
    }
    this.#recentEvents.startWatch(counted.request, query);
    const isRecorded = this.#parts.injector.mayInject("replayEvents");
    const onEvent = (event: Buffer): void => {
      if (isRecorded) this.#recentEvents.record(counted.request, query, event);
    };
    await relayWatch({ counted, response, body: answer.body, signal, onEvent }, this.#parts);
  }

  async #respond(exchange: Exchange, answer: UpstreamResponse, fault: RequestFault | undefined): Promise<void> {
    const { response, counted, query } = exchange;
    const body = await bytesOf(answer.body);
    if (answer.status === 200 && isJson(answer) && this.#parts.injector.mayInject("staleList")) {
      this.#staleLists.record(counted.request, query, body);
    }
    if (fault?.kind === "dropResponse") {
      response.destroy();
      return;
    }
    const hasBody = answer.status !== 204 && answer.status !== 304;
    response.writeHead(answer.status, {
      ...copyOf(answer.headers),
      ...(hasBody ? { "content-length": body.length } : {}),
    });
    if (fault?.kind === "truncateResponse") {
      response.write(body.subarray(0, Math.floor(fault.random() * body.length)), () => response.destroy());
      return;
    }
    response.end(body);
  }
}

function isEndless({ counted: { request }, query }: Exchange): boolean {
  return request.subresource === "log" && query.get("follow") === "true";
}

// Servers expire only states that a client continues from.
function canExpire(verb: string, query: URLSearchParams): boolean {
  const version = query.get("resourceVersion") ?? "";
  const isConcrete = version !== "" && version !== "0";
  if (verb === "watch") return isConcrete;
  if (verb !== "list") return false;
  const match = query.get("resourceVersionMatch") ?? "";
  const isExact = match === "Exact" || (match === "" && Number(query.get("limit") ?? "0") > 0);
  return query.has("continue") || (isConcrete && isExact);
}

function isJsonAccepted({ headers: { accept = "" } }: IncomingMessage): boolean {
  return !accept.includes("protobuf");
}

function isJson({ headers }: UpstreamResponse): boolean {
  return (headers["content-type"]?.[0] ?? "").includes("json");
}

function sendStatus(response: ServerResponse, status: ReturnType<typeof statusOf>): void {
  const { retryAfterSeconds } = status.details ?? {};
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", String(retryAfterSeconds));
  sendJson(response, status.code ?? 500, Buffer.from(JSON.stringify(status)));
}

function sendJson(response: ServerResponse, code: number, body: Buffer): void {
  response.writeHead(code, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}

function copyOf(headers: UpstreamResponse["headers"]): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
