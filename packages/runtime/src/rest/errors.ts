import { isInstance, messageOf, readableError, rootCauseOf, ScaffoldError } from "@kubescaffold/k8s";

/** The reason why a server did not answer. */
export type ConnectionFailure = "refused" | "unresolved" | "untrusted" | "timeout" | "closed" | "failed";

/**
 * Thrown when the API server cannot be reached, or the connection broke before the response was complete.
 *
 * Fix: Check the server address, network, proxy, and certificate authority; the message states which one failed.
 */
export class ConnectionError extends ScaffoldError {
  readonly code = "CLIENT_UNREACHABLE";
  readonly failure: ConnectionFailure;
  /** What failed, without the server. */
  readonly detail: string;
  readonly server: string;

  constructor(
    server: string,
    options: { readonly failure: ConnectionFailure; readonly detail: string; readonly cause?: unknown },
  ) {
    super(`cannot reach the API server at ${server}: ${options.detail}`, {
      hint: CONNECTION_HINTS[options.failure],
      cause: options.cause,
    });
    this.server = server;
    this.failure = options.failure;
    this.detail = options.detail;
  }
}

const CONNECTION_HINTS: Readonly<Record<ConnectionFailure, string>> = {
  refused: "check that the server runs and that the kubeconfig's server address and port are right",
  unresolved: "check the host name in the kubeconfig's server address, and the DNS of this machine",
  untrusted: "check certificate-authority-data and tls-server-name of the kubeconfig's cluster",
  timeout: "check the network between here and the server, and proxy settings",
  closed: "check the server's log; a proxy or load balancer may have cut the connection",
  failed: "check the kubeconfig's cluster entry, and proxy settings",
};

/**
 * Thrown when the server sent nothing for `idleTimeoutMs` of the rest config, 90 seconds by default: no response, or no further part of its body.
 *
 * Fix: Check the network and proxies between here and the API server, and its load.
 */
export class ServerSilentError extends ScaffoldError {
  readonly code = "CLIENT_SERVER_SILENT";

  constructor(request: string, idleTimeoutMs: number) {
    super(`${request}: the server sent nothing for ${String(idleTimeoutMs / 1000)} s`, {
      hint: "check the network and proxies between here and the API server, and its load",
    });
  }
}

/**
 * Thrown when a request did not complete within `timeoutMs` of the rest config.
 *
 * Fix: Increase `timeoutMs`, or check the load of the API server.
 */
export class RequestTimeoutError extends ScaffoldError {
  readonly code = "CLIENT_TIMEOUT";

  constructor(request: string, timeoutMs: number) {
    super(`${request} got no complete response within ${String(timeoutMs / 1000)} s`, {
      hint: "increase timeoutMs of the rest config, or check the server's load",
    });
  }
}

/**
 * Thrown when a request is sent with a client that was closed, such as the client of a stopped manager.
 *
 * Fix: Stop using the client when the manager's signal aborts, or create another client.
 */
export class ClientClosedError extends ScaffoldError {
  readonly code = "CLIENT_CLOSED";

  constructor(server: string) {
    super(`cannot send a request to ${server}: the client is closed`, {
      hint: "stop using the client when the signal aborts, or create another client",
    });
  }
}

/**
 * Thrown when the response to a successful request is not JSON.
 *
 * Fix: Check that the address is an API server, not a proxy's login page.
 */
export class UnreadableAnswerError extends ScaffoldError {
  readonly code = "CLIENT_UNREADABLE_ANSWER";

  constructor(request: string, options: { readonly body: string; readonly cause?: unknown }) {
    super(`the response to ${request} is not JSON: ${JSON.stringify(options.body.slice(0, 200))}`, {
      hint: "check that the address is an API server, not a proxy's login page",
      cause: options.cause,
    });
  }
}

/**
 * Thrown when the response to a successful request is JSON, but not an object of the requested kind or a list of such objects.
 *
 * Fix: Check that the address is an API server, and its log.
 */
export class UnexpectedAnswerError extends ScaffoldError {
  readonly code = "CLIENT_UNEXPECTED_ANSWER";

  constructor(call: string, detail: string) {
    super(`cannot use the response to ${call}: ${detail}`, {
      hint: "check that the address is an API server, and its log",
    });
  }
}

/**
 * Thrown when a response, or an event of a watch, is longer than any that can be read.
 *
 * Fix: Check that the address is an API server; read long lists in pages, with `limit`.
 */
export class AnswerTooLargeError extends ScaffoldError {
  readonly code = "CLIENT_ANSWER_TOO_LARGE";

  constructor(maxBytes: number) {
    super(`the server sent more than ${String(maxBytes)} bytes`, {
      hint: "check that the address is an API server; read long lists in pages, with limit",
    });
  }
}

/**
 * Thrown when an event of a watch is not JSON, or not an event.
 *
 * Fix: Check proxies between here and the API server, and its log; caches list the objects again by themselves.
 */
export class UnreadableEventError extends ScaffoldError {
  readonly code = "CLIENT_UNREADABLE_EVENT";

  constructor(text: string, options: { readonly cause?: unknown } = {}) {
    super(`cannot read an event of a watch: ${JSON.stringify(text.slice(0, 200))}`, {
      hint: "check proxies between here and the API server, and its log",
      ...options,
    });
  }
}

