import type {
  DashboardMessage,
  FieldProblem,
  KindInfo,
  ObjectSummary,
  PermissionUse,
  ReconcileRecord,
  WriteResult,
} from "../../../src/page/feed/protocol.ts";
import type { FeedAnswers } from "./fake-feed.ts";

/** The capabilities of `scaffold dev`. */
const ALL_CAPABILITIES = [
  "write",
  "history",
  "reconciles",
  "webhooks",
  "permissions",
  "faults",
  "restart",
  "logs",
  "metrics",
] as const;

/** A small world: a Guestbook with what its controller made, one that fails, and what the manager did. */
export function scenario(now: number): FeedAnswers {
  return {
    messages: [...hello(), ...objects(now), ...activity(now), ...rest(now)],
    kinds: KINDS,
    object: (name) => (objectNamed(now, name) === undefined ? undefined : detailOf(name)),
    history: () => ({ versions: versions(now), isTruncated: false }),
    apply,
  };
}

export function hello(): readonly DashboardMessage[] {
  return [
    {
      type: "hello",
      project: "guestbook",
      mode: "dev",
      capabilities: ALL_CAPABILITIES,
      server: "http://127.0.0.1:42341",
      serverVersion: "v1.35.4",
      managerUser: "system:serviceaccount:guestbook-system:guestbook-controller-manager",
    },
  ];
}

/** Returns the summary of an object. */
export function summary(kind: string, name: string, more: Partial<ObjectSummary> = {}): ObjectSummary {
  return {
    uid: `uid-${kind}-${name}`,
    apiVersion: "v1",
    kind,
    resource: `${kind.toLowerCase()}s`,
    namespace: "default",
    name,
    resourceVersion: "1204",
    generation: 2,
    createdAt: Date.now() - 600_000,
    ...more,
  };
}

const owner = (kind: string, name: string) => [{ uid: `uid-${kind}-${name}`, kind, name, isController: true }];
const GUESTBOOK = { apiVersion: "webapp.my.domain/v1", resource: "guestbooks" } as const;
const APPS = { apiVersion: "apps/v1" } as const;

function allObjects(now: number): readonly ObjectSummary[] {
  const at = (secondsAgo: number): { readonly createdAt: number } => ({ createdAt: now - secondsAgo * 1000 });
  const ready = [
    { type: "Available", status: "True", reason: "DeploymentAvailable", message: "2 of 2 replicas are available" },
  ];
  const failing = [
    {
      type: "Available",
      status: "False",
      reason: "MinimumReplicasUnavailable",
      message: "0 of 1 replicas are available",
    },
    { type: "Progressing", status: "True", reason: "ReplicaSetUpdated" },
  ];
  return [
    summary("Guestbook", "guestbook-sample", {
      ...GUESTBOOK,
      ...at(600),
      conditions: ready,
      finalizers: ["webapp.my.domain/entries"],
    }),
    summary("Deployment", "guestbook-sample", {
      ...APPS,
      ...at(598),
      owners: owner("Guestbook", "guestbook-sample"),
      phase: "2/2",
      conditions: ready,
    }),
    summary("ReplicaSet", "guestbook-sample-6d4c9", {
      ...APPS,
      ...at(597),
      owners: owner("Deployment", "guestbook-sample"),
      phase: "2/2",
    }),
    summary("Pod", "guestbook-sample-6d4c9-x7x2p", {
      ...at(596),
      owners: owner("ReplicaSet", "guestbook-sample-6d4c9"),
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
    }),
    summary("Pod", "guestbook-sample-6d4c9-q8kfz", {
      ...at(595),
      owners: owner("ReplicaSet", "guestbook-sample-6d4c9"),
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
    }),
    summary("Service", "guestbook-sample", { ...at(598), owners: owner("Guestbook", "guestbook-sample") }),
    summary("ConfigMap", "guestbook-sample-config", { ...at(598), owners: owner("Guestbook", "guestbook-sample") }),
    summary("Guestbook", "staging", { ...GUESTBOOK, namespace: "staging", ...at(120), conditions: failing }),
    summary("Deployment", "staging", {
      ...APPS,
      namespace: "staging",
      ...at(118),
      owners: owner("Guestbook", "staging"),
      phase: "0/1",
      conditions: failing,
    }),
    summary("ReplicaSet", "staging-7f9b8", {
      ...APPS,
      namespace: "staging",
      ...at(117),
      owners: owner("Deployment", "staging"),
      phase: "0/1",
    }),
    summary("Pod", "staging-7f9b8-mm4tz", {
      namespace: "staging",
      ...at(117),
      owners: owner("ReplicaSet", "staging-7f9b8"),
      phase: "ImagePullBackOff",
    }),
    summary("Namespace", "staging", { namespace: "", ...at(130), phase: "Active" }),
    summary("Namespace", "guestbook-system", { namespace: "", ...at(640), phase: "Active" }),
    summary("ServiceAccount", "guestbook-controller-manager", { namespace: "guestbook-system", ...at(640) }),
    summary("Secret", "old-token", {
      namespace: "guestbook-system",
      ...at(300),
      deletedAt: now - 20_000,
      finalizers: ["example.com/hold"],
    }),
    summary("CustomResourceDefinition", "guestbooks.webapp.my.domain", {
      apiVersion: "apiextensions.k8s.io/v1",
      namespace: "",
      ...at(645),
      conditions: [{ type: "Established", status: "True" }],
    }),
    summary("Namespace", "kube-system", { namespace: "", ...at(700), phase: "Active" }),
    summary("Namespace", "default", { namespace: "", ...at(700), phase: "Active" }),
  ];
}

