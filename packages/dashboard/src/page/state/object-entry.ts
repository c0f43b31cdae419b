import type { ObjectSummary } from "../feed/protocol.ts";
import type { ObjectEntry } from "./model.ts";
import { readinessOf } from "./readiness.ts";

const SYSTEM_NAMESPACES: ReadonlySet<string> = new Set(["kube-system", "kube-public", "kube-node-lease"]);
const SYSTEM_KINDS: ReadonlySet<string> = new Set([
  "FlowSchema",
  "PriorityLevelConfiguration",
  "APIService",
  "PriorityClass",
  "CSINode",
  "ControllerRevision",
  "ServiceCIDR",
  "IPAddress",
]);
const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  "ConfigMap/kube-root-ca.crt",
  "ServiceAccount/default",
  "Namespace/default",
  "Service/kubernetes",
  "Endpoints/kubernetes",
  "EndpointSlice/kubernetes",
  "ClusterRole/admin",
  "ClusterRole/edit",
  "ClusterRole/view",
  "ClusterRole/cluster-admin",
  "ClusterRoleBinding/cluster-admin",
]);

/** Derives an entry from the summary of an object. */
export function objectEntry(
  summary: ObjectSummary,
  { isDeleted, seenAt }: { readonly isDeleted: boolean; readonly seenAt: number },
): ObjectEntry {
  return {
    summary,
    readiness: isDeleted ? "none" : readinessOf(summary),
    isDeleted,
    isSystem: isSystem(summary),
    seenAt,
    sortKey: [rankOf(summary), summary.namespace, summary.kind, summary.name].join("\0"),
    searchText: `${summary.kind} ${summary.namespace}/${summary.name} ${summary.phase ?? ""}`.toLowerCase(),
  };
}

/** Returns the identity of an object that links carry: it is the same after a restart, unlike the UID. */
export function objectKey(object: Pick<ObjectSummary, "apiVersion" | "resource" | "namespace" | "name">): string {
  const { apiVersion, resource, namespace, name } = object;
  return [apiVersion, resource, namespace, name].join("/");
}

/** Returns the group of an API version; empty for the core group. */
function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
}

function isSystem({ kind, namespace, name }: ObjectSummary): boolean {
  if (SYSTEM_NAMESPACES.has(namespace) || SYSTEM_KINDS.has(kind)) return true;
  if (kind === "Namespace" && SYSTEM_NAMESPACES.has(name)) return true;
  return name.startsWith("system:") || SYSTEM_NAMES.has(`${kind}/${name}`);
}

// Custom resources come first, workloads second, the rest of the cluster last.
function rankOf({ apiVersion, namespace }: ObjectSummary): string {
  const group = groupOf(apiVersion);
  const isBuiltIn = !group.includes(".") || group.endsWith(".k8s.io");
  if (!isBuiltIn) return "0";
  return namespace === "" ? "2" : "1";
}
