import type { Abortable } from "@kubescaffold/platform/clock";

/** An outgoing HTTP request. */
export interface WireRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path and query below the server's address. */
  readonly path: string;
  /** The request headers. */
  readonly headers: WireHeaders;
  /** The body as text. */
  readonly body: string | undefined;
  /** Closes the connection when it aborts. */
  readonly signal: Abortable;
  /** How the response is read. */
  readonly reading: Reading;
  /** Called when the request has a connection, before its first byte; the request fails with what it throws. Only for responses read as a whole. */
  readonly beforeSend?: () => void;
  /** Milliseconds without a byte of the body after which the connection is closed; 0 for no limit. */
  readonly bodyTimeoutMs: number;
}

/**
 * How a response is read: at once with `text`, piece by piece with `chunks`, or as a `stream` that may never end and has a
 * connection of its own, so that it never blocks a request. A failure is always read with `text`.
 */
export type Reading = "whole" | "pieces" | "stream";

/** Header names in lower case; multiple values are separate. */
export type WireHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The head of a response; its body must be read or discarded. */
export interface WireResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Returns the value of a header, multiple ones joined with commas, or undefined. */
  header(name: string): string | undefined;
  /** Returns all headers, for logs. */
  headers(): WireHeaders;
  /** Reads the whole body. */
  text(): Promise<string>;
  /** Reads the body chunk by chunk, no faster than the consumer. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Discards the body and frees the connection. */
  discard(): Promise<void>;
}

/** A client certificate with its key, as PEM text. */
export interface ClientCertificate {
  /** The certificate. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}

/** Reports whether two client certificates are the same pair of certificate and key. */
export function isSameCertificate(left: ClientCertificate | undefined, right: ClientCertificate | undefined): boolean {
  return left?.cert === right?.cert && left?.key === right?.key;
}

/** Sends requests to one server. */
export interface Sender {
  /** Sends a request and resolves with the head of the response. */
  send(request: WireRequest): Promise<WireResponse>;
  /** Closes streams immediately, and request connections once their responses are complete. */
  retire(): Promise<void>;
  /** Closes all connections; open requests fail. */
  close(): Promise<void>;
}

/** Returns the query of a request, with its question mark; empty without parameters. */
export function queryOf(query: Readonly<Record<string, string | undefined>> | undefined): string {
  const parameters = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters).toString()}`;
}

/** Returns a request as errors name it. */
export function describeRequest({ method, path }: Pick<WireRequest, "method" | "path">): string {
  return `${method} ${path}`;
}
