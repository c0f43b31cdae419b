import { asText, isMap, type Json, type JsonMap, listAt, mapAt, textAt, valueAt } from "kubescaffold/plugin";

import { convert, type Conversion, entriesOf, labels } from "./convert.ts";
import { type ChartFacts, isCertificateVariable, isCertificateVolume, isManagedArgument } from "./facts.ts";
import type { Names } from "./names.ts";
import {
  entry,
  type Entry,
  expression,
  fromValues,
  indented,
  type Item,
  item,
  lines,
  list,
  mapping,
  type Node,
  plain,
  when,
} from "./node.ts";
import { annotated, type ObjectTemplate } from "./object-template.ts";

/** Returns the template of the manager's Deployment: what is the user's to set comes from the values, the rest from the manifest. */
export function managerTemplate(facts: ChartFacts, names: Names): ObjectTemplate {
  const { manager } = facts.bundle;
  const conversion: Conversion = { facts, names, rules: [] };
  const { metadata: _metadata, spec: _spec, ...head } = manager;
  const { replicas: _replicas, strategy: _strategy, template: _template, ...spec } = mapAt(manager, "spec");
  return {
    condition: 'ne (toString .Values.manager.enabled) "false"',
    node: mapping(
      ...entriesOf(head, "", conversion),
      entry("metadata", mapping(...metadataEntries(mapAt(manager, "metadata"), "metadata", VALUES, conversion))),
      entry(
        "spec",
        mapping(
          entry("replicas", expression("{{ .Values.manager.replicas }}")),
          fromValues("strategy", ".Values.manager.strategy"),
          ...entriesOf(spec, "spec", conversion),
          entry("template", podTemplate(mapAt(manager, "spec", "template"), conversion)),
        ),
      ),
    ),
  };
}

interface MetadataValues {
  readonly labels: string;
  readonly annotations: string;
}

const VALUES: MetadataValues = { labels: ".Values.manager.labels", annotations: ".Values.manager.annotations" };
const POD_VALUES: MetadataValues = {
  labels: "(.Values.manager.pod | default dict).labels",
  annotations: "(.Values.manager.pod | default dict).annotations",
};

function metadataEntries(
  metadata: JsonMap,
  path: string,
  values: MetadataValues,
  conversion: Conversion,
): readonly Entry[] {
  const { labels: _labels, annotations: _annotations, ...rest } = metadata;
  return [
    ...entriesOf(rest, path, conversion),
    ...annotated("annotations", mapAt(metadata, "annotations"), values.annotations),
    entry("labels", labels(mapAt(metadata, "labels"), conversion, values.labels)),
  ];
}

function podTemplate({ metadata = {}, spec = {}, ...rest }: JsonMap, conversion: Conversion): Node {
  return mapping(
    entry("metadata", mapping(...metadataEntries(mapAt(metadata), "spec/template/metadata", POD_VALUES, conversion))),
    entry("spec", podSpec(mapAt(spec), conversion)),
    ...entriesOf(rest, "spec/template", conversion),
  );
}

// Fields of the Pod that come from the values, by the names they have there.
const POD_FIELDS: Readonly<Record<string, string>> = {
  affinity: "affinity",
  imagePullSecrets: "imagePullSecrets",
  nodeSelector: "nodeSelector",
  securityContext: "podSecurityContext",
  tolerations: "tolerations",
  topologySpreadConstraints: "topologySpreadConstraints",
};
const OTHER_POD_FIELDS = [
  "containers",
  "priorityClassName",
  "serviceAccountName",
  "terminationGracePeriodSeconds",
  "volumes",
];

function podSpec(spec: JsonMap, conversion: Conversion): Node {
  const { names } = conversion;
  const own = new Set([...Object.keys(POD_FIELDS), ...OTHER_POD_FIELDS]);
  const rest = Object.fromEntries(Object.entries(spec).filter(([key]) => !own.has(key)));
  const volumes = listAt(spec, "volumes").filter((each) => isCertificateVolume(each));
  return mapping(
    entry("serviceAccountName", expression(names.serviceAccount)),
    ...Object.entries(POD_FIELDS).map(([key, value]) => fromValues(key, `.Values.manager.${value}`)),
    lines("{{- with .Values.manager.priorityClassName }}", "priorityClassName: {{ . | quote }}", "{{- end }}"),
    lines(
      '{{- if not (kindIs "invalid" .Values.manager.terminationGracePeriodSeconds) }}',
      "terminationGracePeriodSeconds: {{ .Values.manager.terminationGracePeriodSeconds }}",
      "{{- end }}",
    ),
    ...entriesOf(rest, "spec/template/spec", conversion),
    entry("containers", containers(listAt(spec, "containers"), conversion)),
    ...withExtras(
      "volumes",
      ".Values.manager.extraVolumes",
      volumes.map((each) => certificateItem(each, conversion)),
    ),
  );
}

