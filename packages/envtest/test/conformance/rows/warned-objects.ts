import type { Json } from "../row.ts";
import { KEY_PAIRS } from "./key-pairs.ts";

const OLD_LABELS = {
  "beta.kubernetes.io/arch": "a",
  "beta.kubernetes.io/os": "a",
  "failure-domain.beta.kubernetes.io/region": "a",
  "failure-domain.beta.kubernetes.io/zone": "a",
  "beta.kubernetes.io/instance-type": "a",
  "app.kubernetes.io/created-by": "a",
  "scheduler.alpha.kubernetes.io/preferAvoidPods": "a",
  "node-role.kubernetes.io/master": "a",
} as const;
const OLD_KEYS = Object.keys(OLD_LABELS);
const OLD_EXPRESSIONS = OLD_KEYS.map((key) => ({ key, operator: "In", values: ["a"] }));
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
const TERM = { topologyKey: "a" };

/** A specification of Pods with a warning for each rule about containers and their surroundings. */
export const POD_SPEC_WITH_WARNINGS: Json = {
  nodeSelector: OLD_LABELS,
  affinity: {
    nodeAffinity: {
      [REQUIRED]: { nodeSelectorTerms: [{ matchExpressions: OLD_EXPRESSIONS }] },
      [PREFERRED]: [
        {
          weight: 1,
          preference: { matchExpressions: [...OLD_EXPRESSIONS, { key: "a", operator: "In", values: ["a b", "-"] }] },
        },
      ],
    },
    podAffinity: { [REQUIRED]: [TERM], [PREFERRED]: [{ weight: 1, podAffinityTerm: TERM }] },
    podAntiAffinity: { [REQUIRED]: [TERM], [PREFERRED]: [{ weight: 1, podAffinityTerm: TERM }] },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "beta.kubernetes.io/arch", whenUnsatisfiable: "DoNotSchedule" },
    { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule", labelSelector: {} },
  ],
  hostAliases: [
    { ip: "010.0.0.1", hostnames: ["a"] },
    { ip: "010.0.0.1", hostnames: ["b"] },
    { ip: "::ffff:10.0.0.1", hostnames: ["b"] },
    { ip: "FD00::1", hostnames: ["b"] },
  ],
  imagePullSecrets: [{ name: "a" }, { name: "a" }, { name: "" }, {}],
  dnsConfig: { nameservers: ["010.0.0.1", "fd00:0::1"] },
  overhead: { memory: "1500m", "ephemeral-storage": "100m" },
  runtimeClassName: "none",
  terminationGracePeriodSeconds: -1,
  initContainers: [{ name: "init", image: "main:1", ports: [{ containerPort: 80, name: "web" }] }],
  containers: [
    {
      name: "main",
      image: "main:1",
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
        { name: "A", value: "$(A)" },
        { name: "A", value: "$(A)3" },
        { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      ],
      ports: [
        { containerPort: 80, name: "web" },
        { containerPort: 80, protocol: "UDP" },
        { containerPort: 80, hostPort: 8080 },
        { containerPort: 81, hostPort: 8081 },
        { containerPort: 81, hostPort: 8082 },
        { containerPort: 82, hostPort: 8083 },
        { containerPort: 82, hostPort: 8083, hostIP: "127.0.0.1" },
        { containerPort: 83, hostIP: "127.0.0.1" },
        { containerPort: 83, hostIP: "127.0.0.2", name: "a", protocol: "SCTP" },
      ],
      resources: {
        limits: { memory: "1500m", "ephemeral-storage": "2500m" },
        requests: { memory: "1100m", "ephemeral-storage": "0.1" },
      },
    },
    {
      name: "side",
      image: "main:1",
      ports: [
        { containerPort: 80, name: "web" },
        { containerPort: 80, name: "b" },
      ],
    },
  ],
};