/**
 * Thrown when the credential plugin of the kubeconfig is missing, failed, or printed invalid output.
 *
 * Fix: Run the program by hand; the message contains its output.
 */
export class ExecCredentialError extends ScaffoldError {
  readonly code = "CLIENT_EXEC_CREDENTIAL";

  constructor(
    command: string,
    options: { readonly detail: string; readonly hint?: string | undefined; readonly cause?: unknown },
  ) {
    super(`cannot get credentials from ${command}: ${options.detail}`, { hint: options.hint, cause: options.cause });
  }
}

/**
 * Thrown when the ID token of an OpenID Connect user expired, and cannot be refreshed.
 *
 * Fix: Log in again with the program that wrote the tokens, or check the issuer; the message contains its answer.
 */
export class OidcError extends ScaffoldError {
  readonly code = "CLIENT_OIDC";
  /** The error code of the token endpoint, such as `invalid_grant`. */
  readonly reason: string | undefined;

  constructor(
    issuer: string,
    options: { readonly detail: string; readonly reason?: string | undefined; readonly cause?: unknown },
  ) {
    super(`cannot get an ID token from ${issuer}: ${options.detail}`, {
      hint: "log in again with the program that wrote the tokens, or check the issuer",
      cause: options.cause,
    });
    this.reason = options.reason;
  }
}

/**
 * Thrown when a token file is missing or empty.
 *
 * Fix: Check `tokenFile` of the kubeconfig's user, or the service account volume of the Pod.
 */
export class TokenFileError extends ScaffoldError {
  readonly code = "CLIENT_TOKEN_FILE";

  constructor(path: string, options: { readonly detail: string; readonly cause?: unknown }) {
    super(`cannot read the token from ${path}: ${options.detail}`, {
      hint: "check tokenFile of the kubeconfig's user, or the pod's service account volume",
      cause: options.cause,
    });
  }
}

/**
 * Thrown when a stream such as exec or port-forward cannot be opened through the transport or the proxy of the rest config.
 *
 * Fix: Use a config with an address, or with a transport that has `connect`, and an HTTP proxy or none.
 */
export class StreamUnsupportedError extends ScaffoldError {
  readonly code = "CLIENT_STREAM_UNSUPPORTED";

  constructor(detail: string) {
    super(`cannot open a stream: ${detail}`, {
      hint: "use a rest config with an address, or with a transport that has connect, and an HTTP proxy or none",
    });
  }
}

/**
 * Thrown when a rest config is invalid, typically its server address.
 *
 * Fix: Set the address to `https://host:port`.
 */
export class InvalidRestConfigError extends ScaffoldError {
  readonly code = "CLIENT_INVALID_CONFIG";

  constructor(detail: string, options: { readonly cause?: unknown } = {}) {
    super(`cannot use the rest config: ${detail}`, options);
  }
}

/** Converts an error of the transport into a {@link ConnectionError} with the cause of the failure. */
export function toConnectionError(error: unknown, server: string): ConnectionError {
  if (isInstance(error, ConnectionError)) {
    return error;
  }
  // Fetch wraps the reason as a cause, and a host with several addresses causes one error for each.
  const root = readableError(rootCauseOf(error));
  const systemCode = codeOf(root);
  const failure = failureOf(systemCode);
  return new ConnectionError(server, { failure, detail: detailOf(root, { systemCode, failure }), cause: error });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "";
}

const FAILURES: Readonly<Record<string, ConnectionFailure>> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "unresolved",
  EAI_AGAIN: "unresolved",
  ETIMEDOUT: "timeout",
  EHOSTUNREACH: "timeout",
  ENETUNREACH: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  ECONNRESET: "closed",
  EPIPE: "closed",
  UND_ERR_SOCKET: "closed",
  UND_ERR_ABORTED: "closed",
  ERR_STREAM_PREMATURE_CLOSE: "closed",
  // A compressed body that ends early.
  Z_BUF_ERROR: "closed",
};

function failureOf(systemCode: string): ConnectionFailure {
  const isCertificate =
    /CERT|SIGNATURE|ISSUER|^ERR_TLS_/u.test(systemCode) && !/BAD_CERT|CERTIFICATE_REQUIRED/u.test(systemCode);
  return FAILURES[systemCode] ?? (isCertificate ? "untrusted" : "failed");
}

const DETAILS: Readonly<Record<ConnectionFailure, string>> = {
  refused: "connection refused",
  unresolved: "the host name does not resolve",
  untrusted: "its certificate is not trusted",
  timeout: "the connection timed out",
  closed: "the connection was closed before the response was complete",
  failed: "the connection failed",
};

function detailOf(
  root: unknown,
  { systemCode, failure }: { readonly systemCode: string; readonly failure: ConnectionFailure },
): string {
  const reason = messageOf(root);
  const needsReason = failure === "untrusted" || failure === "failed";
  const suffix = needsReason ? `: ${reason}` : "";
  return systemCode === "" ? `${DETAILS[failure]}${suffix}` : `${DETAILS[failure]} (${systemCode})${suffix}`;
}