function containers(given: readonly Json[], conversion: Conversion): Node {
  const { containerIndex } = conversion.facts.bundle;
  const at = { path: "spec/template/spec/containers/*", key: "containers" };
  return list(
    ...given.map((each, index) =>
      item(index === containerIndex ? managerContainer(mapAt(each), conversion) : convert(each, at, conversion)),
    ),
  );
}

// A volume or mount that is there with the certificate it is for.
function certificateItem(volume: Json, conversion: Conversion): CertificateItem {
  const isWebhook = textAt(volume, "name") === "webhook-certs";
  const at = { path: "spec/template/spec/volumes/*", key: "volumes" };
  return {
    condition: isWebhook ? webhookCondition(conversion.facts) : METRICS_CERTIFICATE,
    node: convert(volume, at, conversion),
  };
}

interface CertificateItem {
  readonly condition: string;
  readonly node: Node;
}

const METRICS_CERTIFICATE = "and .Values.certManager.enabled .Values.metrics.enabled .Values.metrics.secure";

function webhookCondition({ hasWebhooks }: ChartFacts): string {
  return hasWebhooks ? ".Values.webhook.enabled" : ".Values.certManager.enabled";
}

// A list that may end up empty is omitted then.
function withExtras(key: string, values: string, certificates: readonly CertificateItem[]): readonly Entry[] {
  const extras = indented((indent) => [`{{- with ${values} }}`, `{{- toYaml . | nindent ${indent} }}`, "{{- end }}"]);
  const items = certificates.flatMap(({ condition, node }): readonly Item[] => when(condition, item(node)));
  const conditions = [
    values,
    ...new Set(certificates.map(({ condition }) => (condition.includes(" ") ? `(${condition})` : condition))),
  ];
  return when(conditions.length > 1 ? `or ${conditions.join(" ")}` : values, entry(key, list(...items, extras)));
}

function managerContainer(container: JsonMap, conversion: Conversion): Node {
  const { facts } = conversion;
  const own = [
    "name",
    "args",
    "env",
    "image",
    "imagePullPolicy",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "ports",
    "resources",
    "securityContext",
    "volumeMounts",
  ];
  const rest = Object.fromEntries(Object.entries(container).filter(([key]) => !own.includes(key)));
  const mounts = listAt(container, "volumeMounts").filter((each) => isCertificateVolume(each));
  const probes = ["startupProbe", "livenessProbe", "readinessProbe"].filter((key) => isMap(container[key]));
  return mapping(
    entry("name", plain(container["name"] ?? "manager")),
    entry("image", expression(IMAGE)),
    lines("{{- with .Values.manager.image.pullPolicy }}", "imagePullPolicy: {{ . }}", "{{- end }}"),
    ...entriesOf(rest, "spec/template/spec/containers/*", conversion),
    entry(
      "args",
      list(
        ...argumentItems(
          listAt(container, "args").map((each) => asText(each)),
          facts,
        ),
      ),
    ),
    ...environment(conversion),
    ...ports(listAt(container, "ports"), conversion),
    ...probes.map((key) => entry(key, probe(mapAt(container, key), conversion))),
    fromValues("resources", ".Values.manager.resources"),
    fromValues("securityContext", ".Values.manager.securityContext"),
    ...withExtras(
      "volumeMounts",
      ".Values.manager.extraVolumeMounts",
      mounts.map((each) => certificateItem(each, conversion)),
    ),
  );
}

// By its digest, which may be in the repository; else by its tag.
const IMAGE = [
  '"{{ with .Values.manager.image }}{{ .repository | default "controller" }}',
  '{{ if or .digest (contains "@" (.repository | default "controller")) }}',
  "{{ if .digest }}{{ with .tag }}:{{ . }}{{ end }}@{{ .digest }}{{ end }}",
  '{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}"',
].join("");

// In the order of the manifest; arguments of the user are where the first of them was.
function argumentItems(args: readonly string[], facts: ChartFacts): readonly Item[] {
  const ordered = ["--metrics-bind-address", "--health-probe-bind-address"].filter(
    (flag) => !args.some((each) => each.startsWith(flag)),
  );
  const free = [lines("{{- range .Values.manager.args }}", "- {{ tpl (toString .) $ | quote }}", "{{- end }}")];
  const firstFree = args.findIndex((each) => !isManagedArgument(each));
  return [
    ...ordered.flatMap((flag) => managedArgument(flag, facts)),
    ...(firstFree < 0 ? free : []),
    ...args.flatMap((each, index) => {
      if (!isManagedArgument(each)) return index === firstFree ? free : [];
      return managedArgument(each, facts);
    }),
  ];
}

