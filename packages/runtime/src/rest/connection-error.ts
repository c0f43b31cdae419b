import { ConnectionError, type ConnectionFailure } from "./errors.ts";

/** Explains why a request or a stream broke: turns whatever the transport threw into a {@link ConnectionError}. */
export function toConnectionError(error: unknown, server: string): ConnectionError {
  if (error instanceof ConnectionError) {
    return error;
  }
  const root = rootOf(error);
  const systemCode = codeOf(root);
  const failure = failureOf(systemCode);
  return new ConnectionError(server, { failure, detail: detailOf(root, { systemCode, failure }), cause: error });
}

// Fetch wraps the reason as a cause, and a host with several addresses gives one error for each.
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return rootOf(error.errors[0]);
  }
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
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
  timeout: "no connection in time",
  closed: "the connection was closed before the answer was complete",
  failed: "the connection failed",
};

function detailOf(
  root: unknown,
  { systemCode, failure }: { readonly systemCode: string; readonly failure: ConnectionFailure },
): string {
  const reason = root instanceof Error ? root.message : String(root);
  const needsReason = failure === "untrusted" || failure === "failed";
  const suffix = needsReason ? `: ${reason}` : "";
  return systemCode === "" ? `${DETAILS[failure]}${suffix}` : `${DETAILS[failure]} (${systemCode})${suffix}`;
}
