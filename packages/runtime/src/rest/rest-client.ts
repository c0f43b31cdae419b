import { isInstance, printLosslessJson, type RestConfig, ScaffoldError, checkNumbers } from "@kubescaffold/k8s";
import { type Clock, realClock, sleep } from "@kubescaffold/platform/clock";

import { callWriteCheck } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { callSite, streamFromCallSite } from "../observe/call-site.ts";
import type { Observer } from "../observe/observer.ts";
import { observeRequest, type RequestObserver } from "../observe/request-observation.ts";
import { endWithoutResponse, endWithStatus, startRequestSpan } from "../tracing/request-spans.ts";
import { inSpan, type OpenSpan, propagationHeaders } from "../tracing/spans.ts";
import { TokenBucketRateLimiter } from "../wait/token-bucket.ts";
import { isBodyTimeout, isSuccess, parseAnswer, type ReceivedAnswer, retryAfterOf } from "./answers.ts";
import { AttemptScope, type Outcome, retryDelayMs } from "./attempt.ts";
import { createAuthenticator } from "./authenticator.ts";
import { RequestTimeoutError, ServerSilentError, toConnectionError, UnreadableAnswerError } from "./errors.ts";
import {
  authProxyHeaders,
  createWarningLogger,
  defaultUserAgent,
  impersonationHeaders,
  parseWarnings,
  type WarningHandler,
} from "./headers.ts";
import { type Authenticator, type Identity, renewedIdentity } from "./identity.ts";
import { parseJsonLines } from "./json-lines.ts";
import { type ReadList, readList, StartOfBody } from "./list-reader.ts";
import { createRequestLog, type RequestLog, type RequestLogDetail, sendLogged } from "./request-log.ts";
import { RequestMeter } from "./request-meter.ts";
import { RequestWaits } from "./request-waits.ts";
import { isFailedStatus, toStatusError } from "./response-error.ts";
import { SenderPool } from "./sender-pool.ts";
import { TlsFiles } from "./tls-files.ts";
import type { WebSocketConnection } from "./web-socket.ts";
import { type WebSocketRequest, WebSockets } from "./web-sockets.ts";
import {
  describeRequest,
  queryOf,
  type Reading,
  type Sender,
  type WireHeaders,
  type WireRequest,
  type WireResponse,
} from "./wire.ts";

/**
 * A request to an API server.
 *
 * client-go: rest.Request
 */
export interface RestRequest {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the server's address, each segment encoded. */
  readonly path: string;
  /** Query parameters; undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** The content type of the body. Default: `application/json`. */
  readonly contentType?: string;
  /** The accepted content types of the response. Default: `application/json`. */
  readonly accept?: string;
  /** Cancels the request when it aborts. */
  readonly signal?: AbortSignal;
  /** The timeout in milliseconds. Default: `timeoutMs` of the config. */
  readonly timeoutMs?: number;
  /** Reports whether the server stored nothing new, for the {@link Observer} of the client. Default: no request is known to have changed nothing. */
  readonly isUnchanged?: (answer: RestAnswer<unknown>) => boolean;
}

/** Options of {@link createRestClient}. */
export interface RestClientOptions {
  /** The logger of warnings. Default: {@link log}. */
  readonly log?: Logger;
  /** The clock of timeouts and retries. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** Receives the server's warnings. Default: every warning is logged. */
  readonly warningHandler?: WarningHandler;
  /** The registry of the request metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** The details of requests to log, with the logger of the current reconcile or `log`; see {@link requestLogDetails}. Default: none. */
  readonly requestLog?: readonly RequestLogDetail[];
  /** Receives what becomes of requests; see {@link Observer}. Default: none. */
  readonly observer?: Observer;
  /**
   * Called with the path before each attempt to send a request other than GET, and again once it has a connection; the request fails with what it
   * throws. Leader election refuses writes here.
   */
  readonly beforeWrite?: (path: string) => void;
}

/** A response body and its content type. */
export interface RestAnswer<T> {
  /** The parsed body. */
  readonly body: T;
  /** The HTTP status, such as 201 for an apply that created the object. */
  readonly status: number;
  /** The value of the `Content-Type` header. */
  readonly contentType: string;
}

