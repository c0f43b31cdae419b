import { Environment } from "@kubescaffold/envtest";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ApplyConfiguration, LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { AppliedConfigurations, isApplied } from "../../src/dependents/applied-already.ts";

const environment = new Environment({ startTimeoutMs: 120_000 });
const FIELD_OWNER = "applied-on-server";
let client: LiveClient;

beforeAll(async () => {
  client = createClient(await environment.start());
}, 120_000);

afterAll(async () => {
  await environment.stop();
});

const labels = { app: "sample" };
const selector = { matchLabels: labels };
const containers = [
  {
    name: "web",
    image: "nginx:1.29",
    ports: [{ containerPort: 80 }],
    env: [
      { name: "A", value: "1" },
      { name: "POD", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
    ],
    resources: { requests: { cpu: "1000m", memory: "1024Mi" }, limits: { memory: "1Gi" } },
    readinessProbe: { httpGet: { path: "/", port: 80 } },
    volumeMounts: [{ name: "config", mountPath: "/etc/config" }],
  },
];
const template = {
  metadata: { labels },
  spec: {
    containers,
    volumes: [
      { name: "config", configMap: { name: "config" } },
      { name: "empty", emptyDir: {} },
    ],
    tolerations: [{ key: "spot", operator: "Exists" }],
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway", labelSelector: selector },
    ],
  },
};
const once = { metadata: { labels }, spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a:1" }] } };
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
const role = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "sample" };
const backend = { service: { name: "sample", port: { number: 80 } } };
const OWN_NAME = { fieldRef: { fieldPath: "metadata.name" } };
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } };
const data = { metadata: { name: "data" }, spec: claim };

// The kinds that operators mostly create, with the fields that servers default or convert.
const CONFIGURATIONS: readonly (readonly [apiVersion: string, kind: string, fields: object])[] = [
  ["v1", "ConfigMap", { data: { a: "1" }, binaryData: { b: "AAE=" } }],
  ["v1", "Secret", { type: "Opaque", data: { a: "MQ==" } }],
  ["v1", "ServiceAccount", { automountServiceAccountToken: false }],
  ["v1", "Service", { spec: { selector: labels, ports: [{ port: 80 }] } }],
  ["v1", "PersistentVolumeClaim", { spec: claim }],
  ["apps/v1", "Deployment", { spec: { replicas: 2, selector, template } }],
  ["apps/v1", "DaemonSet", { spec: { selector, template } }],
  ["apps/v1", "StatefulSet", { spec: { serviceName: "a", selector, template } }],
  ["batch/v1", "Job", { spec: { template: once } }],
  [
    "batch/v1",
    "CronJob",
    { spec: { schedule: "* * * * *", suspend: true, jobTemplate: { spec: { template: once } } } },
  ],
  ["rbac.authorization.k8s.io/v1", "Role", { rules }],
  [
    "rbac.authorization.k8s.io/v1",
    "RoleBinding",
    { roleRef: role, subjects: [{ kind: "ServiceAccount", name: "a", namespace: "default" }] },
  ],
  ["policy/v1", "PodDisruptionBudget", { spec: { selector, maxUnavailable: "50%" } }],
  [
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "sample" } } },
  ],
  [
    "networking.k8s.io/v1",
    "Ingress",
    { spec: { rules: [{ host: "a.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] } },
  ],
  [
    "networking.k8s.io/v1",
    "NetworkPolicy",
    {
      spec: { podSelector: selector, policyTypes: ["Ingress"], ingress: [{ ports: [{ port: 80, protocol: "TCP" }] }] },
    },
  ],
];

// Servers set defaults in values that are applied as a whole, and convert other fields.
const CONVERTED: typeof CONFIGURATIONS = [
  ["v1", "Secret", { stringData: { a: "1" } }],
  ["v1", "Pod", { spec: { containers: [{ name: "a", image: "a:1", env: [{ name: "A", valueFrom: OWN_NAME }] }] } }],
  ["apps/v1", "StatefulSet", { spec: { serviceName: "a", selector, template, volumeClaimTemplates: [data] } }],
  ["networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: selector, ingress: [{ ports: [{ port: 80 }] }] } }],
];

async function apply(apiVersion: string, kind: string, fields: object, name = "sample") {
  const metadata = { name, namespace: "default", labels, annotations: { a: "b" } };
  const configuration = { apiVersion, kind, metadata, ...fields } as ApplyConfiguration;
  const options = { fieldOwner: FIELD_OWNER, forceOwnership: true };
  const existing = await client.apply<KubernetesObject>(configuration, options);
  return { existing, configuration, fieldOwner: FIELD_OWNER, schema: undefined };
}

describe("an apply that repeats the former one", () => {
  it.each(CONFIGURATIONS)("is recognized for %s %s", async (apiVersion, kind, fields) => {
    const applied = await apply(apiVersion, kind, fields);
    expect(isApplied(applied)).toBe(true);
    const changed = { ...applied.configuration, metadata: { ...applied.configuration.metadata, labels: {} } };
    expect(isApplied({ ...applied, configuration: changed })).toBe(false);
  });

  it.each(CONVERTED)(
    "is remembered for %s %s with fields that the server converts",
    async (apiVersion, kind, fields) => {
      const applied = await apply(apiVersion, kind, fields, "converted");
      const known = new AppliedConfigurations();
      expect(isApplied(applied)).toBe(false);
      known.record("default/one", "a", applied);
      expect(known.isKnown("default/one", "a", applied)).toBe(true);
      expect(known.isKnown("default/one", "b", applied)).toBe(false);
      const { existing } = await apply(apiVersion, kind, {
        ...fields,
        metadata: { name: "converted", namespace: "default" },
      });
      expect(known.isKnown("default/one", "a", { ...applied, existing })).toBe(false);
      known.forget("default/one");
      expect(known.isKnown("default/one", "a", applied)).toBe(false);
    },
  );
});