const { runtimeClassName: _class, overhead: _overhead, ...VALID_POD_SPEC } = POD_SPEC_WITH_WARNINGS;
const PLAIN_POD_SPEC = { containers: [{ name: "main", image: "main:1" }] };
const ITEMS = [
  { key: "a", path: "a" },
  { key: "b", path: "a/b" },
  { key: "c", path: "a" },
  { key: "d", path: "ab/" },
  { key: "e", path: "ab" },
];
const FIELDS = [
  { path: "a", fieldRef: { fieldPath: "metadata.name" } },
  { path: "a/b", fieldRef: { fieldPath: "metadata.name" } },
];
const CLAIM_SPEC = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1500m" }, limits: { storage: "2500m" } },
};
const VOLUMES: readonly Json[] = [
  { name: "photon", photonPersistentDisk: { pdID: "a" } },
  { name: "git", gitRepo: { repository: "a" } },
  { name: "scale", scaleIO: { gateway: "a", system: "a", secretRef: { name: "a" }, volumeName: "a" } },
  { name: "flocker", flocker: { datasetName: "a" } },
  { name: "storageos", storageos: { volumeName: "a", volumeNamespace: "a" } },
  { name: "quobyte", quobyte: { registry: "a:1", volume: "a" } },
  { name: "glusterfs", glusterfs: { endpoints: "a", path: "a" } },
  { name: "ceph", cephfs: { monitors: ["a"] } },
  { name: "rbd", rbd: { monitors: ["a"], image: "a" } },
  { name: "map", configMap: { name: "a", items: ITEMS } },
  { name: "secret", secret: { secretName: "a", items: ITEMS } },
  { name: "downward", downwardAPI: { items: FIELDS } },
  {
    name: "projected",
    projected: {
      sources: [
        { configMap: { name: "a", items: [{ key: "a", path: "a" }] } },
        { secret: { name: "a", items: [{ key: "a", path: "a/b" }] } },
        { downwardAPI: { items: [{ path: "a/b/c", fieldRef: { fieldPath: "metadata.name" } }] } },
        { clusterTrustBundle: { name: "a", path: "b" } },
        { clusterTrustBundle: { signerName: "example.com/a", path: "b/c", labelSelector: {} } },
        { configMap: { name: "whole" } },
      ],
    },
  },
  { name: "ephemeral", ephemeral: { volumeClaimTemplate: { spec: CLAIM_SPEC } } },
];
const OLD_ANNOTATIONS = {
  "scheduler.alpha.kubernetes.io/critical-pod": "",
  "security.alpha.kubernetes.io/sysctls": "",
  "security.alpha.kubernetes.io/unsafe-sysctls": "",
  "seccomp.security.alpha.kubernetes.io/pod": "unconfined",
  "container.seccomp.security.alpha.kubernetes.io/main": "unconfined",
  "container.apparmor.security.beta.kubernetes.io/main": "localhost/a",
};
const TEMPLATE = { metadata: { labels: { app: "a" }, annotations: OLD_ANNOTATIONS }, spec: POD_SPEC_WITH_WARNINGS };
const SELECTOR = { matchLabels: { app: "a" } };
const NEVER = { ...TEMPLATE, spec: { ...POD_SPEC_WITH_WARNINGS, restartPolicy: "Never" } };
const CORE = "/api/v1/namespaces/{namespace}";
const APPS = "/apis/apps/v1/namespaces/{namespace}";
const ADDRESSES = ["010.0.0.1", "::ffff:10.0.0.1", "FD00::1", "fd00:0::1", "10.0.0.1"];
const RANGES = [
  "010.0.0.0/8",
  "10.0.0.1/8",
  "10.0.0.0/08",
  "::ffff:10.0.0.0/104",
  "::ffff:10.0.0.1/104",
  "fd00:0::/64",
  "FD00::1/64",
  "fd00::/64",
  "10.0.0.0/8",
  "010.0.0.1/8",
  "::ffff:10.0.0.1/80",
];
const named = (object: Json, name = "a"): Json => ({ metadata: { name }, ...object });

