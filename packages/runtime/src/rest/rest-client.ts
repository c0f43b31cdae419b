import { type RestConfig, ScaffoldError } from "@kubescaffold/k8s";

import { type Clock, realClock, sleep } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import { restClientMetrics, type RestClientMetrics } from "../metrics/client-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { type AttemptScope, openScope, type Outcome, retryDelayMs } from "./attempt.ts";
import { type Authenticator, createAuthenticator, type Identity } from "./authenticator.ts";
import { RequestTimeoutError, toConnectionError, UnreadableAnswerError } from "./errors.ts";
import {
  createWarningLogger,
  defaultUserAgent,
  impersonationHeaders,
  parseWarnings,
  retryAfterSeconds,
  type WarningHandler,
} from "./headers.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { isFailedStatus, toStatusError } from "./response-error.ts";
import { SenderPool } from "./sender-pool.ts";
import type { WireHeaders, WireResponse } from "./wire.ts";

/** One call to an API server. */
export interface RestRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the server's address, each segment encoded. */
  readonly path: string;
  /** Query parameters; undefined ones are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** What is sent as JSON. */
  readonly body?: unknown;
  /** What the body is; JSON unless it is a patch. */
  readonly contentType?: string;
  /** What answers are understood; JSON when absent. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** In place of the config's. */
  readonly timeoutMs?: number;
}

/** What a rest client works with beside its config. */
export interface RestClientOptions {
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Is told of warnings; absent logs each of them. */
  readonly warningHandler?: WarningHandler;
  /** Where requests are counted; the registry of the process when absent. */
  readonly registry?: MetricsRegistry;
}

/** An answer with its content type. */
export interface RestAnswer<T> {
  readonly body: T;
  readonly contentType: string;
}

/**
 * Speaks HTTP and JSON with one API server: authenticates, repeats what the server asks to repeat, and turns failures into errors.
 *
 * Guarantees: connections are kept and shared by all calls; a server's 429 or 5xx with `Retry-After` is repeated up to ten
 * times after the time it names; a GET whose connection was cut is repeated as well.
 * Fails: `StatusError` with the server's `Status`, `ConnectionError`, `RequestTimeoutError`, or the signal's reason.
 */
export interface RestClient {
  readonly config: RestConfig;
  /** Makes a call and returns the JSON of the answer; undefined for an empty one. */
  request<T>(request: RestRequest): Promise<T>;
  /** Makes a call and returns the JSON together with its content type. */
  negotiate<T>(request: RestRequest): Promise<RestAnswer<T>>;
  /** Makes a call and returns the answer as it is, for endpoints that do not speak JSON. */
  text(request: RestRequest): Promise<string>;
  /** Makes a call whose answer is an endless sequence of JSON lines; leaving the iteration closes the connection. */
  stream(request: RestRequest): AsyncIterable<unknown>;
  /** Closes all connections; what is under way fails, and a later call opens new ones. */
  close(): Promise<void>;
}

/** Creates the client of the server that a config describes. */
export function createRestClient(config: RestConfig, options: RestClientOptions = {}): RestClient {
  return new HttpRestClient(config, options);
}

const MAXIMAL_RETRIES = 10;

interface Call {
  readonly request: RestRequest;
  readonly path: string;
  readonly isStream: boolean;
  /** What the body is read by; gives up the connection when its time is over. */
  readonly scope: AttemptScope;
}

class HttpRestClient implements RestClient {
  readonly config: RestConfig;
  readonly #clock: Clock;
  readonly #authenticator: Authenticator;
  readonly #senders: SenderPool;
  readonly #limiter: RateLimiter | undefined;
  readonly #warningHandler: WarningHandler;
  readonly #fixedHeaders: WireHeaders;
  readonly #metrics: RestClientMetrics;
  readonly #host: string;

