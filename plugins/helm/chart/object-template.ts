import {
  asText,
  type Json,
  type JsonMap,
  type Manifest,
  mapAt,
  nameOf,
  namespaceOf,
  textAt,
} from "kubescaffold/plugin";

import { isCrd } from "./bundle.ts";
import { added, convert, type Conversion, convertManifest, endsWith, entriesOf, labels, type Rule } from "./convert.ts";
import {
  canBeNamespaced,
  type ChartFacts,
  isForCertificates,
  isMetricsRole,
  isWebhookConfiguration,
  roleKeyOf,
  suffixOf,
} from "./facts.ts";
import type { Names } from "./names.ts";
import {
  entry,
  type Entry,
  expression,
  fromValues,
  item,
  lines,
  list,
  mapping,
  type Node,
  plain,
  when,
} from "./node.ts";

/** A template of an object, and when it is rendered; no condition is always. */
export interface ObjectTemplate {
  readonly condition: string;
  readonly node: Node;
}

const METRICS_TLS = "and .Values.metrics.enabled .Values.metrics.secure";
const WEBHOOKS = ".Values.webhook.enabled";
const SCHEME = "{{ if .Values.metrics.secure }}https{{ else }}http{{ end }}";

/** Returns the template of any object but the manager. */
export function objectTemplate(manifest: Manifest, facts: ChartFacts, names: Names): ObjectTemplate {
  const from = (condition: string, ...rules: readonly Rule[]): ObjectTemplate => ({
    condition,
    node: convertManifest(manifest, { facts, names, rules }),
  });
  switch (manifest.kind) {
    case "CustomResourceDefinition":
      return from(".Values.crd.enabled", ...crdRules(manifest, facts, names));
    case "MutatingWebhookConfiguration":
    case "ValidatingWebhookConfiguration":
      return from(".Values.webhook.enabled", ...webhookRules(facts, names));
    case "ServiceAccount":
      return isManagers(manifest, facts)
        ? from(".Values.serviceAccount.enabled", ...accountRules(facts, names))
        : from("");
    case "Role":
    case "RoleBinding":
    case "ClusterRole":
    case "ClusterRoleBinding":
      return from(roleCondition(manifest, facts), ...roleRules(manifest, facts, names));
    case "Secret":
      return from(isForCertificates(manifest, facts) ? WEBHOOKS : "");
    case "Service":
      return serviceTemplate(manifest, from);
    case "Certificate":
    case "Issuer":
      return from(certificateCondition(manifest));
    case "ServiceMonitor":
      return from("and .Values.prometheus.enabled .Values.metrics.enabled", ...monitorRules(facts, names));
    case "PrometheusRule":
      return from("and .Values.prometheus.enabled .Values.metrics.enabled");
    case "NetworkPolicy":
      return policyTemplate(manifest, facts, from);
    default:
      return from("");
  }
}

/** Returns the folder of an object's template. */
export function folderFor(manifest: Manifest): string {
  const { kind, apiVersion } = manifest;
  if (isCrd(manifest)) return "crd";
  if (/^(?:Cluster)?Role(?:Binding)?$|^ServiceAccount$/u.test(kind)) return "rbac";
  const isWebhookObject =
    (kind === "Service" && endsWith(manifest, "webhook-service")) ||
    (kind === "Secret" && endsWith(manifest, "webhook-certificates"));
  if (isWebhookConfiguration(manifest) || isWebhookObject) return "webhook";
  if (kind === "Service" && endsWith(manifest, "metrics-service")) return "metrics";
  if (apiVersion.startsWith("cert-manager.io/") && (kind === "Certificate" || kind === "Issuer")) return "cert-manager";
  if (kind === "ServiceMonitor" || kind === "PrometheusRule") return "prometheus";
  return kind === "NetworkPolicy" ? "network-policy" : "extras";
}