function objectNamed(now: number, name: string): ObjectSummary | undefined {
  return allObjects(now).find((each) => each.name === name);
}

function objects(now: number): readonly DashboardMessage[] {
  return allObjects(now).map((object) => ({ type: "object", change: "existing", object }));
}

/** Reconciles, samples, and their log lines of the last minutes. */
function activity(now: number): readonly DashboardMessage[] {
  const messages: DashboardMessage[] = [];
  for (let index = 0; index < 60; index += 1) {
    const startedAt = now - 280_000 + index * 4600 + ((index * 37) % 11) * 130;
    const isEntries = index % 4 === 3;
    const isFailed = !isEntries && index % 9 === 4;
    const record: ReconcileRecord = {
      type: "reconcile",
      id: `3f2a${String(1000 + index)}-77d0-4c1e-9d54-0c6a1b2e${String(1000 + index)}`,
      controller: isEntries ? "guestbookentry" : "guestbook",
      namespace: isFailed ? "staging" : "default",
      name: isFailed ? "staging" : "guestbook-sample",
      startedAt,
      durationMs: 4 + ((index * 53) % 140) + (isFailed ? 900 : 0),
      outcome: isFailed ? "error" : index % 7 === 2 ? "requeue-after" : "success",
      ...(index % 7 === 2 && !isFailed ? { requeueAfterMs: 30_000 } : {}),
      ...(isFailed
        ? { error: 'deployments.apps "staging" is forbidden: exceeded quota: compute', errorCode: "Forbidden" }
        : {}),
      trigger: TRIGGERS[index % TRIGGERS.length] ?? { reason: "resync" },
      writes: index % 3 === 0 ? [writeOf(startedAt, index)] : [],
    };
    messages.push(record, ...linesOf(record), ...samplesOf(index, startedAt));
  }
  return messages;
}

const WEB = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "guestbook-sample" };
const TRIGGERS: readonly NonNullable<ReconcileRecord["trigger"]>[] = [
  { reason: "initial-list", object: WEB },
  { reason: "updated", object: WEB, merged: 2 },
  { reason: "requeue-after" },
  { reason: "resync", object: { ...WEB, apiVersion: "webapp.my.domain/v1", kind: "Guestbook" } },
  { reason: "retry" },
];

function writeOf(at: number, index: number): ReconcileRecord["writes"][number] {
  return {
    at: at + 3,
    verb: index % 2 === 0 ? "patch" : "update",
    resource: index % 2 === 0 ? "deployments.apps" : "guestbooks.webapp.my.domain/status",
    namespace: "default",
    name: "guestbook-sample",
    status: 200,
    durationMs: 2 + (index % 5),
    resourceVersion: index % 2 === 0 ? "1189" : "1204",
  };
}

