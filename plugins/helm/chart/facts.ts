import { splitImage, type ImageParts } from "kubescaffold/plugin";
import {
  asText,
  type Json,
  isMap,
  type JsonMap,
  listAt,
  mapAt,
  type Manifest,
  nameOf,
  namespaceOf,
  textAt,
} from "kubescaffold/plugin";

import { type Bundle, isCrd } from "./bundle.ts";

/** What values and templates of a chart depend on. */
export interface ChartFacts {
  readonly bundle: Bundle;
  /** The chart's name, which is in front of the names of its helpers. */
  readonly chart: string;
  readonly image: ImageParts;
  readonly hasCrds: boolean;
  readonly hasWebhooks: boolean;
  readonly hasCertificates: boolean;
  /** The manager makes the certificates of its webhooks itself. */
  readonly isSelfManaged: boolean;
  readonly hasMetrics: boolean;
  /** The manager serves metrics with a certificate of cert-manager. */
  readonly hasMetricsCertificate: boolean;
  readonly hasMonitor: boolean;
  readonly hasPolicies: boolean;
  /** Objects of the cluster that can be made objects of a namespace. */
  readonly hasClusterRoles: boolean;
  readonly ports: { readonly metrics: number; readonly webhook: number; readonly health: number };
  readonly isMetricsSecure: boolean;
  /** Arguments that no value of their own stands for. */
  readonly freeArguments: readonly string[];
  readonly extraVolumes: readonly Json[];
  readonly extraVolumeMounts: readonly Json[];
  /** Namespaces of roles that are elsewhere than the manager, by the roles' names without prefix. */
  readonly roleNamespaces: Readonly<Record<string, string>>;
}

/** Looks at what a project consists of. */
export function chartFacts(bundle: Bundle, chart: string): ChartFacts {
  const { container, others } = bundle;
  const args = listAt(container, "args").map((each) => asText(each));
  const services = others.filter(({ kind }) => kind === "Service");
  const metricsService = services.find((each) => nameOf(each).endsWith("metrics-service"));
  const hasWebhooks = others.some(isWebhookConfiguration) || others.some((each) => isCrd(each) && converts(each));
  return {
    bundle,
    chart,
    image: splitImage(textAt(container, "image") || "controller:latest"),
    hasCrds: others.some(isCrd),
    hasWebhooks,
    hasCertificates: others.some(({ apiVersion }) => apiVersion.startsWith("cert-manager.io/")),
    isSelfManaged: hasWebhooks && listAt(container, "env").some((each) => textAt(each, "name") === CERTIFICATES_SECRET),
    hasMetrics: metricsService !== undefined,
    hasMetricsCertificate: args.some((each) => each.startsWith("--metrics-cert-path=")),
    hasMonitor: others.some(({ kind }) => kind === "ServiceMonitor"),
    hasPolicies: others.some(({ kind }) => kind === "NetworkPolicy"),
    hasClusterRoles: others.some((each) => canBeNamespaced(each)),
    ports: {
      metrics: servicePort(metricsService) ?? argumentPort(args, "--metrics-bind-address") ?? 8443,
      webhook: argumentPort(args, "--webhook-port") ?? containerPort(container, "webhook-server") ?? 9443,
      health: argumentPort(args, "--health-probe-bind-address") ?? containerPort(container, "health") ?? 8081,
    },
    isMetricsSecure: !args.some((each) => /^--metrics-secure=(?:false|f|0)$/iu.test(each)),
    freeArguments: args.filter((each) => !isManagedArgument(each)),
    extraVolumes: withoutCertificates(listAt(bundle.manager, "spec", "template", "spec", "volumes")),
    extraVolumeMounts: withoutCertificates(listAt(container, "volumeMounts")),
    roleNamespaces: roleNamespaces(bundle),
  };
}

const MANAGED = [
  "--metrics-bind-address",
  "--metrics-secure",
  "--metrics-cert-path",
  "--health-probe-bind-address",
  "--webhook-port",
  "--webhook-cert-path",
];

/** Reports whether an argument of the manager follows from its own values. */
export function isManagedArgument(argument: string): boolean {
  return MANAGED.includes(argument.split("=")[0] ?? "");
}

const CERTIFICATES_SECRET = "CERTIFICATES_SECRET";
const CERTIFICATE_VARIABLES = [
  CERTIFICATES_SECRET,
  "WEBHOOK_SERVICE",
  "METRICS_SERVICE",
  "VALIDATING_WEBHOOK_CONFIGURATION",
  "MUTATING_WEBHOOK_CONFIGURATION",
];