/**
 * Sends HTTP and JSON requests to one API server: authenticates, retries on the server's request, and converts failures into errors.
 *
 * Guarantees: all requests share persistent connections; a 429 or 5xx with `Retry-After` is retried up to ten
 * times after the given delay; a GET whose connection was closed is retried as well.
 * Fails: `StatusError` with the server's `Status`, `ConnectionError`, `RequestTimeoutError`, `ServerSilentError`, or the signal's reason.
 *
 * client-go: rest.Interface
 */
export interface RestClient {
  /** The config of the client. */
  readonly config: RestConfig;
  /** Sends a request and returns the JSON of the response; undefined for an empty body. */
  request<T>(request: RestRequest): Promise<T>;
  /** Sends a request and returns the JSON of the response with its content type. */
  negotiate<T>(request: RestRequest): Promise<RestAnswer<T>>;
  /** Sends a request and returns the response as text, for endpoints without JSON. */
  text(request: RestRequest): Promise<string>;
  /**
   * Sends a request whose response is a list, and reads the items one by one while they arrive.
   *
   * Guarantees: a long list does not block the event loop, and its length is not limited to that of a string.
   */
  requestList(request: RestRequest, readItem: (item: unknown) => unknown): Promise<ReadList | undefined>;
  /** Sends a request whose response is a stream of JSON lines; leaving the iteration closes the connection. */
  stream(request: RestRequest): AsyncIterable<unknown>;
  /** Sends a request and yields the bytes of the response as they arrive, for endpoints such as logs; leaving the iteration closes the connection. */
  bytes(request: RestRequest): AsyncIterable<Uint8Array>;
  /**
   * Opens a WebSocket, for streams such as exec; each has its own connection.
   *
   * Fails: `StatusError` if the server refused it, `StreamUnsupportedError`, `ConnectionError`, `ServerSilentError`, or the signal's reason.
   */
  webSocket(request: WebSocketRequest): Promise<WebSocketConnection>;
  /** Closes all connections; open requests fail, and later ones fail with `ClientClosedError`. */
  close(): Promise<void>;
}

/**
 * Creates the REST client of the server of a config.
 *
 * client-go: rest.RESTClientFor
 */
export function createRestClient(config: RestConfig, options: RestClientOptions = {}): RestClient {
  return new HttpRestClient(config, options);
}

const MAXIMAL_RETRIES = 10;
const IDLE_TIMEOUT_MS = 90_000;

interface Call {
  readonly request: RestRequest;
  readonly path: string;
  readonly reading: Reading;
  readonly isRetry: boolean;
  /** For the span: unlike retries, these include the attempt whose credentials were renewed. */
  readonly earlierAttempts: number;
  /** The scope that the body is read in; closes the connection when the timeout expires. */
  readonly scope: AttemptScope;
}

type Chunks = AsyncIterable<Uint8Array>;

class HttpRestClient implements RestClient {
  readonly config: RestConfig;
  readonly #clock: Clock;
  readonly #authenticator: Authenticator;
  readonly #senders: SenderPool;
  readonly #tlsFiles: TlsFiles;
  readonly #webSockets: WebSockets;
  readonly #limiter: TokenBucketRateLimiter | undefined;
  readonly #warningHandler: WarningHandler;
  readonly #idleTimeoutMs: number;
  readonly #beforeWrite: ((path: string) => void) | undefined;
  readonly #fixedHeaders: WireHeaders;
  readonly #requestLog: RequestLog | undefined;
  readonly #meter: RequestMeter;
  readonly #observer: RequestObserver | undefined;
  readonly #waits: RequestWaits;