function managedArgument(argument: string, facts: ChartFacts): readonly Item[] {
  const [flag = "", ...rest] = argument.split("=");
  const value = rest.join("=");
  const host = value.includes(":") ? value.slice(0, value.lastIndexOf(":")) : "";
  switch (flag) {
    case "--metrics-bind-address":
      return [
        lines(
          "{{- if .Values.metrics.enabled }}",
          `- --metrics-bind-address=${host}:{{ .Values.metrics.port }}`,
          "{{- if not .Values.metrics.secure }}",
          "- --metrics-secure=false",
          "{{- end }}",
          "{{- else }}",
          "- --metrics-bind-address=0",
          "{{- end }}",
        ),
      ];
    case "--health-probe-bind-address":
      return [lines(`- --health-probe-bind-address=${host}:{{ .Values.manager.healthProbe.port }}`)];
    case "--webhook-port":
      return facts.hasWebhooks
        ? when(".Values.webhook.enabled", lines("- --webhook-port={{ .Values.webhook.port }}"))
        : [];
    case "--webhook-cert-path":
      return when(webhookCondition(facts), item(plain(argument)));
    case "--metrics-cert-path":
      return when(METRICS_CERTIFICATE, item(plain(argument)));
    default:
      return [];
  }
}

// Overrides replace variables of the same name; a manager that is to do without webhooks is configured so.
function environment(conversion: Conversion): readonly Entry[] {
  const { hasWebhooks } = conversion.facts;
  return [
    indented((indent) => [
      "{{- $overrides := merge (dict) (.Values.manager.envOverrides | default dict) }}",
      ...(hasWebhooks
        ? [
            '{{- if and (not .Values.webhook.enabled) (not (hasKey $overrides "ENABLE_WEBHOOKS")) }}',
            '{{- $_ := set $overrides "ENABLE_WEBHOOKS" "false" }}',
            "{{- end }}",
          ]
        : []),
      "{{- $env := list }}",
      ...certificateVariables(conversion),
      "{{- range .Values.manager.env }}",
      "{{- if not (hasKey $overrides .name) }}",
      "{{- $env = append $env . }}",
      "{{- end }}",
      "{{- end }}",
      "{{- range $name, $value := $overrides }}",
      '{{- $env = append $env (dict "name" $name "value" (toString $value)) }}',
      "{{- end }}",
      "{{- with $env }}",
      "env:",
      `  {{- toYaml . | nindent ${indent + 2} }}`,
      "{{- end }}",
    ]),
  ];
}

// The names of objects follow from the release.
function certificateVariables({ facts, names }: Conversion): readonly string[] {
  const variables = listAt(facts.bundle.container, "env").filter((each) => isCertificateVariable(each, facts));
  return variables.flatMap((each) => {
    const [name, value] = [textAt(each, "name"), textAt(each, "value")];
    const text = names.rewrite("name", value)?.replaceAll(/^\{\{ | \}\}$/gu, "") ?? JSON.stringify(value);
    const metrics = name === "METRICS_SERVICE" ? " .Values.metrics.enabled" : "";
    return [
      `{{- if and .Values.webhook.enabled${metrics} (not (hasKey $overrides "${name}")) }}`,
      `{{- $env = append $env (dict "name" "${name}" "value" (${text})) }}`,
      "{{- end }}",
    ];
  });
}

function ports(given: readonly Json[], conversion: Conversion): readonly Entry[] {
  const { facts } = conversion;
  const items = given.flatMap((each): readonly Item[] => {
    const name = textAt(each, "name");
    if (name === "webhook-server" || name === "webhook")
      return facts.hasWebhooks
        ? when(".Values.webhook.enabled", item(portNode(each, ".Values.webhook.port", conversion)))
        : [item(convert(each, PORTS, conversion))];
    return [item(name === "health" ? portNode(each, HEALTH, conversion) : convert(each, PORTS, conversion))];
  });
  return items.length === 0 ? [] : [entry("ports", list(...items))];
}

const PORTS = { path: "spec/template/spec/containers/*/ports/*", key: "ports" };
const HEALTH = ".Values.manager.healthProbe.port";

function portNode(port: Json, value: string, conversion: Conversion): Node {
  const { containerPort: _port, ...rest } = mapAt(port);
  return mapping(entry("containerPort", expression(`{{ ${value} }}`)), ...entriesOf(rest, PORTS.path, conversion));
}

function probe(given: JsonMap, conversion: Conversion): Node {
  const isHealth = valueAt(given, "httpGet", "port") === conversion.facts.ports.health;
  return mapping(
    ...entriesOf(given, "spec/template/spec/containers/*/probe", {
      ...conversion,
      rules: [
        (path, key) =>
          isHealth && path.endsWith("probe/httpGet/port") ? [entry(key, expression(`{{ ${HEALTH} }}`))] : undefined,
      ],
    }),
  );
}
