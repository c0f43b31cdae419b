/** Carries a web request to a server and returns its answer; the embedded API server offers one that needs no socket. */
export type Transport = (request: Request) => Promise<Response>;

/** What is needed to trust a server and, with a client certificate, to be known by it. All values are PEM text. */
export interface TlsConfig {
  /** Certificates of the authorities that the server is verified with. */
  readonly ca?: string;
  /** The client certificate. */
  readonly cert?: string;
  /** The private key of the client certificate. */
  readonly key?: string;
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
 * Describes how to reach an API server: plain data, plus an optional transport.
 *
 * The runtime takes it, the embedded API server and envtest give it.
 */
export interface RestConfig {
  /** The base URL, with a path prefix where there is one and no final slash. */
  readonly server: string;
  /** Certificates and verification. */
  readonly tls?: TlsConfig;
  /** The credentials of the client; anonymous if absent. */
  readonly credentials?: Credentials;
  /** The user to impersonate. */
  readonly impersonate?: Impersonation;
  /** The `User-Agent` header. */
  readonly userAgent?: string;
  /** The URL of the proxy. */
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
