import { printYaml } from "@kubescaffold/k8s/yaml";
import { type Json, type JsonMap, listAt, mapAt, textAt, valueAt } from "kubescaffold/plugin";

import { type ChartFacts, isCertificateVariable } from "./facts.ts";

/** Returns the text of values.yaml: what the manifests say, below upstream's keys. */
export function valuesText(facts: ChartFacts): string {
  const sections = [
    names(),
    manager(facts),
    rbac(facts),
    serviceAccount(),
    ...(facts.hasCrds ? [crds()] : []),
    metrics(facts),
    ...(needsCertManager(facts) ? [certificates(facts)] : []),
    ...(facts.hasWebhooks ? [webhook(facts)] : []),
    prometheus(facts),
    networkPolicy(facts),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function names(): readonly string[] {
  return [
    "# Overrides the chart's name in object names, after the release's name.",
    '# nameOverride: ""',
    "",
    "# Overrides the full name in object names.",
    '# fullnameOverride: ""',
  ];
}

function manager(facts: ChartFacts): readonly string[] {
  const { bundle } = facts;
  const pod = mapAt(bundle.manager, "spec", "template", "spec");
  const { container } = bundle;
  const spec = mapAt(bundle.manager, "spec");
  const blocks: readonly (readonly string[])[] = [
    ["# Whether to install the Deployment.", "enabled: true"],
    field("replicas", spec["replicas"] ?? 1),
    image(facts),
    ["# Additional arguments; templates in braces are rendered.", ...field("args", [...facts.freeArguments])],
    [
      "# Port of the liveness (/healthz) and readiness (/readyz) probes.",
      "healthProbe:",
      `  port: ${facts.ports.health}`,
    ],
    ["# Environment variables.", ...field("env", freeVariables(facts))],
    ["# Overrides by name: --set manager.envOverrides.NAME=value", "envOverrides: {}"],
    optional("Secrets for pulling the image.", "imagePullSecrets", pod["imagePullSecrets"], ["  - name: registry-key"]),
    optional("Security context of the Pod.", "podSecurityContext", pod["securityContext"], ["  runAsNonRoot: true"]),
    optional("Security context of the container.", "securityContext", container["securityContext"], [
      "  allowPrivilegeEscalation: false",
    ]),
    ["# Resource requests and limits.", ...field("resources", container["resources"] ?? {})],
    ["# Scheduling of the manager's Pods.", ...field("affinity", pod["affinity"] ?? {})],
    field("nodeSelector", pod["nodeSelector"] ?? {}),
    field("tolerations", pod["tolerations"] ?? []),
    optional("Update strategy of the Deployment.", "strategy", spec["strategy"], ["  type: RollingUpdate"]),
    optional("Priority class of the Pods.", "priorityClassName", pod["priorityClassName"], '""'),
    optional(
      "Topology spread constraints of the Pods.",
      "topologySpreadConstraints",
      pod["topologySpreadConstraints"],
      "[]",
    ),
    optional(
      "Grace period for the termination of a Pod, in seconds.",
      "terminationGracePeriodSeconds",
      pod["terminationGracePeriodSeconds"],
      "10",
    ),
    ["# Labels and annotations of the Deployment.", "# labels: {}", "# annotations: {}"],
    ["# Labels and annotations of its Pods.", "# pod:", "#   labels: {}", "#   annotations: {}"],
    optional("Additional volumes.", "extraVolumes", nonEmpty(facts.extraVolumes), "[]"),
    optional("Additional volume mounts.", "extraVolumeMounts", nonEmpty(facts.extraVolumeMounts), "[]"),
  ];
  return [
    "# The manager.",
    "manager:",
    ...blocks
      .map((lines) => indented(lines).join("\n"))
      .join("\n\n")
      .split("\n"),
  ];
}

// The names of the objects of certificates follow from the release.
function freeVariables(facts: ChartFacts): Json[] {
  return listAt(facts.bundle.container, "env").filter((each) => !isCertificateVariable(each, facts));
}

function image({ image: { name, tag, digest }, bundle: { container } }: ChartFacts): readonly string[] {
  return [
    "image:",
    ...indented(field("repository", name)),
    "  # Defaults to the chart's appVersion.",
    ...(tag === "" || tag === "latest" ? ['  # tag: ""'] : indented(field("tag", tag))),
    "  # sha256:…, which overrides the tag; the repository can also contain it, after an @.",
    ...(digest === "" ? ['  # digest: ""'] : indented(field("digest", digest))),
    ...indented(field("pullPolicy", textAt(container, "imagePullPolicy") || "IfNotPresent")),
  ];
}

function rbac({ hasClusterRoles, roleNamespaces }: ChartFacts): readonly string[] {
  const namespaces = Object.keys(roleNamespaces).length === 0 ? [] : field("roleNamespaces", { ...roleNamespaces });
  return [
    "# RBAC of the manager and of users.",
    "rbac:",
    ...(hasClusterRoles
      ? [
          "  # Whether to replace ClusterRoles with Roles in the release's namespace; the manager must then watch only this namespace.",
          "  namespaced: false",
          "",
        ]
      : []),
    ...(namespaces.length === 0
      ? []
      : ["  # Namespaces of Roles outside of the manager's namespace.", ...indented(namespaces), ""]),
    "  # ClusterRoles for users of each kind: admin, editor, and viewer, without bindings.",
    "  helpers:",
    "    enabled: false",
  ];
}

function serviceAccount(): readonly string[] {
  return [
    "# The service account of the manager.",
    "serviceAccount:",
    '  # False takes one that is there; its name has to be given then, if need be as "default".',
    "  enabled: true",
    '  # name: ""',
    "  # annotations: {}",
    "  # labels: {}",
  ];
}

function crds(): readonly string[] {
  return [
    "# The project's CRDs.",
    "crd:",
    "  enabled: true",
    "  # Whether to keep the CRDs and their objects when the release is uninstalled.",
    "  keep: true",
  ];
}

function metrics({ hasMetrics, ports, isMetricsSecure }: ChartFacts): readonly string[] {
  return [
    "# The manager's metrics.",
    "metrics:",
    `  enabled: ${hasMetrics}`,
    `  port: ${ports.metrics}`,
    "  # Whether to serve metrics over HTTPS with authentication and authorization, which requires ClusterRoles; otherwise over HTTP.",
    `  secure: ${isMetricsSecure}`,
  ];
}

function needsCertManager({ isSelfManaged, hasCertificates, hasMetricsCertificate }: ChartFacts): boolean {
  return !isSelfManaged || hasCertificates || hasMetricsCertificate;
}

function certificates({ hasCertificates }: ChartFacts): readonly string[] {
  return [
    "# Certificates from cert-manager, which must be installed in the cluster.",
    "certManager:",
    `  enabled: ${hasCertificates}`,
  ];
}

function webhook({ ports, isSelfManaged }: ChartFacts): readonly string[] {
  return [
    "# The webhooks and the port of the webhook server.",
    "webhook:",
    "  enabled: true",
    `  port: ${ports.webhook}`,
    ...(isSelfManaged
      ? []
      : [
          "  # Without cert-manager: the Secret with the server's certificate, tls.crt and tls.key, and the CA that signed it, in base64.",
          '  # secretName: ""',
          '  # caBundle: ""',
        ]),
  ];
}

function prometheus({ hasMonitor }: ChartFacts): readonly string[] {
  return ["# A ServiceMonitor for the Prometheus operator.", "prometheus:", `  enabled: ${hasMonitor}`];
}

function networkPolicy({ hasPolicies }: ChartFacts): readonly string[] {
  return [
    "# NetworkPolicies that allow only traffic to metrics and webhooks.",
    "networkPolicy:",
    `  enabled: ${hasPolicies}`,
  ];
}

// A key that the manifests have, or a comment that shows it.
function optional(
  comment: string,
  key: string,
  value: Json | undefined,
  example: string | readonly string[],
): readonly string[] {
  if (value !== undefined && value !== null) return [`# ${comment}`, ...field(key, value)];
  const shown =
    typeof example === "string" ? [`# ${key}: ${example}`] : [`# ${key}:`, ...example.map((line) => `# ${line}`)];
  return [`# ${comment}`, ...shown];
}

function field(key: string, value: Json): readonly string[] {
  return printYaml({ [key]: value })
    .trimEnd()
    .split("\n");
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

function nonEmpty(list: readonly Json[]): Json[] | undefined {
  return list.length === 0 ? undefined : [...list];
}

/** Returns the names of variables that the manifests give the manager and that values do not have. */
export function missingVariables(facts: ChartFacts, values: JsonMap): readonly string[] {
  const given = freeVariables(facts).map((each) => textAt(each, "name"));
  const present = [
    ...listAt(values, "manager", "env").map((each) => textAt(each, "name")),
    ...Object.keys(mapAt(valueAt(values, "manager"), "envOverrides")),
  ];
  return given.filter((name) => !present.includes(name));
}
