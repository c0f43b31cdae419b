import { createHash } from "node:crypto";
import { hostname } from "node:os";

import { toMicroTime, toTime } from "@kubescaffold/k8s";

import { controllerAccounts } from "../authorization/bootstrap-policy.ts";
import type { Identities } from "../pipeline/identities.ts";
import type { Release } from "../release/release.ts";
import type { JsonObject } from "../storage/api-object.ts";

/** Returns the objects that kube-apiserver of a release creates when it starts, other than roles, namespaces, PriorityClasses, and the Service `kubernetes` with its addresses. */
export function bootstrapObjects(
  { api }: Release,
  nowMs: number,
  { gatedVersions, identities }: { readonly gatedVersions: readonly string[]; readonly identities: Identities },
): readonly JsonObject[] {
  const time = toTime(nowMs);
  const served = new Set([...api.resources.map(({ group, version }) => `${group}/${version}`), ...gatedVersions]);
  const services = linesOf(API_SERVICES).filter(([version = "", , , group = ""]) => served.has(`${group}/${version}`));
  return [
    ...services.map((line) => apiService(line, time)),
    ...linesOf(PRIORITY_LEVELS).map(priorityLevel),
    ...flowSchemas(time),
    tokenTracking(time),
    serverLease(nowMs, identities),
  ];
}

/** Returns the service accounts that kube-controller-manager creates for its controllers. */
export function controllerServiceAccounts(release: Release): readonly JsonObject[] {
  return controllerAccounts(release).map((name) => ({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name, namespace: "kube-system" },
  }));
}

function linesOf(table: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
}

// Version, priority of the group, priority of the version, and group: of all releases, and those that no server serves by default.
const API_SERVICES = `
v1 18000 1
v1 16700 15 admissionregistration.k8s.io
v1 16700 15 apiextensions.k8s.io
v1 17800 15 apps
v1 17700 15 authentication.k8s.io
v1 17600 15 authorization.k8s.io
v1 17500 15 autoscaling
v1 17400 15 batch
v1 17300 15 certificates.k8s.io
v1 16500 15 coordination.k8s.io
v1 16200 15 discovery.k8s.io
v1 17750 15 events.k8s.io
v1 16100 21 flowcontrol.apiserver.k8s.io
v1 17200 15 networking.k8s.io
v1 16300 15 node.k8s.io
v1 17100 15 policy
v1 17000 15 rbac.authorization.k8s.io
v1 16200 21 resource.k8s.io
v1 16600 15 scheduling.k8s.io
v1 16800 15 storage.k8s.io
v1 15800 15 storagemigration.k8s.io
v2 17500 30 autoscaling
v1alpha1 16700 9 admissionregistration.k8s.io
v1beta1 16700 12 admissionregistration.k8s.io
`;

function apiService(
  [version = "", groupPriority = "", versionPriority = "", group = ""]: readonly string[],
  time: string,
): JsonObject {
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: time,
    reason: "Local",
    message: "Local APIServices are always available",
  };
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `${version}.${group}`, labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
    spec: {
      ...(group === "" ? {} : { group }),
      version,
      groupPriorityMinimum: Number(groupPriority),
      versionPriority: Number(versionPriority),
    },
    status: { conditions: [available] },
  };
}

const AUTO_UPDATED = { "apf.kubernetes.io/autoupdate-spec": "true" };

// Name, shares, and percentage that can be lent; the number of queues and the size of a hand if requests wait.
const PRIORITY_LEVELS = `
catch-all 5 0
exempt 0 0
global-default 20 50 128 6
leader-election 10 0 16 4
node-high 40 25 64 6
system 30 33 64 6
workload-high 40 50 128 6
workload-low 100 90 128 6
`;

function priorityLevel([name = "", shares, percent, queues, handSize]: readonly string[]): JsonObject {
  const limits = { nominalConcurrencyShares: Number(shares), lendablePercent: Number(percent) };
  const queuing = { queues: Number(queues), handSize: Number(handSize), queueLengthLimit: 50 };
  const limitResponse = queues === undefined ? { type: "Reject" } : { type: "Queue", queuing };
  return {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "PriorityLevelConfiguration",
    metadata: { name, generation: 1, annotations: AUTO_UPDATED },
    spec:
      name === "exempt"
        ? { type: "Exempt", exempt: limits }
        : { type: "Limited", limited: { ...limits, limitResponse } },
    status: {},
  };
}