function linesOf(record: ReconcileRecord): readonly DashboardMessage[] {
  const { controller, id, startedAt, error } = record;
  const object = `${record.namespace}/${record.name}`;
  const line = { type: "log", logger: `controller.${controller}`, controller, object, reconcileId: id } as const;
  const start: DashboardMessage = {
    ...line,
    at: startedAt + 1,
    level: "debug",
    message: "Reconciling",
    fields: { generation: 2 },
  };
  if (error === undefined)
    return record.writes.length === 0
      ? [start]
      : [start, { ...line, at: startedAt + 4, level: "info", message: "Deployment applied", fields: { replicas: 2 } }];
  return [
    start,
    {
      ...line,
      at: startedAt + 900,
      level: "error",
      message: "Reconcile failed",
      error,
      hint: "raise the quota of the namespace staging, or lower spec.size",
      stack:
        "Error: forbidden\n    at GuestbookReconciler.reconcile (internal/controller/guestbook_controller.ts:41:20)",
    },
  ];
}

function samplesOf(index: number, at: number): readonly DashboardMessage[] {
  return ["guestbook", "guestbookentry"].map((controller, place) => ({
    type: "controller",
    at,
    controller,
    queueDepth: (index * (place + 3)) % 5,
    activeWorkers: index % 2,
    maxWorkers: 1 + place,
    reconciles: 100 + index * 2,
    errors: place === 0 ? Math.floor(index / 9) : 0,
    rate: 0.4 + ((index * (7 + place)) % 13) / 9,
    p50Ms: 9 + ((index + place) % 6),
    p90Ms: 40 + ((index * 3) % 30),
    p99Ms: 120 + ((index * 11) % 160),
  }));
}

function rest(now: number): readonly DashboardMessage[] {
  return [
    ...caches(now),
    ...webhooks(now),
    ...permissions(),
    ...events(now),
    ...faults(),
    { type: "manager", at: now - 500_000, state: "ready", pid: 4711 },
    {
      type: "project",
      diagnostics: [
        {
          source: "generators",
          severity: "warning",
          code: "UnknownMarker",
          message: "unknown marker +kubebuilder:validation:Minimun",
          file: "api/v1/guestbook_types.ts",
          line: 14,
          column: 6,
          hint: "did you mean +kubebuilder:validation:Minimum?",
        },
      ],
    },
  ];
}

function caches(at: number): readonly DashboardMessage[] {
  return [
    { type: "cache", at, apiVersion: "webapp.my.domain/v1", kind: "Guestbook", objects: 2, isSynced: true },
    { type: "cache", at, apiVersion: "apps/v1", kind: "Deployment", objects: 2, isSynced: true },
    { type: "cache", at, apiVersion: "v1", kind: "Service", objects: 1, isSynced: true },
    { type: "cache", at, apiVersion: "v1", kind: "ConfigMap", objects: 6, isSynced: false },
  ];
}

function webhooks(now: number): readonly DashboardMessage[] {
  const call = {
    type: "webhook",
    kind: "Guestbook",
    namespace: "default",
    name: "guestbook-sample",
    operation: "UPDATE",
    isDryRun: false,
  } as const;
  return [
    {
      ...call,
      id: "webhook-1",
      at: now - 200_000,
      durationMs: 3.2,
      path: "/mutate-webapp-my-domain-v1-guestbook",
      purpose: "mutate",
      user: "kubernetes-admin",
      isAllowed: true,
      patch: [{ op: "add", path: "/spec/size", value: 2 }],
      request: { uid: "6a1c", operation: "UPDATE", object: { spec: {} } },
      response: { uid: "6a1c", allowed: true, patchType: "JSONPatch" },
    },
    {
      ...call,
      id: "webhook-2",
      at: now - 199_990,
      durationMs: 1.1,
      path: "/validate-webapp-my-domain-v1-guestbook",
      purpose: "validate",
      user: "kubernetes-admin",
      isAllowed: true,
      warnings: ["spec.size is above 10"],
      request: { uid: "6a1d" },
      response: { uid: "6a1d", allowed: true },
    },
    {
      ...call,
      id: "webhook-3",
      at: now - 90_000,
      durationMs: 1.4,
      path: "/validate-webapp-my-domain-v1-guestbook",
      purpose: "validate",
      operation: "CREATE",
      name: "broken",
      user: "dashboard",
      isDryRun: true,
      isAllowed: false,
      message: "spec.title must not be empty",
    },
  ];
}