/** Returns the name of an object's template, which no namespace but the manager's is omitted from. */
export function fileNameFor(manifest: Manifest, { bundle }: ChartFacts): string {
  const namespace = namespaceOf(manifest);
  const isElsewhere = manifest.kind.startsWith("Role") && namespace !== "" && namespace !== bundle.namespace;
  const name = `${suffixOf(nameOf(manifest), bundle)}${isElsewhere ? `-${namespace}` : ""}`;
  // Names of roles may have colons, and names of files had better not.
  return name.replaceAll(/[^\w.-]/gu, "-");
}

type From = (condition: string, ...rules: readonly Rule[]) => ObjectTemplate;

// What cert-manager puts in, unless the values have it. A manager that makes its certificates writes it into the cluster.
const CA_BUNDLE = lines("{{- with .Values.webhook.caBundle }}", "caBundle: {{ . }}", "{{- end }}");
const INJECTS_CA = "cert-manager.io/inject-ca-from";

const clientRule =
  (conversion: () => Conversion): Rule =>
  (path, key, value) => {
    const given = conversion();
    if (path.endsWith("clientConfig/service"))
      return [entry(key, convert(value, { path, key }, given)), ...(given.facts.isSelfManaged ? [] : [CA_BUNDLE])];
    return path.endsWith("clientConfig/caBundle") ? [] : undefined;
  };

function webhookRules(facts: ChartFacts, names: Names): readonly Rule[] {
  const conversion: Conversion = { facts, names, rules: [] };
  return [
    (path, key, value) =>
      path === "metadata/annotations" ? annotations(key, value as JsonMap, conversion) : undefined,
    clientRule(() => conversion),
  ];
}

function crdRules(manifest: Manifest, facts: ChartFacts, names: Names): readonly Rule[] {
  const conversion: Conversion = { facts, names, rules: [] };
  const given = mapAt(manifest, "metadata", "annotations");
  return [
    (path, key, value) =>
      path === "metadata" ? [entry(key, mapping(...withAnnotations(value as JsonMap, given, conversion)))] : undefined,
    // Schemas name nothing of the release.
    (path, key, value) => (path === "spec/versions" || path === "spec/names" ? [entry(key, plain(value))] : undefined),
    ...(facts.hasWebhooks ? [clientRule(() => conversion)] : []),
  ];
}

function withAnnotations(metadata: JsonMap, given: JsonMap, conversion: Conversion): readonly Entry[] {
  const { annotations: _annotations, ...rest } = metadata;
  const keep = when(".Values.crd.keep", entry("helm.sh/resource-policy", plain("keep")));
  return [...annotations("annotations", given, conversion, keep), ...entriesOf(rest, "metadata", conversion)];
}

// Annotations that may all be absent are absent as a whole.
function annotations(
  key: string,
  given: JsonMap,
  conversion: Conversion,
  first: readonly Entry[] = [],
): readonly Entry[] {
  const { [INJECTS_CA]: injected, ...always } = given;
  const enabled = ".Values.certManager.enabled";
  const at = "metadata/annotations";
  const injecting = injected === undefined ? [] : entriesOf({ [INJECTS_CA]: injected }, at, conversion);
  const kept = [...first, ...entriesOf(always, at, conversion)];
  const conditional = injecting.length === 0 ? [] : when(enabled, ...injecting);
  if (Object.keys(always).length > 0) return [entry(key, mapping(...kept, ...conditional))];
  if (first.length === 0) return injecting.length === 0 ? [] : when(enabled, entry(key, mapping(...injecting)));
  const condition = injecting.length === 0 ? ".Values.crd.keep" : `or .Values.crd.keep ${enabled}`;
  return when(condition, entry(key, mapping(...first, ...conditional)));
}

function isManagers(manifest: Manifest, { bundle }: ChartFacts): boolean {
  return nameOf(manifest) === bundle.serviceAccount && namespaceOf(manifest) === bundle.namespace;
}

