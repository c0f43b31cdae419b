import { readFile } from "node:fs/promises";

import type {
  Credentials,
  ExecCredentialConfig,
  Impersonation,
  OidcConfig,
  RestConfig,
  TlsConfig,
} from "@kubescaffold/k8s";

import { OIDC_SETTINGS } from "./auth-provider-config.ts";
import { InvalidKubeconfigError, UnreadableConfigFileError } from "./errors.ts";
import type {
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExec,
  KubeconfigUser,
} from "./kubeconfig-entries.ts";
import type { Kubeconfig } from "./kubeconfig.ts";

/**
 * Builds the rest config of a context of a kubeconfig, by default the current one. Files are read immediately; clients read those of
 * certificates, keys, and tokens again when they may have changed.
 *
 * Credentials are omitted for an `http` server, so that they are never sent unencrypted.
 * Fails: {@link InvalidKubeconfigError} with every missing or contradictory setting.
 *
 * client-go: tools/clientcmd.ClientConfig
 */
export async function restConfigOf(kubeconfig: Kubeconfig, contextName: string = ""): Promise<RestConfig> {
  const context = findContext(kubeconfig, contextName === "" ? kubeconfig.currentContext : contextName);
  const cluster = kubeconfig.clusters.get(context.cluster ?? "");
  const user = kubeconfig.users.get(context.user ?? "");
  requireValid(kubeconfig, { context, cluster, user });
  const server = serverOf(cluster ?? {});
  const isSecure = server.startsWith("https:");
  const storage = storageOf(kubeconfig, context);
  const credentials = isSecure ? await credentialsOf(user ?? {}, { cluster: cluster ?? {}, storage }) : undefined;
  return compact({
    server,
    tls: isSecure ? await tlsOf(cluster ?? {}, user ?? {}) : undefined,
    credentials,
    impersonate: impersonationOf(user ?? {}),
    proxyUrl: cluster?.["proxy-url"] === "" ? undefined : cluster?.["proxy-url"],
    disableCompression: cluster?.["disable-compression"],
  });
}

