/** An object of a kind of Kubernetes that API servers take, for a generated test. */
export interface CoreSample {
  /** Some kinds take only names that say something. */
  readonly name: string;
  readonly isNamespaced: boolean;
  /** What is beside the metadata, as lines that are indented by four blanks. */
  readonly fields: readonly string[];
}

/** Returns a sample of a kind by its qualified group; one of metadata alone where that is enough. */
export function coreSampleOf(group: string, kind: string): CoreSample {
  const key = `${group}/${kind}`;
  return {
    name: NAMES[key] ?? "test-resource",
    isNamespaced: !CLUSTER_SCOPED.has(key),
    fields: (FIELDS[key] ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `    ${line}`),
  };
}

const NAMES: Readonly<Record<string, string>> = {
  "apiextensions.k8s.io/CustomResourceDefinition": "tests.example.com",
  "apiregistration.k8s.io/APIService": "v1.tests.example.com",
  "networking.k8s.io/IPAddress": "192.0.2.1",
};

const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  "/Namespace",
  "/Node",
  "/PersistentVolume",
  "admissionregistration.k8s.io/MutatingAdmissionPolicy",
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/CustomResourceDefinition",
  "apiregistration.k8s.io/APIService",
  "certificates.k8s.io/CertificateSigningRequest",
  "certificates.k8s.io/ClusterTrustBundle",
  "flowcontrol.apiserver.k8s.io/FlowSchema",
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration",
  "networking.k8s.io/IngressClass",
  "networking.k8s.io/IPAddress",
  "networking.k8s.io/ServiceCIDR",
  "node.k8s.io/RuntimeClass",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "resource.k8s.io/DeviceClass",
  "resource.k8s.io/DeviceTaintRule",
  "resource.k8s.io/ResourceSlice",
  "scheduling.k8s.io/PriorityClass",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/VolumeAttachment",
  "storage.k8s.io/VolumeAttributesClass",
  "storagemigration.k8s.io/StorageVersionMigration",
]);

const POD_SPEC = `spec: { containers: [{ name: "test", image: "example.com/test:1" }] },`;

const TEMPLATE = `template: {
    metadata: { labels: { app: "test" } },
    ${POD_SPEC}
  },`;

const WORKLOAD = `spec: {
  selector: { matchLabels: { app: "test" } },
  ${TEMPLATE}
},`;

const POD_IN_TEMPLATE = `spec: {
  containers: [{ name: "test", image: "example.com/test:1" }],
  restartPolicy: "Never",
}`;

const JOB_SPEC = `template: {
    ${POD_IN_TEMPLATE.replaceAll("\n", "\n    ")},
  },`;

// A request for the certificate of nobody in particular.
const CERTIFICATE_REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

// A request in DER, for an Ed25519 key.
// cspell:disable
const STUB_REQUEST =
  "MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhALPQArPRDYyJ0WQbrExXwDyUmgzcBk7TcWnfws8Eu+OEoAAwBQYDK2VwA0EA+OtmoBndRglhda3meJvTDerOpN+sh7kEd5vUeh8/etT9yHZW+s7rjzCOgj7V3lqwH5PUbEKc6LLDC2SgnvVaAg==";
// cspell:enable

// The certificate of an authority that signs nothing.
// cspell:disable-next-line
const CERTIFICATE = String.raw`-----BEGIN CERTIFICATE-----\nMIIBNDCB56ADAgECAhRtyZrift6q+hYTUE3OEv5sdtFAojAFBgMrZXAwDzENMAsG\nA1UEAwwEdGVzdDAgFw0yNjExMzAxMjE5MDNaGA8yMTI2MTEwNjEyMTkwM1owDzEN\nMAsGA1UEAwwEdGVzdDAqMAUGAytlcAMhAHPe7u93ThSP+OYFTgdKMMKJC06l27x9\nJTUHm6cGoW7Jo1MwUTAdBgNVHQ4EFgQUMnp0ZN+P49XU9OUKU6clCcyS0w8wHwYD\nVR0jBBgwFoAUMnp0ZN+P49XU9OUKU6clCcyS0w8wDwYDVR0TAQH/BAUwAwEB/zAF\nBgMrZXADQQCX43vH0UZPwQvOA0Nr479sIO7e9Nm+GhWSN2/oZ7yQRvX5yYxXsnKy\nMtJI5F9DpEGZdXKOH6SZ1FZKfmny4JUO\n-----END CERTIFICATE-----\n`;

const FIELDS: Readonly<Record<string, string>> = {
  "/Event": `involvedObject: { namespace: "default", kind: "Pod", name: "test" },`,
  "/LimitRange": `spec: { limits: [] },`,
  "/PersistentVolume": `spec: {
  accessModes: ["ReadWriteOnce"],
  capacity: { storage: "1Gi" },
  hostPath: { path: "/data" },
},`,
  "/PersistentVolumeClaim": `spec: {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
},`,
  "/Pod": POD_SPEC,
  "/PodTemplate": TEMPLATE.replaceAll("\n  ", "\n"),
  "/ReplicationController": `spec: {
  selector: { app: "test" },
  ${TEMPLATE}
},`,
  "/Service": `spec: { ports: [{ port: 80 }] },`,
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": `spec: {
  matchConstraints: {
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nodes"] }],
  },
  mutations: [
    {
      patchType: "JSONPatch",
      jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels", value: {}}]' },
    },
  ],
  reinvocationPolicy: "Never",
},`,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": `spec: { policyName: "test" },`,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": `spec: {
  matchConstraints: {
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nodes"] }],
  },
  validations: [{ expression: "true" }],
},`,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": `spec: { policyName: "test", validationActions: ["Audit"] },`,
  "apiextensions.k8s.io/CustomResourceDefinition": `spec: {
  group: "example.com",
  names: { kind: "Test", plural: "tests" },
  scope: "Namespaced",
  versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
},`,
  "apiregistration.k8s.io/APIService": `spec: {
  group: "tests.example.com",
  version: "v1",
  groupPriorityMinimum: 1000,
  versionPriority: 15,
},`,
  "apps/ControllerRevision": `data: { replicas: 1 },
