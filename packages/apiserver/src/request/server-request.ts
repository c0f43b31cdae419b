import type { Duplex } from "node:stream";

import type { JoinedText } from "./joined-text.ts";

/** The client certificate of a TLS connection. */
export interface ClientCertificate {
  /** The user name. */
  readonly commonName: string;
  /** The groups of the user. */
  readonly organizations: readonly string[];
  /** Whether it was issued by the authority that the server trusts. */
  readonly isVerified: boolean;
}

/** A request as the server handles it, whether it came through a socket or in the process. */
export interface ServerRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, percent-decoded per segment only where it is split. */
  readonly path: string;
  /** The query parameters. */
  readonly query: URLSearchParams;
  /** The path and query as the client sent them; absent where they are not known. */
  readonly target?: string;
  /** Returns a header by its lower-case name; several values are joined by a comma. */
  header(name: string): string | undefined;
  /** Returns the values of a header that may repeat, by its lower-case name; a comma in a value does not split it where the request came through a socket. */
  headerValues(name: string): readonly string[];
  /** Returns all header names, in lower case. */
  headerNames(): readonly string[];
  /** Reads the whole body as text; fails with a 413 status beyond the limit. */
  body(): Promise<string>;
  /** Reads the whole body as bytes; fails like {@link ServerRequest.body}. */
  bytes(): Promise<Uint8Array>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Reports whether the client has disconnected. */
  isAborted(): boolean;
  /** The certificate of the client, if it sent one. */
  readonly clientCertificate?: ClientCertificate;
  /** Whether the connection can become a WebSocket, or another protocol's. */
  readonly canUpgrade?: boolean;
  /** The address of the client; absent for requests in the process. */
  readonly remoteAddress?: string | undefined;
  /** Host names of the socket besides loopback names and IP addresses; absent for requests in the process, which no browser sends. */
  readonly hostNames?: ReadonlySet<string>;
}

/** Sends the parts of a streamed answer; the connection closes when `done` is called. */
export interface ResponseSink {
  write(chunk: string | Uint8Array): void;
  /** Bytes that were written and not yet taken by the client. */
  readonly pendingBytes: number;
  /** Resolves when the client has taken most of what was written, or has gone away. */
  drained(): Promise<void>;
  done(): void;
}

/** A streamed response body: a watch, or a log. */
export interface StreamBody {
  /** Begins to write; called once, after the headers have gone out. The signal aborts when the client has gone away. */
  start(sink: ResponseSink, signal: AbortSignal): void;
}

/** A WebSocket. */
export interface MessageSocket {
  /** Yields the messages no faster than they are consumed, until the connection is closed. */
  messages(): AsyncIterable<Buffer>;
  /** Resolves when the message has been written: a text as such, bytes as a binary message. Fails: when the connection is closed. */
  send(message: string | Uint8Array): Promise<void>;
  /** Aborts when the connection is closed. */
  readonly closed: AbortSignal;
  close(code: number): void;
}

/** The acceptance of a WebSocket. */
export interface UpgradeBody {
  /** The chosen subprotocol, if there is one. */
  readonly protocol: string | undefined;
  /** Serves the connection; called once, after the handshake. */
  open(socket: MessageSocket): void;
}

/** The connection of a request to upgrade it, which another server answers. */
export interface TunnelBody {
  /** Serves the connection, from the first byte of the response on; `head` is what the client has sent after its request. */
  tunnel(socket: Duplex, head: Buffer): void;
}

/** An answer, before it is written to a socket or turned into a web `Response`. */
export interface ServerResponse {
  /** Returns the JSON of an object whose body has another form. */
  readonly json?: () => string;
  /** Whether this object is a Status; absent if its JSON costs nothing. */
  readonly isStatus?: boolean;
  readonly code: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A WebSocket, or a tunnel, only for a request with `canUpgrade`, and with the code 101. */
  readonly body: string | JoinedText | Uint8Array | StreamBody | UpgradeBody | TunnelBody;
}

/** Returns the status of another server as this one can send it: a program behind a proxy may answer with any three digits, and those below 200 end no response. */
export function servableStatus(status: number | undefined): number {
  return status !== undefined && status >= 200 && status <= 999 ? status : 502;
}
