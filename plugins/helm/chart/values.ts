import { printYaml } from "@kubescaffold/k8s/yaml";

import { type Json, type JsonMap, listAt, mapAt, textAt, valueAt } from "../manifest.ts";
import type { ChartFacts } from "./facts.ts";

/** Returns the text of values.yaml: what the manifests say, below upstream's keys. */
export function valuesText(facts: ChartFacts): string {
  const sections = [
    names(),
    manager(facts),
    rbac(facts),
    serviceAccount(),
    ...(facts.hasCrds ? [crds()] : []),
    metrics(facts),
    certificates(facts),
    ...(facts.hasWebhooks ? [webhook(facts)] : []),
    prometheus(facts),
    networkPolicy(facts),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function names(): readonly string[] {
  return [
    "# Stands for the chart's name in the names of objects, behind the release's.",
    '# nameOverride: ""',
    "",
    "# Stands for both in the names of objects.",
    '# fullnameOverride: ""',
  ];
}

function manager(facts: ChartFacts): readonly string[] {
  const { bundle } = facts;
  const pod = mapAt(bundle.manager, "spec", "template", "spec");
  const { container } = bundle;
  const spec = mapAt(bundle.manager, "spec");
  const blocks: readonly (readonly string[])[] = [
    ["# False leaves the Deployment out.", "enabled: true"],
    field("replicas", spec["replicas"] ?? 1),
    image(facts),
    [
      "# Arguments besides those that follow from other values; what is in braces is rendered.",
      ...field("args", [...facts.freeArguments]),
    ],
    [
      "# Where the manager answers whether it lives (/healthz) and is ready (/readyz).",
      "healthProbe:",
      `  port: ${facts.ports.health}`,
    ],
    ["# Environment variables.", ...field("env", [...listAt(container, "env")])],
    ["# More of them by name, which replace those above: --set manager.envOverrides.NAME=value", "envOverrides: {}"],
    optional("Secrets to pull the image with.", "imagePullSecrets", pod["imagePullSecrets"], [
      "  - name: registry-key",
    ]),
    optional("What the Pod may do.", "podSecurityContext", pod["securityContext"], ["  runAsNonRoot: true"]),
    optional("What the container may do.", "securityContext", container["securityContext"], [
      "  allowPrivilegeEscalation: false",
    ]),
    ["# What the container needs, and at most gets.", ...field("resources", container["resources"] ?? {})],
    ["# Where Pods of the manager may run.", ...field("affinity", pod["affinity"] ?? {})],
    field("nodeSelector", pod["nodeSelector"] ?? {}),
    field("tolerations", pod["tolerations"] ?? []),
    optional("How Pods are replaced.", "strategy", spec["strategy"], ["  type: RollingUpdate"]),
    optional("How important Pods are.", "priorityClassName", pod["priorityClassName"], '""'),
    optional("How Pods are spread.", "topologySpreadConstraints", pod["topologySpreadConstraints"], "[]"),
    optional(
      "How long a Pod may take to end.",
      "terminationGracePeriodSeconds",
      pod["terminationGracePeriodSeconds"],
      "10",
    ),
    ["# Labels and annotations of the Deployment.", "# labels: {}", "# annotations: {}"],
    ["# Labels and annotations of its Pods.", "# pod:", "#   labels: {}", "#   annotations: {}"],
    optional("Volumes besides those of certificates.", "extraVolumes", nonEmpty(facts.extraVolumes), "[]"),
    optional("Where they are mounted.", "extraVolumeMounts", nonEmpty(facts.extraVolumeMounts), "[]"),
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

function image({ image: { name, tag, digest }, bundle: { container } }: ChartFacts): readonly string[] {
  return [
    "image:",
    ...indented(field("repository", name)),
    "  # The chart's appVersion unless given.",
    ...(tag === "" || tag === "latest" ? ['  # tag: ""'] : indented(field("tag", tag))),
    "  # sha256:…, which says more than a tag. It may stand in the repository too, behind an @.",
    ...(digest === "" ? ['  # digest: ""'] : indented(field("digest", digest))),
    ...indented(field("pullPolicy", textAt(container, "imagePullPolicy") || "IfNotPresent")),
  ];
}

function rbac({ hasClusterRoles, roleNamespaces }: ChartFacts): readonly string[] {
  const namespaces = Object.keys(roleNamespaces).length === 0 ? [] : field("roleNamespaces", { ...roleNamespaces });
  return [
    "# What the manager and people may do.",
    "rbac:",
    ...(hasClusterRoles
      ? [
          "  # True makes roles of the release's namespace of those of the cluster. The manager has to watch that namespace alone then.",
          "  namespaced: false",
          "",
        ]
      : []),
    ...(namespaces.length === 0
      ? []
      : ["  # The namespaces of roles that lie elsewhere than the manager.", ...indented(namespaces), ""]),
    "  # Roles for people: three for each kind, admin, editor and viewer. Nothing binds them.",
    "  helpers:",
    "    enabled: false",
  ];
}

function serviceAccount(): readonly string[] {
  return [
    "# What the manager runs as.",
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
    "# The definitions of the project's kinds.",
    "crd:",
    "  enabled: true",
    "  # Leaves them, and all objects of theirs, where they are when the release is uninstalled.",
    "  keep: true",
  ];
}

function metrics({ hasMetrics, ports, isMetricsSecure }: ChartFacts): readonly string[] {
  return [
    "# The manager's metrics.",
    "metrics:",
    `  enabled: ${hasMetrics}`,
    `  port: ${ports.metrics}`,
    "  # Over HTTPS, to those who may read them; that needs roles of the cluster. False is HTTP, to everyone.",
    `  secure: ${isMetricsSecure}`,
  ];
}

function certificates({ hasCertificates }: ChartFacts): readonly string[] {
  return [
    "# Certificates made by cert-manager, which has to be in the cluster.",
    "certManager:",
    `  enabled: ${hasCertificates}`,
  ];
}

function webhook({ ports }: ChartFacts): readonly string[] {
  return [
    "# The webhooks, and the port of the server behind them.",
    "webhook:",
    "  enabled: true",
    `  port: ${ports.webhook}`,
    "  # Without cert-manager: the Secret with the server's certificate, tls.crt and tls.key, and the CA that signed it, in base64.",
    '  # secretName: ""',
    '  # caBundle: ""',
  ];
}

function prometheus({ hasMonitor }: ChartFacts): readonly string[] {
  return ["# A ServiceMonitor for the Prometheus operator.", "prometheus:", `  enabled: ${hasMonitor}`];
}

function networkPolicy({ hasPolicies }: ChartFacts): readonly string[] {
  return ["# Lets in what metrics and webhooks need, and nothing else.", "networkPolicy:", `  enabled: ${hasPolicies}`];
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
  const given = listAt(facts.bundle.container, "env").map((each) => textAt(each, "name"));
  const present = [
    ...listAt(values, "manager", "env").map((each) => textAt(each, "name")),
    ...Object.keys(mapAt(valueAt(values, "manager"), "envOverrides")),
  ];
  return given.filter((name) => !present.includes(name));
}
