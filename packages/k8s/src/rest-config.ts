import type { Duplex } from "node:stream";

/** Sends a request to a server and returns its response; that of the embedded API server needs no socket. */
export interface Transport {
  /** Sends a web request. */
  (request: Request): Promise<Response>;
  /** Does the same with plain values, which cost a fraction of the Fetch API's; clients prefer it. A transport that wraps another one need not have it. */
  readonly exchange?: Exchange;
}

/** Sends a plain request within the process. */
export type Exchange = (request: PlainRequest) => Promise<PlainResponse>;

/** A request within the process, as plain values. */
export interface PlainRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path and query below the server's address. */
  readonly path: string;
  /** The headers, with names in lower case; multiple values are separate. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body as text. */
  readonly body: string | undefined;
  /** Ends the request when it aborts; may be created when it is read first. */
  readonly signal: AbortSignal;
  /** Reports whether the signal has aborted, without creating it. Default: the signal tells. */
  readonly isAborted?: () => boolean;
}

/** A response within the process, as plain values. */
export interface PlainResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, with names in lower case; multiple values are separate. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The whole body, or a stream of it; ending the iteration early cancels it. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/** TLS settings: the CA certificates of the server, and the client certificate. All values are PEM. */
export interface TlsConfig {
  /** Certificates of the authorities that the server is verified with. */
  readonly ca?: string;
  /** The client certificate. */
  readonly cert?: string;
  /** The private key of the client certificate. */
  readonly key?: string;
  /** The file of `ca`, which clients read again every minute. */
  readonly caFile?: string;
  /** The file of `cert`, which clients read again every minute. */
  readonly certFile?: string;
  /** The file of `key`, which clients read again every minute. */
  readonly keyFile?: string;
  /** Checked against the server's certificate in place of the host name. */
  readonly serverName?: string;
  /** Whether the server certificate is not verified. */
  readonly insecureSkipTlsVerify?: boolean;
}

/** A program that prints credentials, of the `client.authentication.k8s.io` protocol. */
export interface ExecCredentialConfig {
  /** The version of the protocol, such as `client.authentication.k8s.io/v1`. */
  readonly apiVersion: string;
  /** The program to run. */
  readonly command: string;
  /** The arguments of the program. */
  readonly args: readonly string[];
  /** Environment variables that are set in addition to those of the process. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** The text that is shown if the program is missing. */
  readonly installHint?: string;
  /** Whether the program receives the cluster in `KUBERNETES_EXEC_INFO`. */
  readonly provideClusterInfo: boolean;
  /** Whether the program needs standard input. */
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** The cluster's `client.authentication.k8s.io/exec` extension, handed to the program. */
  readonly clusterConfig?: unknown;
}

/** Tokens of an OpenID Connect issuer, which clients refresh before they expire. */
export interface OidcConfig {
  /** The URL of the issuer, whose discovery document names the token endpoint. */
  readonly issuerUrl: string;
  /** The ID of the client. */
  readonly clientId: string;
  /** The secret of the client. Default: none, as public clients. */
  readonly clientSecret?: string;
  /** The current ID token. Default: none, the first request refreshes. */
  readonly idToken?: string;
  /** The refresh token. Default: none, the ID token is used until it expires. */
  readonly refreshToken?: string;
  /** Certificates of the authorities that the issuer is verified with, as PEM. Default: those of Node.js. */
  readonly ca?: string;
  /** The kubeconfig user whose tokens are read again and updated. Default: none, refreshed tokens are only in memory. */
  readonly storage?: {
    /** The kubeconfig files, the one that takes precedence first. */
    readonly files: readonly string[];
    /** The name of the user. */
    readonly user: string;
  };
}

/** The credentials of a client, other than a client certificate in {@link TlsConfig}. */
export type Credentials =
  | { readonly kind: "anonymous" }
  | { readonly kind: "token"; readonly token: string }
  /** A token in a file, read again about once a minute. */
  | { readonly kind: "token-file"; readonly path: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | { readonly kind: "exec"; readonly exec: ExecCredentialConfig }
  | { readonly kind: "oidc"; readonly oidc: OidcConfig };

/** The user on whose behalf requests are made. */
export interface Impersonation {
  /** The name of the user. */
  readonly userName: string;
  /** The uid of the user. */
  readonly uid?: string;
  /** The groups of the user. */
  readonly groups?: readonly string[];
  /** Extra fields of the user. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The connection settings of an API server: plain data, and an optional transport.
 *
 * The runtime takes it, the embedded API server and envtest give it.
 */
export interface RestConfig {
  /** The base URL, with an optional path prefix and without a trailing slash. */
  readonly server: string;
  /** Certificates and verification. */
  readonly tls?: TlsConfig;
  /** The credentials of the client; anonymous if absent. */
  readonly credentials?: Credentials;
  /** The user to impersonate. */
  readonly impersonate?: Impersonation;
  /** The user that a program authenticated itself: it becomes the `X-Remote-*` headers, which a server accepts only with the client certificate of an authenticating proxy. */
  readonly authProxyUser?: Impersonation;
  /** The `User-Agent` header. */
  readonly userAgent?: string;
  /** The URL of the proxy. */
  readonly proxyUrl?: string;
  /**
   * Does not ask for responses in gzip, which an API server compresses from 128 KiB on; watches are never compressed. Default: only for loopback
   * addresses, where it costs more CPU time than it saves.
   */
  readonly disableCompression?: boolean;
  /** Timeout in milliseconds of requests other than watches. Default: 0, which means no timeout. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds without a byte from the server after which a request fails: before its response, and within its body; for a watch, only before its
   * response. 0 disables it. Default: 90000, more than the 60 seconds after which API servers end requests themselves.
   */
  readonly idleTimeoutMs?: number;
  /** The client-side limit of requests per second. Default: no limit, like a negative value. */
  readonly qps?: number;
  /** The number of requests that may exceed {@link RestConfig.qps} at once. */
  readonly burst?: number;
  /** Replaces sockets; the credentials above still become headers. */
  readonly transport?: Transport;
  /** Opens a connection of bytes that speaks HTTP/1.1, for WebSockets. Without it, a config with `transport` cannot open them. */
  readonly connect?: () => Promise<Duplex>;
}
