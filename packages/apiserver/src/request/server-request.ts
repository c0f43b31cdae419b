/** The client certificate of a TLS connection. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Whether it was issued by the authority that the server trusts. */
  readonly isVerified: boolean;
}

/** A request as the server handles it, whether it came through a socket or in the process. */
export interface ServerRequest {
  readonly method: string;
  /** The path, percent-decoded per segment only where it is split. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Returns a header by its lower-case name; several values are joined by a comma. */
  header(name: string): string | undefined;
  /** Returns the values of a header that may repeat, by its lower-case name; a comma in a value does not split it where the request came through a socket. */
  headerValues(name: string): readonly string[];
  /** Returns all header names, in lower case. */
  headerNames(): readonly string[];
  /** Reads the whole body; fails with a 413 status beyond the limit. */
  body(): Promise<string>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly clientCertificate?: ClientCertificate;
  /** Host names of the socket besides loopback names and IP addresses; absent for requests in the process, which no browser sends. */
  readonly hostNames?: ReadonlySet<string>;
}

/** Sends the parts of a streamed answer; the connection closes when `done` is called. */
export interface ResponseSink {
  write(chunk: string): void;
  /** Bytes that were written and not yet taken by the client. */
  readonly pendingBytes: number;
  done(): void;
}

/** A streamed response body: a watch. */
export interface StreamBody {
  /** Begins to write; called once, after the headers have gone out. The signal aborts when the client has gone away. */
  start(sink: ResponseSink, signal: AbortSignal): void;
}

/** An answer, before it is written to a socket or turned into a web `Response`. */
export interface ServerResponse {
  readonly code: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | StreamBody;
}