/** Reports whether a variable of the manager names an object of its certificates. */
export function isCertificateVariable(variable: Json, { isSelfManaged }: Pick<ChartFacts, "isSelfManaged">): boolean {
  return isSelfManaged && CERTIFICATE_VARIABLES.includes(textAt(variable, "name"));
}

/** Reports whether an object lets the manager make its certificates: it is there with the webhooks. */
export function isForCertificates(manifest: Manifest, { isSelfManaged }: Pick<ChartFacts, "isSelfManaged">): boolean {
  const isSecret = manifest.kind === "Secret" && nameOf(manifest).endsWith("webhook-certificates");
  return isSelfManaged && (isSecret || isInjectorRole(manifest) || CERTIFICATES_ROLE.test(nameOf(manifest)));
}

const CERTIFICATES_ROLE = /(?:^|-)certificates-role(?:binding)?$/u;

// Webhook configurations and CRDs are in no namespace.
function isInjectorRole(manifest: Manifest): boolean {
  return /(?:^|-)certificates-injector-role(?:binding)?$/u.test(nameOf(manifest));
}

/** Reports whether a volume or its mount holds a certificate of the manager. */
export function isCertificateVolume(volume: Json): boolean {
  return ["webhook-certs", "metrics-certs"].includes(textAt(volume, "name"));
}

/** Reports whether an object registers webhooks. */
export function isWebhookConfiguration({ kind }: Manifest): boolean {
  return kind === "ValidatingWebhookConfiguration" || kind === "MutatingWebhookConfiguration";
}

/** Reports whether an object is one of the three that let the manager protect its metrics: they stay objects of the cluster. */
export function isMetricsRole(manifest: Manifest): boolean {
  return /(?:^|-)metrics-(?:auth-role|auth-rolebinding|reader)$/u.test(nameOf(manifest));
}

/** Reports whether a role of the cluster, or its binding, can be one of the release's namespace. */
export function canBeNamespaced(manifest: Manifest): boolean {
  return /^ClusterRole(?:Binding)?$/u.test(manifest.kind) && !isMetricsRole(manifest) && !isInjectorRole(manifest);
}

/** Returns the name of an object without what is in front of all names. */
export function suffixOf(name: string, { prefix }: Bundle): string {
  return prefix !== "" && name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function converts(crd: Manifest): boolean {
  return textAt(crd, "spec", "conversion", "strategy") === "Webhook";
}

function servicePort(service: Manifest | undefined): number | undefined {
  const [first] = listAt(service, "spec", "ports");
  return asPort(mapAt(first)["port"]);
}

function argumentPort(args: readonly string[], flag: string): number | undefined {
  const value = args.find((each) => each.startsWith(`${flag}=`))?.slice(flag.length + 1);
  return asPort(Number(value?.slice(value.lastIndexOf(":") + 1)));
}

function containerPort(container: JsonMap, name: string): number | undefined {
  const port = listAt(container, "ports").find((each) => textAt(each, "name") === name);
  return asPort(mapAt(port)["containerPort"]);
}

function asPort(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65_536 ? value : undefined;
}

function withoutCertificates(volumes: readonly Json[]): readonly Json[] {
  return volumes.filter((each) => isMap(each) && !isCertificateVolume(each));
}

/** Returns what the values call a role or binding that is elsewhere than the manager: its name, with the namespace where several have that name. */
export function roleKeyOf(manifest: Manifest, bundle: Bundle): string | undefined {
  const elsewhere = rolesElsewhere(bundle);
  if (!elsewhere.includes(manifest)) return undefined;
  const suffix = suffixOf(nameOf(manifest), bundle);
  const isShared = elsewhere.some(
    (each) => nameOf(each) === nameOf(manifest) && namespaceOf(each) !== namespaceOf(manifest),
  );
  return isShared ? `${suffix}-${namespaceOf(manifest)}` : suffix;
}

function rolesElsewhere({ others, namespace }: Bundle): readonly Manifest[] {
  return others.filter((each) => {
    const isRole = each.kind === "Role" || each.kind === "RoleBinding";
    return isRole && namespaceOf(each) !== "" && namespaceOf(each) !== namespace;
  });
}

function roleNamespaces(bundle: Bundle): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rolesElsewhere(bundle)
      .map((each) => [roleKeyOf(each, bundle) ?? "", namespaceOf(each)] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