function permissions(): readonly DashboardMessage[] {
  const use = (
    verb: string,
    group: string,
    resource: string,
    state: PermissionUse["state"],
    marker?: string,
  ): PermissionUse => ({
    type: "permission",
    verb,
    group,
    resource,
    namespace: "",
    state,
    allowed: state === "used" ? 12 : 0,
    denied: state === "denied" ? 3 : 0,
    ...(marker === undefined ? {} : { marker }),
  });
  const source = "config/rbac/leader_election_role.yaml";
  return [
    { ...use("create", "coordination.k8s.io", "leases", "unused"), source, note: "for leader election" },
    use("get", "webapp.my.domain", "guestbooks", "used"),
    use("list", "webapp.my.domain", "guestbooks", "used"),
    use("watch", "webapp.my.domain", "guestbooks", "used"),
    use("update", "webapp.my.domain", "guestbooks/status", "used"),
    use("patch", "apps", "deployments", "used"),
    use("list", "", "secrets", "denied", "+kubebuilder:rbac:groups=core,resources=secrets,verbs=list"),
    use("delete", "apps", "deployments", "unused", "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=delete"),
  ];
}

function events(now: number): readonly DashboardMessage[] {
  const event = {
    type: "event",
    kind: "Guestbook",
    namespace: "default",
    name: "guestbook-sample",
    objectUid: "uid-Guestbook-guestbook-sample",
    source: "guestbook-controller",
  } as const;
  return [
    {
      ...event,
      uid: "event-1",
      at: now - 240_000,
      severity: "Normal",
      reason: "Created",
      message: "Deployment guestbook-sample created",
      count: 1,
    },
    {
      ...event,
      uid: "event-2",
      at: now - 60_000,
      severity: "Warning",
      reason: "FailedCreate",
      message: "exceeded quota: compute",
      count: 4,
      namespace: "staging",
      name: "staging",
      objectUid: "uid-Guestbook-staging",
    },
  ];
}

export function faults(on = ""): readonly DashboardMessage[] {
  const all = [
    [
      "drop-watches",
      "Drop watches",
      "Ends every watch of the manager once. Its caches resume from their last version.",
      false,
    ],
    [
      "expire-history",
      "Expire history",
      "Forgets old versions, so that watches get 410 Gone, and caches list again.",
      false,
    ],
    ["latency", "Latency", "Delays every response to the manager by 500 ms.", true],
    ["status-409", "Conflicts", "Refuses every third update with 409 Conflict.", true],
    ["status-500", "Server errors", "Fails every third request with 500 Internal Server Error.", true],
    [
      "pause-manager",
      "Pause the manager",
      "Stops the process, so that it loses its lease, and another one may lead.",
      true,
    ],
    ["jump-clock", "Jump the clock", "Moves the clock of the server forward by one hour.", false],
  ] as const;
  return all.map(([name, title, description, isLasting]) => ({
    type: "fault",
    name,
    title,
    description,
    isLasting,
    isOn: name === on,
  }));
}

function detailOf(name: string): ReturnType<FeedAnswers["object"]> {
  return {
    object: {},
    yaml: YAML.replaceAll("guestbook-sample", name),
    fieldOwners: [
      {
        manager: "kubectl",
        operation: "Apply",
        subresource: "",
        at: Date.now() - 500_000,
        paths: ["spec.size", "spec.title", "metadata.labels.app"],
      },
      {
        manager: "guestbook-controller",
        operation: "Update",
        subresource: "status",
        at: Date.now() - 90_000,
        paths: ["status.readyReplicas", 'status.conditions[type="Available"]'],
      },
      { manager: "dashboard", operation: "Apply", subresource: "", paths: ["spec.size"] },
    ],
  };
}

