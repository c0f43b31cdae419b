import type { Node } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { refusal } from "../../pipeline/extension-points.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { NodeWrite } from "./node-write.ts";

/** Admits changes of the node itself, without its taints, its owners, and the labels by which Pods are placed. */
export function admitNode({ attributes, node }: NodeWrite): void {
  const { operation, name, object, oldObject } = attributes;
  const refuse = (message: string): never => {
    throw refusal(attributes, message);
  };
  const requested = operation === "CREATE" && name === "" ? (object?.metadata.name ?? "") : name;
  if (requested !== node) {
    refuse(`node ${JSON.stringify(node)} is not allowed to modify node ${JSON.stringify(requested)}`);
  }
  const [written, old] = [object, oldObject] as unknown as readonly [Node | undefined, Node | undefined];
  if (operation === "CREATE") {
    const labels = forbiddenLabels(written?.metadata.labels, undefined);
    if (labels.length === 0) return;
    refuse(`node ${JSON.stringify(node)} is not allowed to set the following labels: ${labels.join(", ")}`);
  }
  if (operation !== "UPDATE") return;
  if (!deepEqual(written?.spec?.taints ?? [], old?.spec?.taints ?? [])) {
    refuse(`node ${JSON.stringify(node)} is not allowed to modify taints`);
  }
  if (!deepEqual(written?.metadata.ownerReferences ?? [], old?.metadata.ownerReferences ?? [])) {
    refuse(`node ${JSON.stringify(node)} is not allowed to modify ownerReferences`);
  }
  const labels = forbiddenLabels(written?.metadata.labels, old?.metadata.labels);
  if (labels.length > 0) refuse(`is not allowed to modify labels: ${labels.join(", ")}`);
}

type Labels = Readonly<Record<string, string>>;

function forbiddenLabels(labels: Labels = {}, oldLabels: Labels = {}): readonly string[] {
  const names = new Set([...Object.keys(labels), ...Object.keys(oldLabels)]);
  return [...names].filter((name) => labels[name] !== oldLabels[name] && isForbidden(name)).sort();
}

const KUBELET_LABELS: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);
const KUBELET_DOMAINS = ["kubelet.kubernetes.io", "node.kubernetes.io"];
const KUBERNETES_DOMAINS = ["kubernetes.io", "k8s.io"];
const RESTRICTED_DOMAINS = ["node-restriction.kubernetes.io"];

function isForbidden(name: string): boolean {
  const domain = name.includes("/") ? (name.split("/", 1)[0] ?? "") : "";
  const isOf = (domains: readonly string[]): boolean =>
    domains.some((each) => domain === each || domain.endsWith(`.${each}`));
  if (isOf(RESTRICTED_DOMAINS)) return true;
  return isOf(KUBERNETES_DOMAINS) && !KUBELET_LABELS.has(name) && !isOf(KUBELET_DOMAINS);
}

// What kubelets report while a volume grows.
const GROWTH = ["capacity", "conditions", "allocatedResources", "allocatedResourceStatuses"] as const;

/** Admits the status of a claim whose volume grows. */
export function admitClaimStatus({ attributes, node }: NodeWrite): void {
  const { operation, subresource, object, oldObject } = attributes;
  if (subresource !== "status") throw refusal(attributes, "may only update PVC status");
  if (operation !== "UPDATE") throw refusal(attributes, `unexpected operation ${JSON.stringify(operation)}`);
  if (deepEqual(withoutGrowth(object), withoutGrowth(oldObject))) return;
  throw refusal(
    attributes,
    `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and status.conditions`,
  );
}

function withoutGrowth(claim: ApiObject | undefined): unknown {
  const { managedFields: _fields, resourceVersion: _version, ...metadata } = claim?.metadata ?? {};
  const status = { ...(claim?.["status"] as Record<string, unknown> | undefined) };
  for (const field of GROWTH) delete status[field];
  return { ...claim, metadata, status };
}
