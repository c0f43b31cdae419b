import {
  AUTHORIZATION_MODES,
  type AuditPolicy,
  type AuthorizationMode,
  type ListenTls,
  serverRelease,
} from "@kubescaffold/apiserver";
import type { EmbeddedClusterOptions, GatedVersion, ServiceAccountTokenOptions } from "@kubescaffold/cluster";

import { ServerFlagError } from "../failures/errors.ts";
import { requestedVersion } from "../kubernetes-version/requested-version.ts";
import { admissionConfiguration } from "./admission-configuration.ts";
import { checkAdmissionPlugins } from "./admission-plugins.ts";
import { auditWebhook } from "./audit-webhook.ts";
import { type ClusterFlags, readClusterFlags } from "./cluster-flags.ts";
import { readFeatureGates } from "./feature-gates.ts";
import { readFlagFile, readYamlFile, requireKind } from "./flag-file.ts";
import { KUBERNETES_FLAG } from "./flag-table.ts";
import { invalidValue, kubernetesFlag, lastDuration, lastValue, parseFlags, type ServerFlags } from "./parse-flags.ts";
import { servingCertificate } from "./serving-certificate.ts";
import { parseTokenFile } from "./token-file.ts";

/** The meaning of the flags. */
export interface ServerOptions extends Omit<ClusterFlags, "cluster"> {
  readonly cluster: EmbeddedClusterOptions;
  readonly host: string;
  readonly port: number;
  readonly tls: ListenTls;
  /** The certificates that clients verify the serving certificate with. */
  readonly ca: string;
  /** Writes a new serving certificate to the folder of `--cert-dir`. */
  readonly saveCertificate: () => Promise<void>;
  /** Group versions of `--runtime-config` that must be served, or must not be. */
  readonly groupVersions: ReadonlyMap<string, boolean>;
  /** Sentences about flags that have no effect, and about the version that is used for another. */
  readonly warnings: readonly string[];
}

// Those that can be served.
const POLICY_VERSION: GatedVersion = "admissionregistration.k8s.io/v1beta1";
const GATED_VERSIONS: readonly GatedVersion[] = ["admissionregistration.k8s.io/v1alpha1", POLICY_VERSION];

const AUDIT_POLICY = "audit-policy-file";
const DEFAULT_PORT = 6443;
const LOOPBACK = "127.0.0.1";

/** Reads the flags of kube-apiserver and the files that they name; writes nothing. Fails: {@link ServerFlagError} and `KubernetesVersionError`. */
export async function readOptions(args: readonly string[]): Promise<ServerOptions> {
  const stated = kubernetesFlag(args);
  const { minor, note } = requestedVersion({ kubernetesVersion: stated, option: `--${KUBERNETES_FLAG}` });
  const release = serverRelease(minor);
  const flags = parseFlags(args, release);
  const featureGates = readFeatureGates(flags.get("feature-gates") ?? [], release);
  const groupVersions = groupVersionsOf(flags);
  const gatedVersions = GATED_VERSIONS.filter((each) => groupVersions.get(each) === true);
  const { notSimulated, notRun, alsoRun, limitsEvents } = checkAdmissionPlugins(
    {
      enabled: flags.get("enable-admission-plugins") ?? [],
      disabled: flags.get("disable-admission-plugins") ?? [],
    },
    release,
  );
  if (featureGates.MutatingAdmissionPolicy === true && !gatedVersions.includes(POLICY_VERSION)) refuseGateAlone(notRun);
  if (lastValue(flags, "service-account-lookup") === "false") {
    throw new ServerFlagError(
      "cannot use --service-account-lookup=false: the embedded API server always looks up service accounts",
    );
  }
  const { podSecurity, eventRateLimit = {} } = await admissionConfiguration(
    lastValue(flags, "admission-control-config-file"),
  );
  const host = lastValue(flags, "bind-address") ?? LOOPBACK;
  const clientCa = await fileOf(flags, "client-ca-file");
  const minVersion = tlsVersion(flags);
  const certificate = await servingCertificate({
    host,
    directory: lastValue(flags, "cert-dir"),
    certFile: lastValue(flags, "tls-cert-file"),
    keyFile: lastValue(flags, "tls-private-key-file"),
  });
  const { cluster, ...files } = await readClusterFlags(flags);
  return {
    ...files,
    cluster: {
      ...cluster,
      kubernetesVersion: minor,
      ...(await clusterOptions(flags)),
      ...(await auditOptions(flags)),
      featureGates,
      ...(podSecurity === undefined ? {} : { podSecurity }),
      ...(limitsEvents ? { eventRateLimit } : {}),
      disableAdmissionPlugins: notRun,
      enableAdmissionPlugins: alsoRun,
      gatedVersions,
      ...serviceRanges(flags),
      ...nodePortRange(flags),
    },
    host,
    port: portOf(flags),
    tls: {
      ...certificate.pair,
      ...(clientCa === undefined ? {} : { clientCa }),
      ...(minVersion === undefined ? {} : { minVersion }),
    },
    // A new one is followed by its authority; of a given one, it must be part of the file.
    ca: certificate.pair.cert,
    saveCertificate: certificate.save,
    groupVersions,
    warnings: [
      ...(note === undefined ? [] : [note]),
      ...notSimulated.map((name) => `the embedded API server does not simulate the admission plugin ${name}`),
    ],
  };
}