const YAML = `apiVersion: webapp.my.domain/v1
kind: Guestbook
metadata:
  creationTimestamp: "2026-11-25T21:00:00Z"
  generation: 2
  labels:
    app: guestbook
  name: guestbook-sample
  namespace: default
  resourceVersion: "1204"
  uid: uid-Guestbook-guestbook-sample
spec:
  size: 2
  title: Guests
status:
  readyReplicas: 2
  conditions:
    - type: Available
      status: "True"
`;

function versions(now: number): ReturnType<FeedAnswers["history"]>["versions"] {
  const version = { subresource: "", yaml: YAML, diff: [] } as const;
  return [
    {
      ...version,
      resourceVersion: "1100",
      at: now - 600_000,
      verb: "create",
      user: "kubernetes-admin",
      manager: "kubectl",
    },
    {
      ...version,
      resourceVersion: "1189",
      at: now - 300_000,
      verb: "patch",
      user: "kubernetes-admin",
      manager: "kubectl",
      diff: [
        { kind: "same", text: "spec:" },
        { kind: "removed", text: "  size: 1" },
        { kind: "added", text: "  size: 2" },
        { kind: "gap", text: "" },
        { kind: "same", text: "  title: Guests" },
      ],
    },
    {
      ...version,
      resourceVersion: "1204",
      at: now - 290_000,
      verb: "update",
      subresource: "status",
      user: "system:serviceaccount:guestbook-system:guestbook-controller-manager",
      manager: "guestbook",
      controller: "guestbook",
      reconcileId: "3f2a1000-77d0-4c1e-9d54-0c6a1b2e1000",
      diff: [
        { kind: "same", text: "status:" },
        { kind: "added", text: "  readyReplicas: 2" },
      ],
    },
  ];
}

const KINDS: readonly KindInfo[] = [
  {
    apiVersion: "webapp.my.domain/v1",
    kind: "Guestbook",
    resource: "guestbooks",
    isNamespaced: true,
    isOfProject: true,
    schema: {
      type: "object",
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { type: "object" },
        spec: {
          type: "object",
          required: ["title"],
          description: "GuestbookSpec defines the desired state.",
          properties: {
            size: {
              type: "integer",
              format: "int32",
              minimum: 1,
              maximum: 10,
              default: 1,
              description: "Number of replicas.",
            },
            title: { type: "string", minLength: 1, description: "The heading of the page." },
            storage: {
              type: "string",
              enum: ["memory", "redis"],
              default: "memory",
              description: "Where entries are stored.",
            },
            isPublic: { type: "boolean" },
            port: { "x-kubernetes-int-or-string": true, description: "The port of the Service." },
            moderators: { type: "array", items: { type: "string" } },
            labels: { type: "object", additionalProperties: { type: "string" } },
            redis: {
              type: "object",
              required: ["address"],
              properties: { address: { type: "string" }, database: { type: "integer" } },
            },
            extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true, description: "Anything." },
          },
        },
        status: { type: "object", properties: { readyReplicas: { type: "integer" } } },
      },
    },
    samples: [
      {
        file: "webapp_v1_guestbook.yaml",
        yaml: "# A guestbook for guests\napiVersion: webapp.my.domain/v1\nkind: Guestbook\nmetadata:\n  name: guestbook-sample\n  namespace: default\nspec:\n  size: 2 # replicas\n  title: Guests\n",
      },
    ],
  },
  { apiVersion: "v1", kind: "ConfigMap", resource: "configmaps", isNamespaced: true, isOfProject: false, samples: [] },
];

// The rules of the sample's schema that tests break.
function apply(text: string, isDryRun: boolean): WriteResult {
  const causes: FieldProblem[] = [];
  const size = /^ {2}size: (?<size>\S+)/mu.exec(text)?.groups?.["size"];
  if (size !== undefined && Number(size) > 10)
    causes.push({
      field: "spec.size",
      message: `Invalid value: ${size}: spec.size in body should be less than or equal to 10`,
    });
  if (!text.includes("  title:")) causes.push({ field: "spec.title", message: "Required value" });
  if (causes.length > 0) return { kind: "refused", message: "Guestbook is invalid", causes };
  return { kind: "written", yaml: text, warnings: isDryRun ? [] : ["spec.size was defaulted"] };
}