  constructor(config: RestConfig, options: RestClientOptions) {
    checkNumbers("the REST config", config, { timeoutMs: "duration", idleTimeoutMs: "duration" });
    this.config = config;
    this.#clock = options.clock ?? realClock;
    this.#meter = new RequestMeter(config.server, options.registry, this.#clock);
    this.#observer = options.observer === undefined ? undefined : { observer: options.observer, clock: this.#clock };
    this.#authenticator = createAuthenticator(config, this.#clock);
    this.#waits = new RequestWaits(config.server);
    this.#senders = new SenderPool(config, this.#meter.lookup);
    this.#tlsFiles = new TlsFiles(config, this.#clock);
    const { qps = -1, burst = 10 } = config;
    this.#limiter = qps > 0 ? new TokenBucketRateLimiter({ qps, burst }, this.#clock) : undefined;
    this.#warningHandler = options.warningHandler ?? createWarningLogger(options.log ?? rootLog);
    this.#idleTimeoutMs = config.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
    this.#beforeWrite = options.beforeWrite;
    this.#requestLog = createRequestLog(config.server, options, this.#clock);
    this.#fixedHeaders = {
      "user-agent": config.userAgent ?? defaultUserAgent(),
      ...authProxyHeaders(config.authProxyUser),
      ...impersonationHeaders(config.impersonate),
    };
    this.#webSockets = new WebSockets({
      config,
      clock: this.#clock,
      authenticator: this.#authenticator,
      tlsFiles: this.#tlsFiles,
      headers: this.#fixedHeaders,
      meter: this.#meter,
      idleTimeoutMs: this.#idleTimeoutMs,
      beforeWrite: this.#beforeWrite,
    });
  }

  async request<T>(request: RestRequest): Promise<T> {
    return (await this.negotiate<T>(request)).body;
  }

  async negotiate<T>(request: RestRequest): Promise<RestAnswer<T>> {
    return await observeRequest(
      this.#observer,
      request,
      async () => await this.#negotiate<T>(request),
      (answer) => ({ ...answer, isUnchanged: request.isUnchanged?.(answer) === true }),
    );
  }

  async #negotiate<T>(request: RestRequest): Promise<RestAnswer<T>> {
    const answer = await this.#metered(request, () => this.#unary(request));
    const body = answer.text === "" ? undefined : parseAnswer(describeRequest(request), answer.text);
    if (isFailedStatus(body)) {
      throw toStatusError({ ...answer, body: answer.text, method: request.method, path: request.path });
    }
    return { body: body as T, status: answer.status, contentType: answer.contentType };
  }

  async requestList(request: RestRequest, readItem: (item: unknown) => unknown): Promise<ReadList | undefined> {
    const list = (): Promise<ReadList | undefined> => this.#list(request, readItem);
    return await observeRequest(this.#observer, request, async () => await this.#metered(request, list));
  }

  async #list(request: RestRequest, readItem: (item: unknown) => unknown): Promise<ReadList | undefined> {
    const { response, scope } = await this.#exchange(request, "pieces");
    const start = new StartOfBody();
    let list: ReadList | undefined;
    try {
      list = await readList(start.of(this.#meter.receiving(request.method, response.chunks())), readItem);
    } catch (error) {
      throw isInstance(error, SyntaxError)
        ? new UnreadableAnswerError(describeRequest(request), { body: start.text(), cause: error })
        : this.#failureOf(error, { request, scope });
    } finally {
      scope.close();
    }
    if (isFailedStatus(list)) {
      const { method, path } = request;
      throw toStatusError({
        method,
        path,
        status: response.status,
        body: printLosslessJson(list),
        retryAfterSeconds: retryAfterOf(response),
      });
    }
    return list;
  }

  async text(request: RestRequest): Promise<string> {
    const read = (): Promise<ReceivedAnswer> => this.#unary(request);
    return (await observeRequest(this.#observer, request, async () => await this.#metered(request, read))).text;
  }

  stream(request: RestRequest): AsyncGenerator<unknown, void, undefined> {
    return streamFromCallSite(this.#read(request, parseJsonLines), callSite());
  }

  bytes(request: RestRequest): AsyncGenerator<Uint8Array, void, undefined> {
    return streamFromCallSite(
      this.#read(request, (chunks) => chunks),
      callSite(),
    );
  }

  async *#read<T>(request: RestRequest, parse: (chunks: Chunks) => AsyncIterable<T>): AsyncGenerator<T> {
    const { response, scope } = await this.#openStream(request);
    try {
      yield* parse(response.chunks());
    } catch (error) {
      throw this.#failureOf(error, { request, scope });
    } finally {
      scope.abort();
    }
  }

  async webSocket(request: WebSocketRequest): Promise<WebSocketConnection> {
    const { path } = request;
    const observed = { method: "GET", path, opensWebSocket: true };
    return await observeRequest(this.#observer, observed, async () => await this.#webSockets.open(request));
  }

  async close(): Promise<void> {
    this.#waits.end();
    this.#webSockets.close();
    await this.#senders.close();
  }

  async #metered<T>(request: RestRequest, run: () => Promise<T>): Promise<T> {
    const startedAt = this.#meter.startRequest();
    try {
      return await run();
    } finally {
      this.#meter.endRequest(request.method, startedAt);
    }
  }

  async #unary(request: RestRequest): Promise<ReceivedAnswer> {
    const { response, scope } = await this.#exchange(request, "whole");
    try {
      const text = await response.text();
      this.#meter.received(request.method, text);
      return {
        status: response.status,
        text,
        contentType: response.header("content-type") ?? "",
        retryAfterSeconds: retryAfterOf(response),
      };
    } catch (error) {
      throw this.#failureOf(error, { request, scope });
    } finally {
      scope.close();
    }
  }

  async #openStream(request: RestRequest): Promise<Extract<Outcome, { kind: "success" }>> {
    return await observeRequest(this.#observer, request, async () => await this.#exchange(request, "stream"));
  }

  // Retries until a response is successful; the caller reads the body and closes the scope.
  async #exchange(request: RestRequest, reading: Reading): Promise<Extract<Outcome, { kind: "success" }>> {
    const path = `${request.path}${queryOf(request.query)}`;
    for (let retries = 0; ; retries += 1) {
      request.signal?.throwIfAborted();
      // Watches are not limited: they are few, and reconnecting must not wait behind requests.
      if (reading !== "stream" && this.#limiter !== undefined) await this.#throttle(request, this.#limiter);
      const scope = this.#openScope(request, reading);
      const outcome = await this.#attempt({
        request,
        path,
        reading,
        isRetry: retries > 0,
        earlierAttempts: retries,
        scope,
      });
      if (outcome.kind === "success") {
        return outcome;
      }
      const waitMs = retries < MAXIMAL_RETRIES ? retryDelayMs(request.method, outcome) : undefined;
      if (waitMs === undefined) {
        if (outcome.kind === "refused" && reading !== "stream") {
          this.#meter.received(request.method, outcome.body);
        }
        throw outcome.error;
      }
      await this.#waits.during(request.signal, async (signal) => await sleep(this.#clock, waitMs, signal));
    }
  }

  async #throttle(request: RestRequest, limiter: TokenBucketRateLimiter): Promise<void> {
    await this.#meter.throttled(request.method, async () => {
      if (limiter.tryAccept()) return;
      await this.#waits.during(request.signal, async (signal) => await limiter.wait(signal));
    });
  }

  async #attempt(call: Call): Promise<Outcome> {
    try {
      const response = await this.#sendAuthenticated(call);
      if (isSuccess(response)) {
        return { kind: "success", response, scope: call.scope };
      }
      const body = await response.text();
      const error = toStatusError({
        method: call.request.method,
        path: call.path,
        status: response.status,
        body,
        retryAfterSeconds: retryAfterOf(response),
      });
      call.scope.close();
      return { kind: "refused", error, body, status: response.status, retryAfterSeconds: retryAfterOf(response) };
    } catch (error) {
      call.scope.close();
      return { kind: "broken", error: this.#failureOf(error, call) };
    }
  }

  async #sendAuthenticated(call: Call): Promise<WireResponse> {
    const identity = await this.#authenticator.identity(call.scope.ending);
    const response = await this.#send(call, identity);
    if (response.status !== 401) {
      return response;
    }
    // A login may take longer than a server that does not answer.
    call.scope.answered();
    const renewed = await renewedIdentity(this.#authenticator, identity, call.scope.ending);
    if (renewed === undefined) {
      call.scope.sent();
      return response;
    }
    await response.discard();
    return this.#send({ ...call, earlierAttempts: call.earlierAttempts + 1 }, renewed);
  }

  async #send(call: Call, identity: Identity): Promise<WireResponse> {
    const { method } = call.request;
    const { path, isRetry, earlierAttempts } = call;
    const span = startRequestSpan({ server: this.config.server, method, path, earlierAttempts });
    try {
      const response = await inSpan(span, () => this.#sendOnce(call, identity, span));
      this.#meter.attempt(method, response.status, isRetry);
      endWithStatus(span, response.status);
      return response;
    } catch (error) {
      this.#meter.attempt(method, undefined, isRetry);
      endWithoutResponse(span, error);
      throw error;
    }
  }

  async #sendOnce(call: Call, identity: Identity, span: OpenSpan | undefined): Promise<WireResponse> {
    const sender = this.#senders.senderFor(await this.#tlsFiles.settings(), identity.certificate);
    call.scope.sent();
    const response = await this.#startSending(sender, { call, identity, span });
    // The body of a stream has no limit, but for that of a refusal.
    if (call.reading !== "stream" || isSuccess(response)) call.scope.answered();
    for (const warning of parseWarnings(response.header("warning"))) {
      this.#warningHandler(warning);
    }
    return response;
  }

  // A function that does not wait: one that does would keep the text of the body in memory until the response.
  // oxlint-disable-next-line typescript/promise-function-async -- see above
  #startSending(
    sender: Sender,
    { call, identity, span }: { readonly call: Call; readonly identity: Identity; readonly span: OpenSpan | undefined },
  ): Promise<WireResponse> {
    const { request, path, reading, scope } = call;
    const body = request.body === undefined ? undefined : printLosslessJson(request.body);
    const checkWrite = request.method === "GET" ? undefined : callWriteCheck(path, this.#beforeWrite);
    checkWrite?.();
    const wireRequest: WireRequest = {
      method: request.method,
      path,
      headers: {
        ...(span === undefined ? {} : propagationHeaders(span)),
        ...this.#fixedHeaders,
        accept: request.accept ?? "application/json",
        ...(identity.authorization === undefined ? {} : { authorization: identity.authorization }),
        ...(request.body === undefined ? {} : { "content-type": request.contentType ?? "application/json" }),
      },
      body,
      signal: scope.ending,
      reading,
      bodyTimeoutMs: reading === "stream" ? 0 : this.#idleTimeoutMs,
      // Once more, as late as possible: a connection may take long to open, and the process may be suspended meanwhile.
      ...(checkWrite === undefined ? {} : { beforeSend: checkWrite }),
    };
    if (reading !== "stream") this.#meter.sent(request.method, body);
    return this.#requestLog === undefined
      ? sender.send(wireRequest)
      : sendLogged(sender, wireRequest, this.#requestLog);
  }

  #openScope(request: RestRequest, reading: Reading): AttemptScope {
    checkNumbers("the request", request, { timeoutMs: "duration" });
    const timeoutMs = reading === "stream" ? 0 : (request.timeoutMs ?? this.config.timeoutMs ?? 0);
    return new AttemptScope({
      signal: request.signal,
      timeoutMs,
      idleTimeoutMs: this.#idleTimeoutMs,
      clock: this.#clock,
    });
  }

  #failureOf(
    error: unknown,
    { request, scope }: { readonly request: RestRequest; readonly scope: AttemptScope },
  ): Error {
    if (request.signal?.aborted === true) {
      return request.signal.reason as Error;
    }
    if (scope.timedOutAfterMs !== undefined) {
      return new RequestTimeoutError(describeRequest(request), scope.timedOutAfterMs);
    }
    if (scope.unansweredForMs !== undefined || isBodyTimeout(error)) {
      return new ServerSilentError(describeRequest(request), this.#idleTimeoutMs);
    }
    return isInstance(error, ScaffoldError) ? error : toConnectionError(error, this.config.server);
  }
}