// The plugin of kube-apiserver waits for the policies of this version, so that it never becomes ready.
function refuseGateAlone(disabled: readonly string[]): void {
  if (disabled.includes("MutatingAdmissionPolicy")) return;
  throw new ServerFlagError(
    `cannot use --feature-gates=MutatingAdmissionPolicy=true without the API ${POLICY_VERSION} of the policies: kube-apiserver does not become ready`,
    { hint: `add --runtime-config=${POLICY_VERSION}=true` },
  );
}

async function clusterOptions(flags: ServerFlags): Promise<EmbeddedClusterOptions> {
  const modes = modesOf(flags);
  const tokenFile = await fileOf(flags, "token-auth-file");
  const requestTimeoutMs = lastDuration(flags, "request-timeout");
  const anonymous = lastValue(flags, "anonymous-auth");
  return {
    authorizationModes: modes,
    // Upstream does not combine anonymous requests with a mode that allows everything.
    allowAnonymous: anonymous === undefined ? !modes.includes("AlwaysAllow") : anonymous === "true",
    ...(tokenFile === undefined ? {} : { tokens: parseTokenFile(tokenFile) }),
    serviceAccountTokens: await serviceAccountTokens(flags),
    requestLimits: {
      ...limit(flags, "max-requests-inflight", "maxRequestsInFlight"),
      ...limit(flags, "max-mutating-requests-inflight", "maxMutatingRequestsInFlight"),
      ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    },
  };
}

// The last flag replaces the others.
function serviceRanges(flags: ServerFlags): Pick<EmbeddedClusterOptions, "serviceRanges"> {
  const text = lastValue(flags, "service-cluster-ip-range") ?? "";
  return text === "" ? {} : { serviceRanges: text.split(",") };
}

// Two ports, a port and how many follow it, or one port.
function nodePortRange(flags: ServerFlags): Pick<EmbeddedClusterOptions, "nodePortRange"> {
  const text = lastValue(flags, "service-node-port-range")?.trim() ?? "";
  if (text === "") return {};
  const { start = "", sign, end = "0" } = /^(?<start>\d+)(?:(?<sign>[-+])(?<end>\d+))?$/u.exec(text)?.groups ?? {};
  const first = Number(start);
  const lastPort = sign === "-" ? Number(end) : first + Number(end);
  if (start === "" || first < 1 || lastPort < first || lastPort > 65_535) {
    throw invalidValue("service-node-port-range", text, "not a range of ports such as 30000-32767");
  }
  return { nodePortRange: { first, last: lastPort } };
}

