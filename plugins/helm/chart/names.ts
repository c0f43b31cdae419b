import { listAt, nameOf, textAt } from "kubescaffold/plugin";

import { type ChartFacts, suffixOf } from "./facts.ts";

/** Writes names as the release gives them. */
export interface Names {
  /** The name of an object by what is behind the prefix. */
  readonly resource: (suffix: string) => string;
  readonly app: string;
  readonly serviceAccount: string;
  readonly namespace: string;
  /** The Secret with the certificate of the webhook server, or of the metrics endpoint. */
  readonly webhookSecret: string;
  readonly metricsSecret: string;
  /** Returns what a text becomes that names objects of the project, or nothing where it names none. */
  readonly rewrite: (key: string, text: string) => string | undefined;
}

/** Returns how the names of a project are written in its chart. */
export function namesFor(facts: ChartFacts): Names {
  const { bundle, chart } = facts;
  const include = (helper: string): string => `{{ include "${chart}.${helper}" $ }}`;
  const resource = (suffix: string): string =>
    `{{ include "${chart}.resourceName" (dict "suffix" "${suffix}" "context" $) }}`;
  const known = new Set([bundle.manager, ...bundle.others].map(nameOf).filter((name) => hasPrefix(name, facts)));
  const named = (name: string): string => resource(suffixOf(name, bundle));
  const names = {
    resource,
    app: `{{ include "${chart}.name" $ | quote }}`,
    serviceAccount: include("serviceAccountName"),
    namespace: "{{ .Release.Namespace | quote }}",
    webhookSecret: facts.hasWebhooks
      ? `{{ .Values.webhook.secretName | default (include "${chart}.resourceName" (dict "suffix" "webhook-server-cert" "context" $)) }}`
      : resource("webhook-server-cert"),
    metricsSecret: resource("metrics-server-cert"),
  };
  const secrets = secretNames(facts, names);
  const rewrite = (key: string, text: string): string | undefined => {
    if (key === "namespace" && text === bundle.namespace) return names.namespace;
    if (/name$|^resourceNames$/iu.test(key)) {
      if (secrets.has(text)) return secrets.get(text);
      if (known.has(text)) return named(text);
    }
    return rewriteParts(text, { facts, known, named });
  };
  return { ...names, rewrite };
}

function hasPrefix(name: string, { bundle }: ChartFacts): boolean {
  return bundle.prefix !== "" && name.startsWith(bundle.prefix);
}

// The Secrets of certificates belong to a release as everything else does: two of them in one namespace have two.
function secretNames(
  { bundle }: ChartFacts,
  { webhookSecret, metricsSecret }: Pick<Names, "webhookSecret" | "metricsSecret">,
): ReadonlyMap<string, string> {
  const volumes = listAt(bundle.manager, "spec", "template", "spec", "volumes");
  const secretOf = (name: string): string =>
    textAt(
      volumes.find((each) => textAt(each, "name") === name),
      "secret",
      "secretName",
    );
  const pairs = [
    [secretOf("webhook-certs") || "webhook-server-cert", webhookSecret],
    [secretOf("metrics-certs") || "metrics-server-cert", metricsSecret],
  ] as const;
  return new Map(pairs);
}

// Names of Services in DNS names, and of objects behind their namespace.
function rewriteParts(
  text: string,
  {
    facts: { bundle, hasMetrics },
    known,
    named,
  }: { readonly facts: ChartFacts; readonly known: ReadonlySet<string>; readonly named: (name: string) => string },
): string | undefined {
  const dns = /^(?<name>[^./]+)\.(?<namespace>[^./]+)(?<rest>\.svc.*)$/u.exec(text)?.groups;
  const metrics = `${bundle.prefix}controller-manager-metrics-service`;
  // Kustomize fills these in only where the metrics endpoint has a certificate.
  if (dns?.["name"] === "SERVICE_NAME" && hasMetrics && known.has(metrics))
    return `${named(metrics)}.{{ .Release.Namespace }}${dns["rest"] ?? ""}`;
  if (dns !== undefined && known.has(dns["name"] ?? "") && dns["namespace"] === bundle.namespace)
    return `${named(dns["name"] ?? "")}.{{ .Release.Namespace }}${dns["rest"] ?? ""}`;
  const [namespace, name = "", ...more] = text.split("/");
  if (namespace === bundle.namespace && known.has(name) && more.length === 0)
    return `{{ .Release.Namespace }}/${named(name)}`;
  return undefined;
}