// As in client-go, a query and a fragment are dropped.
function serverOf({ server = "" }: KubeconfigCluster): string {
  return (server.split(/[?#]/u, 1)[0] ?? "").replace(/(?<!\/)\/+$/u, "");
}

/** Returns the namespace of a context; `default` if it has none. */
export function namespaceOf(kubeconfig: Kubeconfig, contextName: string = ""): string {
  const context = findContext(kubeconfig, contextName === "" ? kubeconfig.currentContext : contextName);
  return context.namespace === undefined || context.namespace === "" ? "default" : context.namespace;
}

function findContext(kubeconfig: Kubeconfig, name: string): KubeconfigContext {
  if (name === "") {
    throw new InvalidKubeconfigError(kubeconfig.source, {
      detail: "it has no current-context",
      hint: `choose one with kubectl config use-context; ${contextNames(kubeconfig)}`,
    });
  }
  const context = kubeconfig.contexts.get(name);
  if (context === undefined) {
    throw new InvalidKubeconfigError(kubeconfig.source, {
      detail: `it has no context ${JSON.stringify(name)}`,
      hint: contextNames(kubeconfig),
    });
  }
  return context;
}

function contextNames({ contexts }: Kubeconfig): string {
  return `available contexts: ${[...contexts.keys()].toSorted().join(", ") || "none"}`;
}

interface Selected {
  readonly context: KubeconfigContext;
  readonly cluster: KubeconfigCluster | undefined;
  readonly user: KubeconfigUser | undefined;
}

function requireValid(kubeconfig: Kubeconfig, selected: Selected): void {
  const problems = [...clusterProblems(selected), ...userProblems(selected)];
  if (problems.length > 0) {
    throw new InvalidKubeconfigError(kubeconfig.source, { detail: problems.join("; ") });
  }
}

function clusterProblems({ context, cluster }: Selected): readonly string[] {
  const name = JSON.stringify(context.cluster ?? "");
  if (cluster === undefined) {
    return [isBlank(context.cluster) ? "the context names no cluster" : `there is no cluster ${name}`];
  }
  const { server = "", "proxy-url": proxy } = cluster;
  return [
    ...(server === "" ? [`the cluster ${name} has no server`] : []),
    ...(server !== "" && !isAddress(server, ["http:", "https:"])
      ? [`the server ${JSON.stringify(server)} of the cluster ${name} is not an address such as https://host:6443`]
      : []),
    ...(!isBlank(proxy) && !isAddress(proxy ?? "", ["http:", "https:", "socks5:"])
      ? [`proxy-url ${JSON.stringify(proxy)} of the cluster ${name} is not an http, https or socks5 address`]
      : []),
    ...bothSet(cluster, ["certificate-authority", "certificate-authority-data"], `the cluster ${name}`),
    ...(cluster["insecure-skip-tls-verify"] === true &&
    !(isBlank(cluster["certificate-authority"]) && isBlank(cluster["certificate-authority-data"]))
      ? [`the cluster ${name} has both insecure-skip-tls-verify and a certificate authority`]
      : []),
  ];
}

function userProblems({ context, user }: Selected): readonly string[] {
  const name = JSON.stringify(context.user ?? "");
  if (user === undefined) {
    return isBlank(context.user) ? [] : [`there is no user ${name}`];
  }
  return [
    ...certificateProblems(user, name),
    ...(isAbsent(user["auth-provider"]) ? [] : authProviderProblems(user["auth-provider"], name)),
    ...(!isAbsent(user["auth-provider"]) && !isAbsent(user.exec)
      ? [`the user ${name} has both an auth-provider and exec`]
      : []),
    ...(isAbsent(user.exec) ? [] : execProblems(user.exec, name)),
    ...(!isBlank(user.token) && !(isBlank(user.username) && isBlank(user.password))
      ? [`the user ${name} has both a token and a username or password`]
      : []),
    ...(isBlank(user.as) && hasImpersonationDetails(user)
      ? [`the user ${name} has as-uid, as-groups, or as-user-extra without as`]
      : []),
  ];
}

function hasImpersonationDetails({
  "as-uid": uid,
  "as-groups": groups,
  "as-user-extra": extra,
}: KubeconfigUser): boolean {
  return !isBlank(uid) || (groups ?? []).length > 0 || Object.keys(extra ?? {}).length > 0;
}

function certificateProblems(user: KubeconfigUser, name: string): readonly string[] {
  const hasCertificate = !isBlank(user["client-certificate"]) || !isBlank(user["client-certificate-data"]);
  const hasKey = !isBlank(user["client-key"]) || !isBlank(user["client-key-data"]);
  return [
    ...bothSet(user, ["client-certificate", "client-certificate-data"], `the user ${name}`),
    ...bothSet(user, ["client-key", "client-key-data"], `the user ${name}`),
    ...(hasCertificate && !hasKey ? [`the user ${name} has a client certificate without a key`] : []),
  ];
}

function authProviderProblems(provider: KubeconfigAuthProvider, name: string): readonly string[] {
  if (provider.name !== "oidc") {
    return [
      `the user ${name} has an auth-provider (${provider.name ?? "unnamed"}), ` +
        "which Kubernetes no longer supports; use its exec credential plugin instead",
    ];
  }
  const { config } = provider;
  const missing = [OIDC_SETTINGS.issuerUrl, OIDC_SETTINGS.clientId].filter((setting) => isBlank(config?.[setting]));
  const issuer = config?.[OIDC_SETTINGS.issuerUrl];
  return [
    ...missing.map((setting) => `the auth-provider of the user ${name} has no ${setting}`),
    ...(typeof issuer === "string" && issuer !== "" && !/^https:\/\/[^/]/u.test(issuer)
      ? [`idp-issuer-url ${JSON.stringify(issuer)} of the user ${name} is not an https address`]
      : []),
  ];
}

const INTERACTIVE_MODES = ["Never", "IfAvailable", "Always"];

function execProblems(exec: KubeconfigExec, name: string): readonly string[] {
  const mode = interactiveModeOf(exec);
  return [
    ...(isBlank(exec.command) ? [`exec of the user ${name} has no command`] : []),
    ...(isBlank(exec.apiVersion) ? [`exec of the user ${name} has no apiVersion`] : []),
    ...((exec.env ?? []).some((each) => isBlank(each.name))
      ? [`exec of the user ${name} has an environment variable without a name`]
      : []),
    ...(INTERACTIVE_MODES.includes(mode)
      ? []
      : [
          `exec of the user ${name} needs interactiveMode: Never, IfAvailable, or Always${mode === "" ? "" : `, not ${JSON.stringify(mode)}`}`,
        ]),
  ];
}

// `v1beta1` has a default, `v1` requires the field.
function interactiveModeOf(exec: KubeconfigExec): string {
  const fallback = exec.apiVersion === "client.authentication.k8s.io/v1" ? "" : "IfAvailable";
  return isBlank(exec.interactiveMode) ? fallback : (exec.interactiveMode ?? "");
}

function bothSet<V extends object>(
  value: V,
  fields: readonly [keyof V & string, keyof V & string],
  owner: string,
): string[] {
  return fields.every((field) => !isBlank(value[field] as string | undefined))
    ? [`${owner} has both ${fields[0]} and ${fields[1]}`]
    : [];
}

async function tlsOf(cluster: KubeconfigCluster, user: KubeconfigUser): Promise<TlsConfig | undefined> {
  const tls = compact<TlsConfig>({
    ca: await pemOf(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    cert: await pemOf(user["client-certificate-data"], user["client-certificate"]),
    key: await pemOf(user["client-key-data"], user["client-key"]),
    caFile: fileOf(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    certFile: fileOf(user["client-certificate-data"], user["client-certificate"]),
    keyFile: fileOf(user["client-key-data"], user["client-key"]),
    serverName: isBlank(cluster["tls-server-name"]) ? undefined : cluster["tls-server-name"],
    insecureSkipTlsVerify: cluster["insecure-skip-tls-verify"] === true ? true : undefined,
  });
  return Object.keys(tls).length === 0 ? undefined : tls;
}

// The data takes precedence, and never changes.
function fileOf(data: string | undefined, file: string | undefined): string | undefined {
  return isBlank(data) && !isBlank(file) ? file : undefined;
}

async function pemOf(data: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (data !== undefined && data !== "") {
    return Buffer.from(data, "base64").toString("utf8");
  }
  return file === undefined || file === "" ? undefined : readConfigFile(file, "the certificate or key");
}

interface CredentialContext {
  readonly cluster: KubeconfigCluster;
  readonly storage: OidcConfig["storage"];
}

async function credentialsOf(
  user: KubeconfigUser,
  { cluster, storage }: CredentialContext,
): Promise<Credentials | undefined> {
  if (!isBlank(user.tokenFile)) {
    return { kind: "token-file", path: user.tokenFile ?? "" };
  }
  if (!isBlank(user.token)) {
    return { kind: "token", token: user.token ?? "" };
  }
  if (!isBlank(user.username) || !isBlank(user.password)) {
    return { kind: "basic", username: user.username ?? "", password: user.password ?? "" };
  }
  if (!isAbsent(user["auth-provider"])) {
    return { kind: "oidc", oidc: await oidcOf(user["auth-provider"].config ?? {}, storage) };
  }
  return isAbsent(user.exec) ? undefined : { kind: "exec", exec: execOf(user.exec, cluster) };
}

// Tokens that were not read from files cannot be stored.
function storageOf({ files = [] }: Kubeconfig, { user = "" }: KubeconfigContext): OidcConfig["storage"] {
  return files.length === 0 ? undefined : { files, user };
}

async function oidcOf(config: Readonly<Record<string, string>>, storage: OidcConfig["storage"]): Promise<OidcConfig> {
  const setting = (name: string): string | undefined => (isBlank(config[name]) ? undefined : config[name]);
  return compact<OidcConfig>({
    issuerUrl: config[OIDC_SETTINGS.issuerUrl] ?? "",
    clientId: config[OIDC_SETTINGS.clientId] ?? "",
    clientSecret: setting(OIDC_SETTINGS.clientSecret),
    idToken: setting(OIDC_SETTINGS.idToken),
    refreshToken: setting(OIDC_SETTINGS.refreshToken),
    ca: await pemOf(config["idp-certificate-authority-data"], config["idp-certificate-authority"]),
    storage,
  });
}

const EXEC_EXTENSION = "client.authentication.k8s.io/exec";

function execOf(exec: KubeconfigExec, cluster: KubeconfigCluster): ExecCredentialConfig {
  const clusterConfig = cluster.extensions?.find(({ name }) => name === EXEC_EXTENSION)?.extension;
  return {
    apiVersion: exec.apiVersion ?? "",
    command: exec.command ?? "",
    args: exec.args ?? [],
    env: exec.env ?? [],
    ...(isBlank(exec.installHint) ? {} : { installHint: exec.installHint ?? "" }),
    provideClusterInfo: exec.provideClusterInfo ?? false,
    interactiveMode: interactiveModeOf(exec) as ExecCredentialConfig["interactiveMode"],
    ...(clusterConfig === undefined ? {} : { clusterConfig }),
  };
}

function impersonationOf(user: KubeconfigUser): Impersonation | undefined {
  if (isBlank(user.as)) {
    return undefined;
  }
  return compact<Impersonation>({
    userName: user.as ?? "",
    uid: isBlank(user["as-uid"]) ? undefined : user["as-uid"],
    groups: user["as-groups"],
    extra: user["as-user-extra"],
  });
}

// `new URL` reads https:host as https://host.
function isAddress(text: string, schemes: readonly string[]): boolean {
  return /^[a-z0-9]+:\/\/[^/]/u.test(text) && URL.canParse(text) && schemes.includes(new URL(text).protocol);
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text === "";
}

function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

/** Reads a file that a config references. Fails: {@link UnreadableConfigFileError} with the purpose of the file. */
async function readConfigFile(path: string, purpose: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UnreadableConfigFileError(path, { purpose, cause });
  }
}