  constructor(config: RestConfig, options: RestClientOptions) {
    this.config = config;
    this.#metrics = restClientMetrics(options.registry);
    this.#host = URL.canParse(config.server) ? new URL(config.server).host : config.server;
    this.#clock = options.clock ?? realClock;
    this.#authenticator = createAuthenticator(config, this.#clock);
    this.#senders = new SenderPool(config);
    const { qps = -1, burst = 10 } = config;
    this.#limiter = qps > 0 ? new RateLimiter({ qps, burst }, this.#clock) : undefined;
    this.#warningHandler = options.warningHandler ?? createWarningLogger(options.log ?? rootLog);
    this.#fixedHeaders = {
      "user-agent": config.userAgent ?? defaultUserAgent(),
      ...impersonationHeaders(config.impersonate),
    };
  }

  async request<T>(request: RestRequest): Promise<T> {
    return (await this.negotiate<T>(request)).body;
  }

  async negotiate<T>(request: RestRequest): Promise<RestAnswer<T>> {
    const answer = await this.#unary(request);
    const body = answer.text === "" ? undefined : parseAnswer(describe(request), answer.text);
    if (isFailedStatus(body)) {
      throw toStatusError({ ...answer, body: answer.text, method: request.method, path: request.path });
    }
    return { body: body as T, contentType: answer.contentType };
  }

  async text(request: RestRequest): Promise<string> {
    return (await this.#unary(request)).text;
  }

  async *stream(request: RestRequest): AsyncGenerator<unknown, void, undefined> {
    const { response, scope } = await this.#exchange(request, true);
    try {
      yield* parseJsonLines(response.chunks());
    } catch (error) {
      throw this.#failureOf(error, { request, scope });
    } finally {
      scope.abort();
    }
  }

  async close(): Promise<void> {
    await this.#senders.close();
  }

  async #unary(request: RestRequest): Promise<ReceivedAnswer> {
    const { response, scope } = await this.#exchange(request, false);
    try {
      return {
        status: response.status,
        text: await response.text(),
        contentType: response.header("content-type") ?? "",
        retryAfterSeconds: retryAfterOf(response),
      };
    } catch (error) {
      throw this.#failureOf(error, { request, scope });
    } finally {
      scope.close();
    }
  }

  // Repeats until there is an answer that is a success; the caller reads the body and closes the scope.
  async #exchange(request: RestRequest, isStream: boolean): Promise<Extract<Outcome, { kind: "success" }>> {
    const path = `${request.path}${queryOf(request.query)}`;
    for (let retries = 0; ; retries += 1) {
      request.signal?.throwIfAborted();
      // Watches are not limited: they are few, and reconnecting must not wait behind requests.
      await (isStream ? undefined : this.#limiter?.take(request.signal));
      const outcome = await this.#attempt({ request, path, isStream, scope: this.#openScope(request, isStream) });
      if (outcome.kind === "success") {
        return outcome;
      }
      const waitMs = retries < MAXIMAL_RETRIES ? retryDelayMs(request.method, outcome) : undefined;
      if (waitMs === undefined) {
        throw outcome.error;
      }
      await sleep(this.#clock, waitMs, request.signal);
    }
  }

  async #attempt(call: Call): Promise<Outcome> {
    try {
      const response = await this.#sendAuthenticated(call);
      if (response.status >= 200 && response.status < 300) {
        return { kind: "success", response, scope: call.scope };
      }
      const error = toStatusError({
        method: call.request.method,
        path: call.path,
        status: response.status,
        body: await response.text(),
        retryAfterSeconds: retryAfterOf(response),
      });
      call.scope.close();
      return { kind: "refused", error, status: response.status, retryAfterSeconds: retryAfterOf(response) };
    } catch (error) {
      call.scope.close();
      return { kind: "broken", error: this.#failureOf(error, call) };
    }
  }

  async #sendAuthenticated(call: Call): Promise<WireResponse> {
    const identity = await this.#authenticator.identity();
    const response = await this.#send(call, identity);
    if (response.status !== 401) {
      return response;
    }
    const renewed = await this.#authenticator.renew(identity).catch(() => undefined);
    if (renewed === undefined) {
      return response;
    }
    await response.discard();
    return this.#send(call, renewed);
  }

  async #send(call: Call, identity: Identity): Promise<WireResponse> {
    const labels = { method: call.request.method, host: this.#host };
    try {
      const response = await this.#sendOnce(call, identity);
      this.#metrics.requests.inc({ ...labels, code: String(response.status) });
      return response;
    } catch (error) {
      this.#metrics.requests.inc({ ...labels, code: "<error>" });
      throw error;
    }
  }

  async #sendOnce({ request, path, isStream, scope }: Call, identity: Identity): Promise<WireResponse> {
    const response = await this.#senders.senderFor(identity.certificate).send({
      method: request.method,
      path,
      headers: {
        ...this.#fixedHeaders,
        accept: request.accept ?? "application/json",
        ...(identity.authorization === undefined ? {} : { authorization: identity.authorization }),
        ...(request.body === undefined ? {} : { "content-type": request.contentType ?? "application/json" }),
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal: scope.signal,
      isStream,
    });
    for (const warning of parseWarnings(response.header("warning"))) {
      this.#warningHandler(warning);
    }
    return response;
  }

  #openScope(request: RestRequest, isStream: boolean): AttemptScope {
    const timeoutMs = isStream ? 0 : (request.timeoutMs ?? this.config.timeoutMs ?? 0);
    return openScope({ signal: request.signal, timeoutMs, clock: this.#clock });
  }

  #failureOf(
    error: unknown,
    { request, scope }: { readonly request: RestRequest; readonly scope: AttemptScope },
  ): Error {
    if (request.signal?.aborted === true) {
      return request.signal.reason as Error;
    }
    if (scope.timedOutAfterMs !== undefined) {
      return new RequestTimeoutError(describe(request), scope.timedOutAfterMs);
    }
    return error instanceof ScaffoldError ? error : toConnectionError(error, this.config.server);
  }
}

interface ReceivedAnswer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly retryAfterSeconds: number | undefined;
}

function retryAfterOf(response: WireResponse): number | undefined {
  return retryAfterSeconds(response.header("retry-after"));
}

function queryOf(query: RestRequest["query"]): string {
  const parameters = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters).toString()}`;
}

function parseAnswer(request: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new UnreadableAnswerError(request, { body: text, cause });
  }
}

function describe({ method, path }: RestRequest): string {
  return `${method} ${path}`;
}

const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into the JSON values of its lines; empty lines are skipped.
 *
 * Guarantees: every byte is copied at most once however small the pieces are; nothing is read before it is asked for.
 */
export async function* parseJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const line = decodeText(pending);
      pending = [];
      start = end + 1;
      if (line.trim() !== "") {
        yield JSON.parse(line) as unknown;
      }
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
    }
  }
  const rest = decodeText(pending);
  if (rest.trim() !== "") {
    yield JSON.parse(rest) as unknown;
  }
}

function decodeText(pieces: readonly Uint8Array[]): string {
  const [first] = pieces;
  const whole = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
  return Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString("utf8");
}