function accountRules(facts: ChartFacts, names: Names): readonly Rule[] {
  const conversion: Conversion = { facts, names, rules: [] };
  return [
    (path, key, value) => {
      if (path !== "metadata") return undefined;
      const { labels: given = {}, annotations: noted = {}, name: _name, ...rest } = value as JsonMap;
      return [
        entry(
          key,
          mapping(
            ...labelled(given as JsonMap, conversion),
            ...annotated("annotations", noted as JsonMap, ".Values.serviceAccount.annotations"),
            entry("name", expression(names.serviceAccount)),
            ...entriesOf(rest, "metadata", conversion),
          ),
        ),
      ];
    },
  ];
}

function labelled(given: JsonMap, conversion: Conversion): readonly Entry[] {
  const values = ".Values.serviceAccount.labels";
  if (Object.keys(given).length === 0) return [fromValues("labels", values)];
  return [entry("labels", labels(given, conversion, values))];
}

/** Returns the annotations of an object that values add to. */
export function annotated(key: string, given: JsonMap, values: string): readonly Entry[] {
  const keys = Object.keys(given);
  if (keys.length === 0) return [fromValues(key, values)];
  return [entry(key, mapping(...keys.map((each) => entry(each, plain(given[each] ?? ""))), added(values, keys)))];
}

function roleCondition(manifest: Manifest, facts: ChartFacts): string {
  if (isMetricsRole(manifest)) return METRICS_TLS;
  if (isForCertificates(manifest, facts)) return WEBHOOKS;
  const roles = ["admin", "editor", "viewer"].flatMap((each) => [`-${each}-role`, `-${each}-rolebinding`]);
  return endsWith(manifest, ...roles) ? ".Values.rbac.helpers.enabled" : "";
}

function roleRules(manifest: Manifest, facts: ChartFacts, names: Names): readonly Rule[] {
  const { bundle } = facts;
  const conversion: Conversion = { facts, names, rules: [] };
  return [
    ...(canBeNamespaced(manifest) ? scopeRules(conversion) : []),
    (path, key, value) => (path === "aggregationRule" ? [entry(key, plain(value))] : undefined),
    (path, key, value) => {
      if (path !== "subjects") return undefined;
      const subjects = (value as Json[]).map((subject) => item(subjectNode(subject, conversion)));
      return [entry(key, list(...subjects))];
    },
    (path, key, value) => {
      const role = roleKeyOf(manifest, bundle);
      if (path !== "metadata/namespace" || role === undefined) return undefined;
      const text = `{{ index (.Values.rbac.roleNamespaces | default dict) "${role}" | default "${asText(value)}" }}`;
      return [entry(key, expression(text))];
    },
  ];
}

function subjectNode(subject: Json, conversion: Conversion): Node {
  const { facts, names } = conversion;
  const isManager =
    textAt(subject, "kind") === "ServiceAccount" &&
    textAt(subject, "name") === facts.bundle.serviceAccount &&
    textAt(subject, "namespace") === facts.bundle.namespace;
  const rule: Rule = (path, key) =>
    isManager && path === "subjects/*/name" ? [entry(key, expression(names.serviceAccount))] : undefined;
  return convert(subject, { path: "subjects/*", key: "subjects" }, { ...conversion, rules: [rule] });
}

// A role of the cluster that the values can make one of the release's namespace.
function scopeRules(conversion: Conversion): readonly Rule[] {
  const namespaced = ".Values.rbac.namespaced";
  const kindOf = (text: string): string =>
    `{{ if ${namespaced} }}${text.slice("Cluster".length)}{{ else }}${text}{{ end }}`;
  return [
    (path, key, value) => (path === "kind" ? [entry(key, expression(kindOf(asText(value))))] : undefined),
    (path, key, value) =>
      path === "metadata"
        ? [
            entry(
              key,
              mapping(
                ...entriesOf(value as JsonMap, "metadata", conversion),
                ...when(namespaced, entry("namespace", expression(conversion.names.namespace))),
              ),
            ),
          ]
        : undefined,
    (path, key, value) =>
      path === "roleRef/kind" && value === "ClusterRole" ? [entry(key, expression(kindOf("ClusterRole")))] : undefined,
  ];
}

