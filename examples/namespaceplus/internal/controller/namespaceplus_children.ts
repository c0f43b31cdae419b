import { canonicalQuantity } from "@kubescaffold/k8s";
import type { Namespace, ResourceQuota } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { controllerutil } from "@kubescaffold/runtime";

import type { NamespacePlus } from "../../api/v1/namespaceplus_types.ts";

/** The label by which a Namespace says whose it is: its value is the uid of the NamespacePlus. */
export const OWNER_LABEL = "tenancy.demo/owner";

// Remembers which labels came from the spec, so that those that leave it leave the Namespace too.
const LABELS_ANNOTATION = "tenancy.demo/labels";

/** Says whether the Namespace is kept when its NamespacePlus is deleted. */
export function isRetained(owner: NamespacePlus): boolean {
  return owner.spec.deletionPolicy === "Retain";
}

/** Says whether a Namespace is this NamespacePlus's. */
export function isOwn(owner: NamespacePlus, namespace: Namespace): boolean {
  return namespace.metadata.labels?.[OWNER_LABEL] === owner.metadata.uid;
}

/** Says whether a Namespace is there already and may not be touched. */
export function isTaken(owner: NamespacePlus, namespace: Namespace): boolean {
  if (namespace.metadata.uid === undefined || isOwn(owner, namespace)) return false;
  return owner.spec.adopt !== true || namespace.metadata.labels?.[OWNER_LABEL] !== undefined;
}

/**
 * Returns the Namespace as the spec wants it; labels and annotations of others stay.
 *
 * A Namespace that is to go with its NamespacePlus has it as owner, which a cluster-scoped object may be of another; the garbage collector does the rest.
 */
export function withDesiredLabels(owner: NamespacePlus, namespace: Namespace): Namespace {
  const wanted = owner.spec.labels ?? {};
  const { metadata } = withoutLabels(namespace);
  const desired: Namespace = {
    ...namespace,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...wanted, [OWNER_LABEL]: owner.metadata.uid ?? "" },
      annotations: { ...metadata.annotations, [LABELS_ANNOTATION]: Object.keys(wanted).toSorted().join(",") },
    },
  };
  if (!isRetained(owner)) return controllerutil.setControllerReference(owner, desired);
  return controllerutil.hasOwnerReference(owner, desired)
    ? controllerutil.removeControllerReference(owner, desired)
    : desired;
}

/** Returns a Namespace that is nobody's any more; the labels that it got stay. */
export function released(namespace: Namespace): Namespace {
  const { [OWNER_LABEL]: _owner, ...labels } = namespace.metadata.labels ?? {};
  const { [LABELS_ANNOTATION]: _labels, ...annotations } = namespace.metadata.annotations ?? {};
  return { ...namespace, metadata: { ...namespace.metadata, labels, annotations } };
}

/** Returns the ResourceQuota as the spec wants it; servers write amounts in one way only, and so does this. */
export function withDesiredLimits(owner: NamespacePlus, quota: ResourceQuota): ResourceQuota {
  const entries = Object.entries(owner.spec.quota ?? {});
  const hard = Object.fromEntries(entries.map(([resource, amount]) => [resource, canonicalQuantity(amount)]));
  return controllerutil.setControllerReference(owner, { ...quota, spec: { ...quota.spec, hard } });
}

/** Says whether an object is on its way out, so that no change of it lasts. */
export function isTerminating({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function withoutLabels(namespace: Namespace): Namespace {
  const former = (namespace.metadata.annotations?.[LABELS_ANNOTATION] ?? "").split(",");
  const kept = Object.entries(namespace.metadata.labels ?? {}).filter(([name]) => !former.includes(name));
  return { ...namespace, metadata: { ...namespace.metadata, labels: Object.fromEntries(kept) } };
}
