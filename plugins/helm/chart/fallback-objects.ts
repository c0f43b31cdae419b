import type { JsonMap, Manifest } from "kubescaffold/plugin";

import type { ChartFacts } from "./facts.ts";

/**
 * Returns objects that this project has not enabled, so that values of the chart can: a ServiceMonitor and network policies.
 *
 * They are those of config/prometheus and config/network-policy.
 */
export function fallbackObjects(facts: ChartFacts): readonly Manifest[] {
  return [
    ...(facts.hasMonitor || !facts.hasMetrics ? [] : [monitor(facts)]),
    ...(facts.hasPolicies ? [] : policies(facts)),
  ];
}

function monitor(facts: ChartFacts): Manifest {
  const { bundle, hasMetricsCertificate } = facts;
  const key = (name: string): JsonMap => ({ name: "metrics-server-cert", key: name });
  const verified = {
    serverName: `${bundle.prefix}controller-manager-metrics-service.${bundle.namespace}.svc`,
    ca: { secret: key("ca.crt") },
    cert: { secret: key("tls.crt") },
    keySecret: key("tls.key"),
  };
  return objectOf(facts, {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    name: "controller-manager-metrics-monitor",
    spec: {
      endpoints: [
        {
          path: "/metrics",
          port: "https",
          scheme: "https",
          bearerTokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token",
          tlsConfig: hasMetricsCertificate ? verified : { insecureSkipVerify: true },
        },
      ],
      selector: { matchLabels: selector(facts) },
    },
  });
}

function policies(facts: ChartFacts): readonly Manifest[] {
  const { ports, hasMetrics, hasWebhooks } = facts;
  const readers = [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }];
  // The API server, which calls webhooks, is in no namespace.
  return [
    ...(hasMetrics ? [policy(facts, "allow-metrics-traffic", { from: readers, ports: [tcp(ports.metrics)] })] : []),
    ...(hasWebhooks ? [policy(facts, "allow-webhook-traffic", { ports: [tcp(ports.webhook)] })] : []),
  ];
}

function tcp(port: number): JsonMap {
  return { port, protocol: "TCP" };
}

function policy(facts: ChartFacts, name: string, rule: JsonMap): Manifest {
  return objectOf(facts, {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    name,
    spec: { podSelector: { matchLabels: selector(facts) }, policyTypes: ["Ingress"], ingress: [rule] },
  });
}

function objectOf(
  facts: ChartFacts,
  {
    name,
    spec,
    ...head
  }: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly spec: JsonMap },
): Manifest {
  const { namespace, prefix } = facts.bundle;
  const labels = head.kind === "ServiceMonitor" ? selector(facts) : appLabel(facts);
  return { ...head, metadata: { labels, name: `${prefix}${name}`, namespace }, spec };
}

function selector(facts: ChartFacts): JsonMap {
  return { "control-plane": "controller-manager", ...appLabel(facts) };
}

function appLabel({ bundle: { appName } }: ChartFacts): JsonMap {
  return appName === "" ? {} : { "app.kubernetes.io/name": appName };
}