// As upstream, there are no events without a policy.
async function auditOptions(flags: ServerFlags): Promise<Pick<EmbeddedClusterOptions, "audit">> {
  const logPath = lastValue(flags, "audit-log-path") ?? "";
  const policyFile = lastValue(flags, AUDIT_POLICY) ?? "";
  if (policyFile === "") return {};
  const policy = await readAuditPolicy(policyFile);
  const webhook = await auditWebhook(flags);
  if (logPath === "" && webhook === undefined) return {};
  return {
    audit: { policy, ...(logPath === "" ? {} : { path: logPath }), ...(webhook === undefined ? {} : { webhook }) },
  };
}

async function serviceAccountTokens(flags: ServerFlags): Promise<ServiceAccountTokenOptions> {
  const issuers = flags.get("service-account-issuer");
  const audiences = flags.get("api-audiences");
  const signingKey = await fileOf(flags, "service-account-signing-key-file");
  const keyFiles = flags.get("service-account-key-file") ?? [];
  const verificationKeys = await Promise.all(keyFiles.map((file) => readFlagFile("service-account-key-file", file)));
  if (signingKey === undefined && verificationKeys.length > 0) {
    throw new ServerFlagError("cannot use --service-account-key-file without --service-account-signing-key-file");
  }
  return {
    ...(issuers === undefined ? {} : { issuers }),
    ...(audiences === undefined ? {} : { audiences }),
    ...(signingKey === undefined
      ? {}
      : { keys: { signingKey, ...(verificationKeys.length === 0 ? {} : { verificationKeys }) } }),
  };
}

function modesOf(flags: ServerFlags): readonly AuthorizationMode[] {
  const modes = flags.get("authorization-mode") ?? ["AlwaysAllow"];
  return modes.map((mode) => {
    const known = AUTHORIZATION_MODES.find((each) => each === mode);
    if (known !== undefined) return known;
    throw new ServerFlagError(
      `cannot use --authorization-mode=${mode}: the embedded API server does not simulate this mode`,
      {
        hint: `use ${AUTHORIZATION_MODES.join(", ")}`,
      },
    );
  });
}

function tlsVersion(flags: ServerFlags): "TLSv1.2" | "TLSv1.3" | undefined {
  const version = lastValue(flags, "tls-min-version") ?? "";
  if (version === "" || version === "VersionTLS12") return undefined;
  if (version === "VersionTLS13") return "TLSv1.3";
  throw invalidValue("tls-min-version", version, "not VersionTLS12 or VersionTLS13");
}

function groupVersionsOf(flags: ServerFlags): ReadonlyMap<string, boolean> {
  return new Map(
    (flags.get("runtime-config") ?? []).map((entry) => {
      const [key = "", value = "true"] = entry.split("=");
      if (key.startsWith("api/")) {
        throw new ServerFlagError(
          `cannot use --runtime-config=${entry}: the embedded API server has the group versions that are served by default`,
        );
      }
      if (value !== "true" && value !== "false") throw invalidValue("runtime-config", entry, "not true or false");
      return [key, value === "true"];
    }),
  );
}

function portOf(flags: ServerFlags): number {
  const text = lastValue(flags, "secure-port") ?? String(DEFAULT_PORT);
  if (Number(text) > 65_535) throw invalidValue("secure-port", text, "not a port");
  return Number(text);
}

function limit<Key extends string>(flags: ServerFlags, name: string, key: Key): Partial<Record<Key, number>> {
  const value = lastValue(flags, name);
  return value === undefined ? {} : ({ [key]: Number(value) } as Record<Key, number>);
}

async function fileOf(flags: ServerFlags, name: string): Promise<string | undefined> {
  const file = lastValue(flags, name);
  return file === undefined || file === "" ? undefined : await readFlagFile(name, file);
}

// The server checks the rules when it starts.
async function readAuditPolicy(file: string): Promise<AuditPolicy> {
  const value = await readYamlFile(AUDIT_POLICY, file);
  requireKind(value, { apiVersion: "audit.k8s.io/v1", kind: "Policy", flag: AUDIT_POLICY });
  return value as unknown as AuditPolicy;
}