function flowSchemas(time: string): readonly JsonObject[] {
  const everyone = [groupOf("system:unauthenticated"), groupOf("system:authenticated")];
  const everywhere = { clusterScope: true, namespaces: ["*"] };
  const everything = {
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], ...everywhere }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  };
  const managers = [userOf("system:kube-controller-manager"), userOf("system:kube-scheduler")];
  const kubeSystem = { kind: "ServiceAccount", serviceAccount: { namespace: "kube-system", name: "*" } };
  const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], namespaces: ["*"] };
  const nodes = { verbs: ["*"], apiGroups: [""], resources: ["nodes", "nodes/status"], ...everywhere };
  const health = { verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] };
  const schema = (
    name: string,
    [level, precedence, by]: readonly [string, number, string?],
    rule: JsonObject,
  ): JsonObject => flowSchema({ name, level, precedence, by, rule, time });
  return [
    schema("catch-all", ["catch-all", 10_000, "ByUser"], { subjects: everyone, ...everything }),
    schema("exempt", ["exempt", 1], { subjects: [groupOf("system:masters")], ...everything }),
    schema("global-default", ["global-default", 9900, "ByUser"], { subjects: everyone, ...everything }),
    ...managers.map((subject) => {
      const name = subject.user.name.replace("system:", "");
      return schema(name, ["workload-high", 800, "ByNamespace"], { subjects: [subject], ...everything });
    }),
    schema("kube-system-service-accounts", ["workload-high", 900, "ByNamespace"], {
      subjects: [kubeSystem],
      ...everything,
    }),
    schema("probes", ["exempt", 2], { subjects: everyone, nonResourceRules: [health] }),
    schema("service-accounts", ["workload-low", 9000, "ByUser"], {
      subjects: [groupOf("system:serviceaccounts")],
      ...everything,
    }),
    schema("system-leader-election", ["leader-election", 100, "ByUser"], {
      subjects: [...managers, kubeSystem],
      resourceRules: [{ verbs: ["get", "create", "update"], ...leases }],
    }),
    schema("system-node-high", ["node-high", 400, "ByUser"], {
      subjects: [groupOf("system:nodes")],
      resourceRules: [nodes, { verbs: ["*"], ...leases }],
    }),
    schema("system-nodes", ["system", 500, "ByUser"], { subjects: [groupOf("system:nodes")], ...everything }),
  ];
}

function groupOf(name: string): { readonly kind: string; readonly group: { readonly name: string } } {
  return { kind: "Group", group: { name } };
}

function userOf(name: string): { readonly kind: string; readonly user: { readonly name: string } } {
  return { kind: "User", user: { name } };
}

interface FlowSchemaInput {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly by: string | undefined;
  readonly rule: JsonObject;
  readonly time: string;
}

function flowSchema({ name, level, precedence, by, rule, time }: FlowSchemaInput): JsonObject {
  const found = {
    type: "Dangling",
    status: "False",
    lastTransitionTime: time,
    reason: "Found",
    message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`,
  };
  return {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "FlowSchema",
    metadata: { name, generation: 1, annotations: AUTO_UPDATED },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      ...(by === undefined ? {} : { distinguisherMethod: { type: by } }),
      rules: [rule],
    },
    status: { conditions: [found] },
  };
}

function tokenTracking(time: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "kube-apiserver-legacy-service-account-token-tracking", namespace: "kube-system" },
    data: { since: time.slice(0, 10) },
  };
}

const ID_CHARACTERS = 26;
const LEASE_SECONDS = 3600;

// The server announces itself, by a name that is made from that of its host.
function serverLease(nowMs: number, identities: Identities): JsonObject {
  const digest = createHash("sha256").update(hostname()).digest("hex");
  const name = `apiserver-${digest.slice(0, ID_CHARACTERS)}`;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace: "kube-system",
      labels: { "apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": hostname() },
    },
    spec: {
      holderIdentity: `${name}_${identities.newUid("server lease")}`,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: toMicroTime(nowMs),
    },
  };
}
