/** A flag of a plugin's command, as data. */
export interface PluginFlag {
  /** The name without dashes, such as `since`. */
  readonly name: string;
  /** A letter for the short form, such as `s`. Default: none. */
  readonly short?: string;
  /** A text, a switch, or texts of which each is given with the flag. */
  readonly kind: "string" | "boolean" | "list";
  /** An imperative fragment for the help. */
  readonly help: string;
  /** The values that completion offers. Default: none, any text is accepted. */
  readonly values?: readonly string[];
}

/** The values of a command's flags; a flag that was not given is undefined. */
export type PluginFlagValues<Flags extends readonly PluginFlag[]> = {
  readonly [Each in Flags[number] as Each["name"]]: ValuesByKind[Each["kind"]] | undefined;
};

interface ValuesByKind {
  readonly string: string;
  readonly boolean: boolean;
  readonly list: readonly string[];
}

/** The flags of kubectl that select a cluster; all commands have them. */
export const CLUSTER_FLAGS: readonly PluginFlag[] = [
  { name: "kubeconfig", kind: "string", help: "path of the kubeconfig" },
  { name: "context", kind: "string", help: "context of the kubeconfig" },
  { name: "cluster", kind: "string", help: "cluster of the kubeconfig, in place of the context's" },
  { name: "user", kind: "string", help: "user of the kubeconfig, in place of the context's" },
  { name: "namespace", short: "n", kind: "string", help: "namespace of the request (default: the context's)" },
  { name: "server", short: "s", kind: "string", help: "address of the API server" },
  { name: "token", kind: "string", help: "bearer token" },
  { name: "as", kind: "string", help: "user to impersonate" },
  { name: "as-group", kind: "list", help: "group to impersonate; can be repeated" },
  { name: "as-uid", kind: "string", help: "UID to impersonate" },
  { name: "certificate-authority", kind: "string", help: "path of the certificates of the server's authority" },
  { name: "client-certificate", kind: "string", help: "path of the client certificate" },
  { name: "client-key", kind: "string", help: "path of the key of the client certificate" },
  { name: "insecure-skip-tls-verify", kind: "boolean", help: "do not verify the server's certificate" },
  { name: "tls-server-name", kind: "string", help: "name that the server's certificate must carry" },
  {
    name: "request-timeout",
    kind: "string",
    help: "time limit of a request, such as 1s, 2m, or 3h; 0 for none (default: none)",
  },
];

/** The flags of commands that list objects. */
export const SELECTION_FLAGS: readonly PluginFlag[] = [
  { name: "all-namespaces", short: "A", kind: "boolean", help: "list the objects of all namespaces" },
  { name: "selector", short: "l", kind: "string", help: "label selector, such as -l key1=value1,key2!=value2" },
];

/** The flags of commands that print objects. */
export const OUTPUT_FLAGS: readonly PluginFlag[] = [
  {
    name: "output",
    short: "o",
    kind: "string",
    help: "output format: json, yaml, name, wide, jsonpath=…, or custom-columns=… (default: a table)",
    values: ["custom-columns=", "json", "jsonpath=", "name", "wide", "yaml"],
  },
  { name: "no-headers", kind: "boolean", help: "omit the headers of tables" },
];

/** The values of kubectl's flags; a flag that was not given, or that the command does not have, is undefined. */
export interface KubectlFlags {
  /** The path of the kubeconfig. */
  readonly kubeconfig?: string | undefined;
  /** The context of the kubeconfig. */
  readonly context?: string | undefined;
  /** The cluster of the kubeconfig. */
  readonly cluster?: string | undefined;
  /** The user of the kubeconfig. */
  readonly user?: string | undefined;
  /** The namespace. */
  readonly namespace?: string | undefined;
  /** The address of the server. */
  readonly server?: string | undefined;
  /** The bearer token. */
  readonly token?: string | undefined;
  /** The user to impersonate. */
  readonly as?: string | undefined;
  /** The groups to impersonate. */
  readonly "as-group"?: readonly string[] | undefined;
  /** The UID to impersonate. */
  readonly "as-uid"?: string | undefined;
  /** The path of the certificates of the server's authority. */
  readonly "certificate-authority"?: string | undefined;
  /** The path of the client certificate. */
  readonly "client-certificate"?: string | undefined;
  /** The path of the key of the client certificate. */
  readonly "client-key"?: string | undefined;
  /** Whether the server's certificate is not verified. */
  readonly "insecure-skip-tls-verify"?: boolean | undefined;
  /** The name that the server's certificate must carry. */
  readonly "tls-server-name"?: string | undefined;
  /** The time limit of a request. */
  readonly "request-timeout"?: string | undefined;
  /** Whether the objects of all namespaces are listed. */
  readonly "all-namespaces"?: boolean | undefined;
  /** The label selector. */
  readonly selector?: string | undefined;
  /** The output format. */
  readonly output?: string | undefined;
  /** Whether tables have no headers. */
  readonly "no-headers"?: boolean | undefined;
}
