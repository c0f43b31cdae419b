import type { JsonObject } from "../storage/api-object.ts";

const API_VERSION = "rbac.authorization.k8s.io/v1";
const DISCOVERY_PATHS = [
  "/api",
  "/api/*",
  "/apis",
  "/apis/*",
  "/healthz",
  "/livez",
  "/openapi",
  "/openapi/*",
  "/readyz",
  "/version",
  "/version/",
];
const PUBLIC_PATHS = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
const READ_VERBS = ["get", "list", "watch"];
const WRITE_VERBS = ["create", "delete", "deletecollection", "patch", "update"];
const WORKLOAD_RESOURCES = [
  {
    apiGroups: [""],
    resources: ["configmaps", "endpoints", "events", "persistentvolumeclaims", "pods", "services", "serviceaccounts"],
  },
  {
    apiGroups: ["apps"],
    resources: [
      "daemonsets",
      "deployments",
      "deployments/scale",
      "replicasets",
      "replicasets/scale",
      "statefulsets",
      "statefulsets/scale",
    ],
  },
  { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"] },
  { apiGroups: ["batch"], resources: ["cronjobs", "jobs"] },
  { apiGroups: ["networking.k8s.io"], resources: ["ingresses", "networkpolicies"] },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"] },
];

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

interface Subject {
  readonly kind: "User" | "Group" | "ServiceAccount";
  readonly name: string;
  readonly namespace?: string;
}

/** A controller's service account in `kube-system`, and the rules of its role. */
export interface ControllerPolicy {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/**
 * Returns the roles and bindings that a server with RBAC has from its start, under upstream's names.
 *
 * They are what tests and operators rely on, not the whole set of a cluster: administrators, discovery, `admin`, `edit` and `view` for
 * workloads with what they aggregate, and the roles of the controllers that run in the server.
 */
export function bootstrapPolicy(controllers: readonly ControllerPolicy[]): readonly JsonObject[] {
  return [...userRoles(), ...workloadRoles(), ...componentRoles(controllers)];
}

function userRoles(): readonly JsonObject[] {
  const everything = [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    { nonResourceURLs: ["*"], verbs: ["*"] },
  ];
  const selfReviews: readonly Rule[] = [
    {
      apiGroups: ["authorization.k8s.io"],
      resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
      verbs: ["create"],
    },
    { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"], verbs: ["create"] },
  ];
  const authenticated = group("system:authenticated");
  return [
    ...roleWithBinding("cluster-admin", everything, [group("system:masters")]),
    ...roleWithBinding("system:discovery", [{ nonResourceURLs: DISCOVERY_PATHS, verbs: ["get"] }], [authenticated]),
    ...roleWithBinding("system:basic-user", selfReviews, [authenticated]),
    ...roleWithBinding(
      "system:public-info-viewer",
      [{ nonResourceURLs: PUBLIC_PATHS, verbs: ["get"] }],
      [authenticated, group("system:unauthenticated")],
    ),
    role("system:auth-delegator", [
      { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
      { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
    ]),
  ];
}

function workloadRoles(): readonly JsonObject[] {
  const secrets = { apiGroups: [""], resources: ["secrets"] };
  const logs = { apiGroups: [""], resources: ["namespaces", "pods/log", "pods/status"], verbs: READ_VERBS };
  const rbac = {
    apiGroups: ["rbac.authorization.k8s.io"],
    resources: ["rolebindings", "roles"],
    verbs: [...READ_VERBS, ...WRITE_VERBS],
  };
  const view = [...WORKLOAD_RESOURCES.map((rule) => ({ ...rule, verbs: READ_VERBS })), logs];
  const edit = [...WORKLOAD_RESOURCES, secrets].map((rule) => ({ ...rule, verbs: [...READ_VERBS, ...WRITE_VERBS] }));
  // Each has its rules from the start, for servers where the controller that aggregates them does not run.
  return [
    role("system:aggregate-to-view", view, aggregateTo("view")),
    role("system:aggregate-to-edit", edit, aggregateTo("edit")),
    role("system:aggregate-to-admin", [rbac], aggregateTo("admin")),
    aggregated("view", view, aggregateTo("edit")),
    aggregated("edit", [...edit, ...view], aggregateTo("admin")),
    aggregated("admin", [rbac, ...edit, ...view], {}),
  ];
}

type Labels = Readonly<Record<string, string>>;

function aggregateTo(name: string): Labels {
  return { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: "true" };
}

function aggregated(name: string, rules: readonly Rule[], labels: Labels): JsonObject {
  return {
    ...role(name, rules, labels),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] },
  };
}

function componentRoles(controllers: readonly ControllerPolicy[]): readonly JsonObject[] {
  const scheduling: readonly Rule[] = [
    { apiGroups: [""], resources: ["pods"], verbs: READ_VERBS },
    { apiGroups: [""], resources: ["bindings", "pods/binding"], verbs: ["create"] },
  ];
  const node: readonly Rule[] = [
    { apiGroups: [""], resources: ["pods"], verbs: [...READ_VERBS, "delete"] },
    { apiGroups: [""], resources: ["pods/status"], verbs: ["patch", "update"] },
  ];
  return [
    ...roleWithBinding("system:kube-scheduler", scheduling, [{ kind: "User", name: "system:kube-scheduler" }]),
    ...roleWithBinding("system:node", node, [group("system:nodes")]),
    ...controllers.flatMap(({ name, rules }) =>
      roleWithBinding(`system:controller:${name}`, rules, [{ kind: "ServiceAccount", name, namespace: "kube-system" }]),
    ),
  ];
}

function roleWithBinding(name: string, rules: readonly Rule[], subjects: readonly Subject[]): readonly JsonObject[] {
  const binding: JsonObject = {
    apiVersion: API_VERSION,
    kind: "ClusterRoleBinding",
    metadata: bootstrapMetadata(name),
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: subjects.map(({ kind, ...subject }) => ({
      ...(kind === "ServiceAccount" ? {} : { apiGroup: "rbac.authorization.k8s.io" }),
      kind,
      ...subject,
    })),
  };
  return [role(name, rules), binding];
}

function role(name: string, rules: readonly Rule[], labels: Labels = {}): JsonObject {
  return {
    apiVersion: API_VERSION,
    kind: "ClusterRole",
    metadata: bootstrapMetadata(name, labels),
    rules: rules.map((rule) => ({ ...rule })),
  };
}

function bootstrapMetadata(name: string, labels: Labels = {}): JsonObject {
  return {
    name,
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
}

function group(name: string): Subject {
  return { kind: "Group", name };
}
