import type { Json } from "../row.ts";

/** An object of a built-in kind, and the path of its collection. */
export interface CreatedObject {
  readonly path: string;
  readonly object: Json;
}

const POD_SPEC: Json = {
  containers: [
    {
      name: "web",
      image: "nginx:1.27",
      env: [
        { name: "A", value: "1" },
        { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      ],
      ports: [
        { containerPort: 80, name: "http" },
        { containerPort: 53, protocol: "UDP" },
      ],
      resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "1" } },
      volumeMounts: [{ name: "data", mountPath: "/data" }],
      livenessProbe: { httpGet: { path: "/healthz", port: 80 } },
      readinessProbe: { tcpSocket: { port: "http" }, periodSeconds: 5 },
      lifecycle: { preStop: { exec: { command: ["sleep", "1"] } } },
      securityContext: { runAsNonRoot: true, capabilities: { drop: ["ALL"] } },
    },
  ],
  initContainers: [{ name: "init", image: "busybox:1.36", command: ["true"] }],
  volumes: [
    { name: "data", emptyDir: {} },
    { name: "config", configMap: { name: "c", items: [{ key: "k", path: "p" }] } },
    { name: "secret", secret: { secretName: "s" } },
    {
      name: "projected",
      projected: {
        sources: [{ downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } }],
      },
    },
  ],
  nodeSelector: { "kubernetes.io/os": "linux" },
  tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
      },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 50,
          podAffinityTerm: { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "a" } } },
        },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "a" } },
    },
  ],
  hostAliases: [{ ip: "127.0.0.1", hostnames: ["a"] }],
  securityContext: { fsGroup: 1 },
};

// cspell:disable
// A request in PEM for the name a.
const CERTIFICATE_REQUEST = [
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0",
  "VHQ0NxR1NNNDlBd0VIQTBJQQpCRmdCYisyNXVmM3IyQzlIa29CYjdvK0xmNkhPMTNhbmxJNCszUWo2QVpHYytSVXd4OVVKMzFNN3F1QXdTQ0F2",
  "Cm0rME1DY2VLRXJyRWQ5N1B3dGFQQzZhZ0FEQUtCZ2dxaGtqT1BRUURBZ05KQURCR0FpRUFyZ0Y5UGo2Zkw2MjIKZE1ZcDV1Mm4zRlBqbmowa1",
  "dBbFdWMWwva2c0MGltRUNJUUR2Z09zbzJYQzVxeHlFc21vejdYd0lDMWZXKzh5Lwo2VVZVUEVZempmUFlrUT09Ci0tLS0tRU5EIENFUlRJRklD",
  "QVRFIFJFUVVFU1QtLS0tLQo=",
].join("");
// cspell:enable

const TEMPLATE: Json = { metadata: { labels: { app: "a" } }, spec: POD_SPEC };
const SELECTOR: Json = { matchLabels: { app: "a" } };