/** Objects with warnings: a title, the collection, and the object. */
export const WARNED_OBJECTS: readonly (readonly [title: string, path: string, object: Json])[] = [
  ["a Pod", `${CORE}/pods`, named({ spec: VALID_POD_SPEC }, "a.b")],
  [
    "a Pod with a negative grace period",
    `${CORE}/pods`,
    named({ spec: { ...PLAIN_POD_SPEC, terminationGracePeriodSeconds: -1 } }),
  ],
  ["the volumes of a Pod", `${CORE}/pods`, named({ spec: { ...PLAIN_POD_SPEC, volumes: VOLUMES } })],
  [
    "the annotations of a Pod",
    `${CORE}/pods`,
    { metadata: { name: "a", annotations: OLD_ANNOTATIONS }, spec: PLAIN_POD_SPEC },
  ],
  ...["unconfined", "runtime/default", "localhost/", "localhost/a b "].map(
    (profile) =>
      [
        `a Pod with the AppArmor profile ${profile} in an annotation`,
        `${CORE}/pods`,
        {
          metadata: { name: "a", annotations: { "container.apparmor.security.beta.kubernetes.io/main": profile } },
          spec: { ...PLAIN_POD_SPEC, securityContext: { appArmorProfile: { type: "Unconfined" } } },
        },
      ] as const,
  ),
  ["a PodTemplate", `${CORE}/podtemplates`, named({ template: TEMPLATE })],
  [
    "a ReplicationController",
    `${CORE}/replicationcontrollers`,
    named({ spec: { selector: { app: "a" }, template: TEMPLATE } }, "a.b"),
  ],
  ["a Deployment", `${APPS}/deployments`, named({ spec: { selector: SELECTOR, template: TEMPLATE } }, "a.b")],
  ["a ReplicaSet", `${APPS}/replicasets`, named({ spec: { selector: SELECTOR, template: TEMPLATE } }, "a.b")],
  ["a DaemonSet", `${APPS}/daemonsets`, named({ spec: { selector: SELECTOR, template: TEMPLATE } }, "a.b")],
  [
    "a StatefulSet",
    `${APPS}/statefulsets`,
    named({
      spec: {
        selector: SELECTOR,
        serviceName: "a",
        template: TEMPLATE,
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [{ metadata: { name: "data" }, spec: CLAIM_SPEC }],
      },
    }),
  ],
  [
    "a Job",
    "/apis/batch/v1/namespaces/{namespace}/jobs",
    named({ spec: { template: NEVER, completionMode: "Indexed", completions: 100_001, parallelism: 10_001 } }),
  ],
  [
    "a CronJob",
    "/apis/batch/v1/namespaces/{namespace}/cronjobs",
    named({ spec: { schedule: "@hourly", jobTemplate: { spec: { template: NEVER } } } }, "a.b"),
  ],
  [
    "a Service",
    `${CORE}/services`,
    {
      metadata: { name: "a", annotations: { "service.kubernetes.io/topology-aware-hints": "auto" } },
      spec: {
        type: "LoadBalancer",
        ports: [{ port: 80 }],
        externalIPs: ADDRESSES,
        loadBalancerIP: "010.0.0.1",
        loadBalancerSourceRanges: RANGES,
        trafficDistribution: "PreferClose",
        externalName: "a.example.com",
      },
    },
  ],
  [
    "a headless Service",
    `${CORE}/services`,
    named({
      spec: {
        clusterIP: "None",
        externalIPs: ["192.0.2.1"],
        sessionAffinity: "ClientIP",
        ports: [{ port: 80 }],
        loadBalancerIP: "a",
      },
    }),
  ],
  [
    "a Service of a name",
    `${CORE}/services`,
    named({ spec: { type: "ExternalName", externalName: "a.example.com", externalIPs: ["192.0.2.1"] } }),
  ],
  [
    "Endpoints",
    `${CORE}/endpoints`,
    named({
      subsets: [
        { addresses: ADDRESSES.map((ip) => ({ ip })), notReadyAddresses: [{ ip: "010.0.0.1" }], ports: [{ port: 80 }] },
      ],
    }),
  ],
  [
    "an EndpointSlice of IPv4",
    "/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices",
    named({ addressType: "IPv4", endpoints: [{ addresses: ["010.0.0.1"] }], ports: [] }),
  ],
  [
    "an EndpointSlice of IPv6",
    "/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices",
    named({ addressType: "IPv6", endpoints: [{ addresses: ["FD00::1"] }], ports: [] }),
  ],
  [
    "an EndpointSlice of names",
    "/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices",
    named({ addressType: "FQDN", endpoints: [{ addresses: ["a.example.com"] }], ports: [] }),
  ],
  [
    "a managed EndpointSlice",
    "/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices",
    {
      metadata: { name: "a", labels: { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["010.0.0.1"] }],
      ports: [],
    },
  ],
  ...RANGES.map(
    (cidr) =>
      [
        `a NetworkPolicy with the range ${cidr}`,
        "/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies",
        named({
          spec: {
            podSelector: {},
            ingress: [{ from: [{ ipBlock: { cidr } }] }],
            egress: [{ to: [{ ipBlock: { cidr: "0.0.0.0/0", except: ["10.1.0.1/16"] } }] }],
          },
        }),
      ] as const,
  ),
  ...RANGES.map(
    (range) =>
      [
        `a Node with the range ${range}`,
        "/api/v1/nodes",
        named({ spec: { podCIDR: range, externalID: "a" } }),
      ] as const,
  ),
  [
    "a Node with a source of its configuration",
    "/api/v1/nodes",
    named({ spec: { configSource: { configMap: { namespace: "a", name: "a", kubeletConfigKey: "a" } } } }),
  ],
  ...RANGES.map(
    (range) =>
      [
        `a ServiceCIDR ${range}`,
        "/apis/networking.k8s.io/v1/servicecidrs",
        named({ spec: { cidrs: [range] } }),
      ] as const,
  ),
  [
    "a PersistentVolumeClaim",
    `${CORE}/persistentvolumeclaims`,
    { metadata: { name: "a", annotations: { "volume.beta.kubernetes.io/storage-class": "a" } }, spec: CLAIM_SPEC },
  ],
  ...["cephfs", "photonPersistentDisk", "scaleIO", "storageos", "glusterfs", "rbd"].map(
    (source) =>
      [
        `a PersistentVolume of ${source}`,
        "/api/v1/persistentvolumes",
        {
          metadata: {
            name: "a",
            annotations: {
              "volume.beta.kubernetes.io/storage-class": "a",
              ...(source === "scaleIO" ? {} : { "volume.beta.kubernetes.io/mount-options": "a" }),
            },
          },
          spec: {
            accessModes: ["ReadWriteOnce"],
            capacity: { storage: "1Gi" },
            nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: OLD_EXPRESSIONS }] } },
            ...VOLUMES.find((volume) => volume[source] !== undefined),
            name: undefined,
            ...(source === "scaleIO"
              ? { scaleIO: { gateway: "a", system: "a", secretRef: { name: "a", namespace: "a" }, volumeName: "a" } }
              : {}),
          },
        },
      ] as const,
  ),
  [
    "a PersistentVolume that is recycled",
    "/api/v1/persistentvolumes",
    named({
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        persistentVolumeReclaimPolicy: "Recycle",
        hostPath: { path: "/tmp/a" },
      },
    }),
  ],
  [
    "a StorageClass",
    "/apis/storage.k8s.io/v1/storageclasses",
    named({
      provisioner: "example.com/a",
      allowedTopologies: [{ matchLabelExpressions: OLD_KEYS.map((key) => ({ key, values: ["a"] })) }],
    }),
  ],
  [
    "a CSIStorageCapacity",
    "/apis/storage.k8s.io/v1/namespaces/{namespace}/csistoragecapacities",
    named({ storageClassName: "a", nodeTopology: { matchLabels: OLD_LABELS, matchExpressions: OLD_EXPRESSIONS } }),
  ],
  ["a CSIDriver", "/apis/storage.k8s.io/v1/csidrivers", named({ spec: { tokenRequests: [{ audience: "a" }] } })],
  [
    "a RuntimeClass",
    "/apis/node.k8s.io/v1/runtimeclasses",
    named({ handler: "a", scheduling: { nodeSelector: OLD_LABELS } }),
  ],
  [
    "a ServiceAccount",
    `${CORE}/serviceaccounts`,
    { metadata: { name: "a", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } },
  ],
  ...KEY_PAIRS.map(
    ([title, certificate, key]) =>
      [
        `a Secret of TLS: ${title}`,
        `${CORE}/secrets`,
        named({ type: "kubernetes.io/tls", stringData: { "tls.crt": certificate, "tls.key": key } }),
      ] as const,
  ),
  [
    "a ResourceQuota",
    `${CORE}/resourcequotas`,
    named({ spec: { hard: { "requests.cpu": "2", "limits.cpu": "1", memory: "2", "limits.memory": "1" } } }),
  ],
  [
    "an Ingress",
    "/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses",
    {
      metadata: { name: "a", annotations: { "kubernetes.io/ingress.class": "a" } },
      spec: { rules: [{ host: "a.example.com" }] },
    },
  ],
];
