/**
 * A cluster of a kubeconfig; paths are absolute.
 *
 * client-go: tools/clientcmd/api.Cluster
 */
export interface KubeconfigCluster {
  /** The URL of the API server. */
  readonly server?: string;
  /** The name that the server's certificate must carry. Default: the host of `server`. */
  readonly "tls-server-name"?: string;
  /** Skips the verification of the server's certificate. Default: false. */
  readonly "insecure-skip-tls-verify"?: boolean;
  /** The path of the CA certificate. */
  readonly "certificate-authority"?: string;
  /** The CA certificate as base64 text. */
  readonly "certificate-authority-data"?: string;
  /** The URL of the proxy. Default: the proxy of the environment variables. */
  readonly "proxy-url"?: string;
  /** Does not ask the server for compressed responses. Default: false, except for loopback addresses. */
  readonly "disable-compression"?: boolean;
  /** Extensions by name, such as the settings of an exec plugin. */
  readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[];
}

/**
 * An exec credential plugin of a kubeconfig.
 *
 * client-go: tools/clientcmd/api.ExecConfig
 */
export interface KubeconfigExec {
  /** The version of the ExecCredential protocol. */
  readonly apiVersion?: string;
  /** The program to run. */
  readonly command?: string;
  /** The arguments of the program. */
  readonly args?: readonly string[] | null;
  /** Additional environment variables of the program. */
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  /** The hint that is printed when the program is missing. */
  readonly installHint?: string;
  /** Passes the cluster to the program. Default: false. */
  readonly provideClusterInfo?: boolean;
  /** `Never`, `IfAvailable`, or `Always`. Default: `IfAvailable` for `v1beta1`, required for `v1`. */
  readonly interactiveMode?: string;
}

/**
 * An authentication provider of a kubeconfig.
 *
 * client-go: tools/clientcmd/api.AuthProviderConfig
 */
export interface KubeconfigAuthProvider {
  /** The name of the provider. */
  readonly name?: string;
  /** The settings of the provider. */
  readonly config?: Readonly<Record<string, string>> | null;
}

/**
 * A user of a kubeconfig; paths are absolute.
 *
 * client-go: tools/clientcmd/api.AuthInfo
 */
export interface KubeconfigUser {
  /** The path of the client certificate. */
  readonly "client-certificate"?: string;
  /** The client certificate as base64 text. */
  readonly "client-certificate-data"?: string;
  /** The path of the client key. */
  readonly "client-key"?: string;
  /** The client key as base64 text. */
  readonly "client-key-data"?: string;
  /** The bearer token. */
  readonly token?: string;
  /** The path of a file with the bearer token; takes precedence over `token`. */
  readonly tokenFile?: string;
  /** The user name of basic authentication. */
  readonly username?: string;
  /** The password of basic authentication. */
  readonly password?: string;
  /** The user to impersonate. */
  readonly as?: string;
  /** The UID to impersonate. */
  readonly "as-uid"?: string;
  /** The groups to impersonate. */
  readonly "as-groups"?: readonly string[];
  /** Additional attributes of the impersonated user. */
  readonly "as-user-extra"?: Readonly<Record<string, readonly string[]>>;
  /** The authentication provider; `oidc` is the only one that Kubernetes still supports. */
  readonly "auth-provider"?: KubeconfigAuthProvider;
  /** The exec credential plugin. */
  readonly exec?: KubeconfigExec;
}

/**
 * A combination of cluster, user, and namespace.
 *
 * client-go: tools/clientcmd/api.Context
 */
export interface KubeconfigContext {
  /** The name of the cluster. */
  readonly cluster?: string;
  /** The name of the user. */
  readonly user?: string;
  /** The default namespace. Default: `default`. */
  readonly namespace?: string;
}
