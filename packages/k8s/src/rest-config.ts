/** Carries a web request to a server and returns its answer; the embedded API server offers one that needs no socket. */
export type Transport = (request: Request) => Promise<Response>;

/** What is needed to trust a server and, with a client certificate, to be known by it. All values are PEM text. */
export interface TlsConfig {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Checked against the server's certificate in place of the host name. */
  readonly serverName?: string;
  readonly insecureSkipTlsVerify?: boolean;
}

/** A program that prints credentials, of the `client.authentication.k8s.io` protocol. */
export interface ExecCredentialConfig {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** The cluster's `client.authentication.k8s.io/exec` extension, handed to the program. */
  readonly clusterConfig?: unknown;
}

/** How a client says who it is, beside a client certificate of {@link TlsConfig}. */
export type Credentials =
  | { readonly kind: "anonymous" }
  | { readonly kind: "token"; readonly token: string }
  /** A token in a file, read again about once a minute. */
  | { readonly kind: "token-file"; readonly path: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | { readonly kind: "exec"; readonly exec: ExecCredentialConfig };

/** The user on whose behalf requests are made. */
export interface Impersonation {
  readonly userName: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Says how to reach an API server: plain data, plus an optional transport.
 *
 * The runtime takes it, the embedded API server and envtest give it.
 */
export interface RestConfig {
  /** The base URL, with a path prefix where there is one and no final slash. */
  readonly server: string;
  readonly tls?: TlsConfig;
  readonly credentials?: Credentials;
  readonly impersonate?: Impersonation;
  readonly userAgent?: string;
  readonly proxyUrl?: string;
  /** Milliseconds before a request that is not a watch is given up; 0 or absent waits for ever. */
  readonly timeoutMs?: number;
  /** Client-side requests per second; absent or negative means no limit of ours. */
  readonly qps?: number;
  /** Requests above {@link RestConfig.qps} that may go at once. */
  readonly burst?: number;
  /** Replaces sockets; the credentials above still become headers. */
  readonly transport?: Transport;
}