function serviceTemplate(manifest: Manifest, from: From): ObjectTemplate {
  if (endsWith(manifest, "webhook-service"))
    return from(".Values.webhook.enabled", portRule("spec/ports/*/targetPort", ".Values.webhook.port"));
  if (!endsWith(manifest, "metrics-service")) return from("");
  return from(
    ".Values.metrics.enabled",
    portRule("spec/ports/*/port", ".Values.metrics.port"),
    portRule("spec/ports/*/targetPort", ".Values.metrics.port"),
    (path, key, value) =>
      path === "spec/ports/*/name" && value === "https" ? [entry(key, expression(SCHEME))] : undefined,
  );
}

function portRule(at: string, value: string): Rule {
  return (path, key, port) =>
    path === at && typeof port === "number" ? [entry(key, expression(`{{ ${value} }}`))] : undefined;
}

function certificateCondition(manifest: Manifest): string {
  const enabled = ".Values.certManager.enabled";
  if (manifest.kind === "Issuer") return enabled;
  if (endsWith(manifest, "metrics-certs", "metrics-cert"))
    return `and ${enabled} .Values.metrics.enabled .Values.metrics.secure`;
  return endsWith(manifest, "serving-cert") ? `and ${enabled} .Values.webhook.enabled` : enabled;
}

function policyTemplate(manifest: Manifest, { hasWebhooks }: ChartFacts, from: From): ObjectTemplate {
  const enabled = ".Values.networkPolicy.enabled";
  const port = "spec/ingress/*/ports/*/port";
  if (endsWith(manifest, "allow-webhook-traffic") && hasWebhooks)
    return from(`and ${enabled} .Values.webhook.enabled`, portRule(port, ".Values.webhook.port"));
  if (endsWith(manifest, "allow-metrics-traffic"))
    return from(`and ${enabled} .Values.metrics.enabled`, portRule(port, ".Values.metrics.port"));
  return from(enabled);
}

function monitorRules(facts: ChartFacts, names: Names): readonly Rule[] {
  const secure = ".Values.metrics.secure";
  const conversion: Conversion = { facts, names, rules: [] };
  return [
    (path, key, value) => {
      if (path !== "spec/endpoints") return undefined;
      const endpoints = (value as Json[]).map((each) => item(endpointNode(mapAt(each), conversion, secure)));
      return [entry(key, list(...endpoints))];
    },
  ];
}

function endpointNode(endpoint: JsonMap, conversion: Conversion, secure: string): Node {
  const { bearerTokenFile, tlsConfig, port, scheme, ...rest } = endpoint;
  const at = "spec/endpoints/*";
  const named = (key: string, value: Json | undefined): readonly Entry[] =>
    value === undefined ? [] : [entry(key, value === "https" ? expression(SCHEME) : plain(value))];
  return mapping(
    ...named("port", port),
    ...named("scheme", scheme),
    ...entriesOf(rest, at, conversion),
    ...when(
      secure,
      ...(bearerTokenFile === undefined ? [] : [entry("bearerTokenFile", plain(bearerTokenFile))]),
      ...(tlsConfig === undefined ? [] : [entry("tlsConfig", mapping(...tlsEntries(mapAt(tlsConfig), conversion)))]),
    ),
  );
}

// Without a certificate that others can verify, the endpoint has one that they cannot.
function tlsEntries(tls: JsonMap, conversion: Conversion): readonly Entry[] {
  const at = "spec/endpoints/*/tlsConfig";
  const { ca, cert, keySecret, insecureSkipVerify = false, ...rest } = tls;
  const certificates = Object.entries({ ca, cert, keySecret }).flatMap(([key, value]) =>
    value === undefined ? [] : entriesOf({ [key]: value }, at, conversion),
  );
  const always = entriesOf(rest, at, conversion);
  if (certificates.length === 0) return [...always, entry("insecureSkipVerify", plain(insecureSkipVerify))];
  const enabled = conversion.facts.isSelfManaged ? WEBHOOKS : ".Values.certManager.enabled";
  return [
    ...always,
    entry("insecureSkipVerify", expression(`{{ not ${enabled} }}`)),
    ...when(enabled, ...certificates),
  ];
}
