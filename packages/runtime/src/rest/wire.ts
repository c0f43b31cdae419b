/** One HTTP request as it goes out. */
export interface WireRequest {
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  readonly headers: WireHeaders;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  /** Streams get connections of their own, so that they never keep a request waiting. */
  readonly isStream: boolean;
}

/** Header names in lower case; a header with several values keeps them apart. */
export type WireHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The head of an answer; its body must be read or discarded. */
export interface WireResponse {
  readonly status: number;
  /** Returns the value of a header, several joined with commas, or undefined. */
  header(name: string): string | undefined;
  /** Reads the whole body. */
  text(): Promise<string>;
  /** Reads the body piece by piece, no faster than it is taken. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Gives the body up and frees the connection. */
  discard(): Promise<void>;
}

/** A client certificate with its key, as PEM text. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Reports whether two client certificates are the same pair of certificate and key. */
export function isSameCertificate(left: ClientCertificate | undefined, right: ClientCertificate | undefined): boolean {
  return left?.cert === right?.cert && left?.key === right?.key;
}

/** Carries requests to one server. */
export interface Sender {
  send(request: WireRequest): Promise<WireResponse>;
  /** Ends streams, and the connections of requests once these are answered. */
  retire(): Promise<void>;
  /** Closes all connections; what is under way fails. */
  close(): Promise<void>;
}