/** Objects of built-in kinds, with most of their fields. */
export const CREATED_OBJECTS: readonly CreatedObject[] = [
  core("configmaps", "ConfigMap", { data: { a: "1" }, binaryData: { b: "AQ==" }, immutable: false }),
  core("secrets", "Secret", { type: "Opaque", stringData: { a: "1" }, data: { b: "AQ==" } }),
  core("services", "Service", {
    spec: { selector: { app: "a" }, ports: [{ name: "http", port: 80, targetPort: "http" }], type: "ClusterIP" },
  }),
  core("serviceaccounts", "ServiceAccount", { imagePullSecrets: [{ name: "a" }], automountServiceAccountToken: false }),
  core("pods", "Pod", { spec: POD_SPEC, metadata: { labels: { app: "a" }, annotations: { a: "b" } } }),
  core("podtemplates", "PodTemplate", { template: TEMPLATE }),
  core("replicationcontrollers", "ReplicationController", {
    spec: { replicas: 1, selector: { app: "a" }, template: TEMPLATE },
  }),
  core("endpoints", "Endpoints", { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ name: "a", port: 80 }] }] }),
  core("persistentvolumeclaims", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "fast" },
  }),
  core("resourcequotas", "ResourceQuota", {
    spec: { hard: { pods: "10", "requests.cpu": "4" }, scopes: ["Terminating"] },
  }),
  core("limitranges", "LimitRange", {
    spec: {
      limits: [{ type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "500m" }, max: { cpu: "2" } }],
    },
  }),
  core("events", "Event", {
    involvedObject: { kind: "Pod", namespace: "{namespace}", name: "a" },
    reason: "Tested",
    message: "text",
    type: "Normal",
    count: 1,
    source: { component: "test" },
    firstTimestamp: "2026-01-01T00:00:00Z",
  }),
  cluster("", "v1", "namespaces", "Namespace", { metadata: { labels: { a: "b" } } }),
  cluster("", "v1", "nodes", "Node", { spec: { podCIDR: "10.0.0.0/24", unschedulable: true } }),
  cluster("", "v1", "persistentvolumes", "PersistentVolume", {
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path: "/data" },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }] },
      },
    },
  }),
  namespaced("apps", "v1", "deployments", "Deployment", {
    spec: { replicas: 2, selector: SELECTOR, template: TEMPLATE, strategy: { type: "Recreate" } },
  }),
  namespaced("apps", "v1", "replicasets", "ReplicaSet", { spec: { selector: SELECTOR, template: TEMPLATE } }),
  namespaced("apps", "v1", "daemonsets", "DaemonSet", { spec: { selector: SELECTOR, template: TEMPLATE } }),
  namespaced("apps", "v1", "statefulsets", "StatefulSet", {
    spec: {
      serviceName: "a",
      selector: SELECTOR,
      template: TEMPLATE,
      volumeClaimTemplates: [
        {
          metadata: { name: "claim" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  }),
  namespaced("apps", "v1", "controllerrevisions", "ControllerRevision", { revision: 3, data: { a: { b: 1 } } }),
  namespaced("batch", "v1", "jobs", "Job", {
    spec: { completions: 2, backoffLimit: 1, template: { spec: { ...POD_SPEC, restartPolicy: "Never" } } },
  }),
  namespaced("batch", "v1", "cronjobs", "CronJob", {
    spec: {
      schedule: "0 * * * *",
      timeZone: "Etc/UTC",
      suspend: true,
      jobTemplate: { spec: { template: { spec: { ...POD_SPEC, restartPolicy: "OnFailure" } } } },
    },
  }),
  namespaced("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
        { type: "Pods", pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "10" } } },
      ],
      behavior: { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] } },
    },
  }),
  namespaced("autoscaling", "v1", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 70,
    },
  }),
  namespaced("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", {
    spec: { minAvailable: 1, selector: SELECTOR, unhealthyPodEvictionPolicy: "AlwaysAllow" },
  }),
  namespaced("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", {
    spec: {
      podSelector: SELECTOR,
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        { from: [{ podSelector: {} }, { namespaceSelector: SELECTOR }], ports: [{ port: 80, protocol: "TCP" }] },
      ],
      egress: [
        { to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }], ports: [{ port: 100, endPort: 200 }] },
      ],
    },
  }),
  namespaced("networking.k8s.io", "v1", "ingresses", "Ingress", {
    spec: {
      ingressClassName: "nginx",
      tls: [{ hosts: ["a.example.com"], secretName: "s" }],
      rules: [
        {
          host: "a.example.com",
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "a", port: { number: 80 } } } }],
          },
        },
      ],
    },
  }),
  cluster("networking.k8s.io", "v1", "ingressclasses", "IngressClass", {
    spec: { controller: "example.com/ingress", parameters: { kind: "Params", apiGroup: "example.com", name: "a" } },
  }),
  cluster("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", { spec: { cidrs: ["10.200.0.0/16"] } }),
  namespaced("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.1.2.3"], conditions: { ready: true }, nodeName: "n", zone: "z" }],
    ports: [{ name: "http", port: 80, protocol: "TCP" }],
  }),
  namespaced("coordination.k8s.io", "v1", "leases", "Lease", {
    spec: {
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-01T00:00:00.000000Z",
      leaseTransitions: 1,
    },
  }),
  namespaced("events.k8s.io", "v1", "events", "Event", {
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "example.com/test",
    reportingInstance: "test-1",
    action: "Test",
    reason: "Tested",
    type: "Normal",
    regarding: { kind: "Pod", namespace: "{namespace}", name: "a" },
    note: "text",
  }),
  namespaced("rbac.authorization.k8s.io", "v1", "roles", "Role", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  namespaced("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" },
    subjects: [{ kind: "ServiceAccount", name: "a", namespace: "default" }],
  }),
  cluster("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", {
    rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }],
    aggregationRule: { clusterRoleSelectors: [SELECTOR] },
  }),
  cluster("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "User", name: "a" }],
  }),
  cluster("storage.k8s.io", "v1", "storageclasses", "StorageClass", {
    provisioner: "example.com/disk",
    parameters: { a: "b" },
    allowVolumeExpansion: true,
    allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a"] }] }],
  }),
  cluster("storage.k8s.io", "v1", "csidrivers", "CSIDriver", {
    spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"], tokenRequests: [{ audience: "a" }] },
  }),
  cluster("storage.k8s.io", "v1", "csinodes", "CSINode", {
    spec: { drivers: [{ name: "disk.example.com", nodeID: "n", topologyKeys: ["zone"], allocatable: { count: 5 } }] },
  }),
  cluster("storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", {
    spec: { attacher: "disk.example.com", nodeName: "n", source: { persistentVolumeName: "pv" } },
  }),
  namespaced("storage.k8s.io", "v1", "csistoragecapacities", "CSIStorageCapacity", {
    storageClassName: "fast",
    capacity: "1Gi",
    nodeTopology: SELECTOR,
  }),
  cluster("storage.k8s.io", "v1", "volumeattributesclasses", "VolumeAttributesClass", {
    driverName: "disk.example.com",
    parameters: { a: "b" },
  }),
  cluster("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", { value: 100, description: "text" }),
  cluster("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", {
    handler: "runsc",
    overhead: { podFixed: { cpu: "10m" } },
    scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "a", operator: "Exists" }] },
  }),
  cluster("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", {
    webhooks: [webhook()],
  }),
  cluster("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", {
    webhooks: [{ ...webhook(), reinvocationPolicy: "IfNeeded" }],
  }),
  cluster("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy", {
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] },
        ],
      },
      validations: [{ expression: "object.spec.replicas <= 5", message: "too many" }],
    },
  }),
  cluster("flowcontrol.apiserver.k8s.io", "v1", "flowschemas", "FlowSchema", {
    spec: {
      priorityLevelConfiguration: { name: "global-default" },
      matchingPrecedence: 500,
      distinguisherMethod: { type: "ByUser" },
      rules: [
        {
          subjects: [{ kind: "User", user: { name: "a" } }],
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] }],
        },
      ],
    },
  }),
  cluster("flowcontrol.apiserver.k8s.io", "v1", "prioritylevelconfigurations", "PriorityLevelConfiguration", {
    spec: { type: "Limited", limited: { nominalConcurrencyShares: 10, limitResponse: { type: "Reject" } } },
  }),
  cluster("certificates.k8s.io", "v1", "certificatesigningrequests", "CertificateSigningRequest", {
    spec: { request: CERTIFICATE_REQUEST, signerName: "example.com/signer", usages: ["client auth"] },
  }),
  cluster("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", {
    metadata: { name: "things.created.example.com" },
    spec: {
      group: "created.example.com",
      names: { plural: "things", kind: "Thing" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  }),
];

function webhook(): Json {
  return {
    name: "hook.example.com",
    clientConfig: { service: { name: "a", namespace: "default", path: "/p" } },
    rules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Ignore",
    timeoutSeconds: 5,
  };
}

function core(plural: string, kind: string, fields: Json): CreatedObject {
  return namespaced("", "v1", plural, kind, fields);
}

function namespaced(group: string, version: string, plural: string, kind: string, fields: Json): CreatedObject {
  const prefix = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return { path: `${prefix}/namespaces/{namespace}/${plural}`, object: objectOf(group, version, kind, fields) };
}

function cluster(group: string, version: string, plural: string, kind: string, fields: Json): CreatedObject {
  const prefix = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return { path: `${prefix}/${plural}`, object: objectOf(group, version, kind, fields) };
}

function objectOf(group: string, version: string, kind: string, fields: Json): Json {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, ...fields };
}
