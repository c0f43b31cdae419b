import { isInstance, type RestConfig, ScaffoldError } from "@kubescaffold/k8s";
import { type Clock, onAbort, untilAborted } from "@kubescaffold/platform/clock";

import { callWriteCheck } from "../log/call-scope.ts";
import { endWithoutResponse, endWithStatus, startRequestSpan } from "../tracing/request-spans.ts";
import { inSpan, type OpenSpan, propagationHeaders } from "../tracing/spans.ts";
import { AttemptScope } from "./attempt.ts";
import { dial } from "./dial.ts";
import { ClientClosedError, ServerSilentError, toConnectionError } from "./errors.ts";
import { retryAfterSeconds } from "./headers.ts";
import { type Authenticator, type Identity, renewedIdentity } from "./identity.ts";
import { serverPath } from "./pool-sender.ts";
import type { RequestMeter } from "./request-meter.ts";
import { toStatusError } from "./response-error.ts";
import type { TlsFiles } from "./tls-files.ts";
import type { RefusedHandshake, WebSocketConnection } from "./web-socket.ts";
import type { WireHeaders } from "./wire.ts";

/** A request to open a WebSocket. */
export interface WebSocketRequest {
  /** The path below the server's address, each segment encoded. */
  readonly path: string;
  /** Query parameters, which may repeat. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The subprotocols, the preferred first. */
  readonly protocols: readonly string[];
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
}

/** What the WebSockets of a REST client share with its requests. */
interface WebSocketParts {
  readonly config: RestConfig;
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly tlsFiles: TlsFiles;
  readonly headers: WireHeaders;
  readonly meter: RequestMeter;
  readonly idleTimeoutMs: number;
  readonly beforeWrite: ((path: string) => void) | undefined;
}

/** Opens the WebSockets of a REST client, and closes those that are open with it. */
export class WebSockets {
  readonly #parts: WebSocketParts;
  readonly #open = new Set<WebSocketConnection>();
  #isClosed = false;

  constructor(parts: WebSocketParts) {
    this.#parts = parts;
  }

  /** Opens a WebSocket. Fails: `StatusError` if the server refused it, `ConnectionError`, `ServerSilentError`, or the signal's reason. */
  async open(request: WebSocketRequest): Promise<WebSocketConnection> {
    request.signal?.throwIfAborted();
    const { clock, idleTimeoutMs } = this.#parts;
    const scope = new AttemptScope({ signal: request.signal, timeoutMs: 0, idleTimeoutMs, clock });
    try {
      const opened = await this.#openAuthenticated(request, scope);
      if (opened.kind === "refused") {
        throw toStatusError({
          ...opened,
          method: "GET",
          path: request.path,
          retryAfterSeconds: retryAfterSeconds(opened.header("retry-after")),
        });
      }
      this.#closeWith(opened, request.signal);
      return opened;
    } catch (error) {
      throw this.#failureOf(error, { request, scope });
    } finally {
      scope.close();
    }
  }

  /** Closes all WebSockets; later ones fail with `ClientClosedError`. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#open) {
      socket.terminate(new ClientClosedError(this.#parts.config.server));
    }
  }

  async #openAuthenticated(
    request: WebSocketRequest,
    scope: AttemptScope,
  ): Promise<WebSocketConnection | RefusedHandshake> {
    const { authenticator } = this.#parts;
    const identity = await authenticator.identity(scope.ending);
    const opened = await this.#attempt(request, scope, identity);
    if (opened.kind === "open" || opened.status !== 401) {
      return opened;
    }
    const renewed = await renewedIdentity(authenticator, identity, scope.ending);
    return renewed === undefined ? opened : await this.#attempt(request, scope, renewed);
  }

  async #attempt(
    request: WebSocketRequest,
    scope: AttemptScope,
    identity: Identity,
  ): Promise<WebSocketConnection | RefusedHandshake> {
    const { meter, config } = this.#parts;
    const path = `${request.path}${searchOf(request.query ?? [])}`;
    const span = startRequestSpan({ server: config.server, method: "GET", path, earlierAttempts: 0 });
    try {
      const opened = await inSpan(span, () => this.#handshake(request, scope, { identity, span }));
      const status = opened.kind === "open" ? 101 : opened.status;
      meter.attempt("GET", status, false);
      endWithStatus(span, status);
      return opened;
    } catch (error) {
      endWithoutResponse(span, error);
      meter.attempt("GET", undefined, false);
      throw error;
    }
  }

  async #handshake(
    { path, query = [], protocols }: WebSocketRequest,
    scope: AttemptScope,
    { identity, span }: { readonly identity: Identity; readonly span: OpenSpan | undefined },
  ): Promise<WebSocketConnection | RefusedHandshake> {
    const { config, clock, tlsFiles, headers, beforeWrite } = this.#parts;
    const tls = await tlsFiles.settings();
    // Most programs open no WebSocket, and their library takes 5 MiB.
    const { openWebSocket } = await import("./web-socket.ts");
    // What runs in a container may change anything.
    const checkWrite = callWriteCheck(path, beforeWrite);
    checkWrite();
    if (this.#isClosed) {
      throw new ClientClosedError(config.server);
    }
    scope.sent();
    const dialing = dial(tls === undefined ? config : { ...config, tls }, identity.certificate);
    const connection = await untilAborted(dialing, scope.ending).catch((error: unknown) => {
      void dialing.then(
        (late) => late.destroy(),
        () => undefined,
      );
      throw error;
    });
    const stopListening = onAbort(scope.ending, () => connection.destroy(scope.ending.reason as Error));
    const search = searchOf(query);
    try {
      // Once more: the connection may have taken long to open.
      checkWrite();
      return await openWebSocket(connection, {
        host: new URL(config.server).host,
        path: `${serverPath(config.server)}${path}${search}`,
        protocols,
        headers: {
          ...propagationHeaders(span),
          ...headers,
          ...(identity.authorization === undefined ? {} : { authorization: identity.authorization }),
        },
        clock,
        silence: (milliseconds) => new ServerSilentError(`GET ${path}`, milliseconds),
        failure: (error) => toConnectionError(error, config.server),
      });
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      stopListening();
    }
  }

  #closeWith(socket: WebSocketConnection, signal: AbortSignal | undefined): void {
    this.#open.add(socket);
    const stopListening = onAbort(signal, () => socket.terminate(signal?.reason as Error));
    onAbort(socket.closed, () => {
      stopListening();
      this.#open.delete(socket);
    });
  }

  #failureOf(
    error: unknown,
    { request, scope }: { readonly request: WebSocketRequest; readonly scope: AttemptScope },
  ): Error {
    if (request.signal?.aborted === true) {
      return request.signal.reason as Error;
    }
    if (scope.unansweredForMs !== undefined) {
      return new ServerSilentError(`GET ${request.path}`, scope.unansweredForMs);
    }
    return isInstance(error, ScaffoldError) ? error : toConnectionError(error, this.#parts.config.server);
  }
}

function searchOf(query: NonNullable<WebSocketRequest["query"]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of query) parameters.append(name, value);
  return query.length === 0 ? "" : `?${parameters.toString()}`;
}