revision: 1,`,
  "apps/DaemonSet": WORKLOAD,
  "apps/Deployment": WORKLOAD,
  "apps/ReplicaSet": WORKLOAD,
  "apps/StatefulSet": WORKLOAD.replace("spec: {\n", 'spec: {\n  serviceName: "test",\n'),
  "autoscaling/HorizontalPodAutoscaler": `spec: {
  maxReplicas: 2,
  scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "test" },
},`,
  "batch/CronJob": `spec: {
  schedule: "0 0 * * *",
  jobTemplate: {
    spec: {
      ${JOB_SPEC.replaceAll("\n", "\n    ")}
    },
  },
},`,
  "batch/Job": `spec: {
  ${JOB_SPEC}
},`,
  "certificates.k8s.io/CertificateSigningRequest": `spec: {
  request: "${CERTIFICATE_REQUEST}",
  signerName: "example.com/test",
  usages: ["client auth"],
},`,
  "certificates.k8s.io/ClusterTrustBundle": `spec: {
  trustBundle: "${CERTIFICATE}",
},`,
  "certificates.k8s.io/PodCertificateRequest": `spec: {
  signerName: "example.com/test",
  podName: "test",
  podUID: "test",
  serviceAccountName: "default",
  serviceAccountUID: "test",
  nodeName: "test",
  nodeUID: "test",
  stubPKCS10Request: "${STUB_REQUEST}",
},`,
  "discovery.k8s.io/EndpointSlice": `addressType: "IPv4",
endpoints: [],`,
  "events.k8s.io/Event": `eventTime: "2026-01-01T00:00:00.000000Z",
action: "Test",
reason: "Test",
reportingController: "example.com/test",
reportingInstance: "test",
regarding: { namespace: "default", kind: "Pod", name: "test" },
type: "Normal",`,
  "flowcontrol.apiserver.k8s.io/FlowSchema": `spec: { priorityLevelConfiguration: { name: "exempt" } },`,
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": `spec: {
  type: "Limited",
  limited: { limitResponse: { type: "Reject" } },
},`,
  "networking.k8s.io/IPAddress": `spec: { parentRef: { resource: "services", namespace: "default", name: "test" } },`,
  "networking.k8s.io/Ingress": `spec: { defaultBackend: { service: { name: "test", port: { number: 80 } } } },`,
  "networking.k8s.io/IngressClass": `spec: { controller: "example.com/test" },`,
  "networking.k8s.io/NetworkPolicy": `spec: { podSelector: {} },`,
  "networking.k8s.io/ServiceCIDR": `spec: { cidrs: ["192.0.2.0/24"] },`,
  "node.k8s.io/RuntimeClass": `handler: "test",`,
  "policy/PodDisruptionBudget": `spec: { selector: { matchLabels: { app: "test" } } },`,
  "rbac.authorization.k8s.io/ClusterRole": `rules: [],`,
  "rbac.authorization.k8s.io/ClusterRoleBinding": `roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },`,
  "rbac.authorization.k8s.io/Role": `rules: [],`,
  "rbac.authorization.k8s.io/RoleBinding": `roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },`,
  "resource.k8s.io/DeviceClass": `spec: {},`,
  "resource.k8s.io/DeviceTaintRule": `spec: { taint: { key: "example.com/test", effect: "NoSchedule" } },`,
  "resource.k8s.io/ResourceClaim": `spec: {},`,
  "resource.k8s.io/ResourceClaimTemplate": `spec: { spec: {} },`,
  "resource.k8s.io/ResourceSlice": `spec: {
  driver: "test.example.com",
  nodeName: "test",
  pool: { name: "test", generation: 1, resourceSliceCount: 1 },
},`,
  "scheduling.k8s.io/PriorityClass": `value: 1,`,
  "storage.k8s.io/CSIDriver": `spec: {},`,
  "storage.k8s.io/CSINode": `spec: { drivers: [] },`,
  "storage.k8s.io/CSIStorageCapacity": `storageClassName: "test",`,
  "storage.k8s.io/StorageClass": `provisioner: "example.com/test",`,
  "storage.k8s.io/VolumeAttachment": `spec: {
  attacher: "test.example.com",
  nodeName: "test",
  source: { persistentVolumeName: "test" },
},`,
  "storage.k8s.io/VolumeAttributesClass": `driverName: "example.com/test",
parameters: { test: "true" },`,
  "storagemigration.k8s.io/StorageVersionMigration": `spec: { resource: { group: "example.com", resource: "tests" } },`,
};
