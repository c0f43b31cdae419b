import { canonicalQuantity, type DeepReadonly } from "@kubescaffold/k8s";
import type { Namespace, ResourceQuota } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { controllerutil } from "@kubescaffold/runtime";

import type { NamespacePlus } from "../../api/v1/namespaceplus_types.ts";

/** The label with the UID of the NamespacePlus that manages a Namespace. */
export const OWNER_LABEL = "tenancy.demo/owner";

// Records the labels from the spec, so that labels removed from the spec are removed from the Namespace, too.
const LABELS_ANNOTATION = "tenancy.demo/labels";

/** Reports whether the Namespace is retained when its NamespacePlus is deleted. */
export function isRetained(owner: DeepReadonly<NamespacePlus>): boolean {
  return owner.spec.deletionPolicy === "Retain";
}

/** Reports whether this NamespacePlus manages a Namespace. */
export function isOwn(owner: DeepReadonly<NamespacePlus>, namespace: DeepReadonly<Namespace>): boolean {
  return namespace.metadata.labels?.[OWNER_LABEL] === owner.metadata.uid;
}

/** Reports whether a Namespace exists that this NamespacePlus must not change. */
export function isTaken(owner: DeepReadonly<NamespacePlus>, namespace: DeepReadonly<Namespace>): boolean {
  if (namespace.metadata.uid === undefined || isOwn(owner, namespace)) return false;
  return owner.spec.adopt !== true || namespace.metadata.labels?.[OWNER_LABEL] !== undefined;
}

/**
 * Returns the Namespace with the desired state. Keeps other labels and annotations.
 *
 * Unless the Namespace is retained, the NamespacePlus owns it (both are cluster-scoped), so the garbage collector deletes it.
 */
export function withDesiredLabels(owner: DeepReadonly<NamespacePlus>, namespace: Namespace): Namespace {
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

/** Returns the Namespace without its owner. Keeps its labels. */
export function released(namespace: DeepReadonly<Namespace>): DeepReadonly<Namespace> {
  const { [OWNER_LABEL]: _owner, ...labels } = namespace.metadata.labels ?? {};
  const { [LABELS_ANNOTATION]: _labels, ...annotations } = namespace.metadata.annotations ?? {};
  return { ...namespace, metadata: { ...namespace.metadata, labels, annotations } };
}

/** Returns the ResourceQuota with the desired state, with quantities in canonical form, as the API server stores them. */
export function withDesiredLimits(owner: DeepReadonly<NamespacePlus>, quota: ResourceQuota): ResourceQuota {
  const entries = Object.entries(owner.spec.quota ?? {});
  const hard = Object.fromEntries(entries.map(([resource, amount]) => [resource, canonicalQuantity(amount)]));
  return controllerutil.setControllerReference(owner, { ...quota, spec: { ...quota.spec, hard } });
}

/** Reports whether an object is being deleted. */
export function isTerminating({ metadata }: ReadonlyObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function withoutLabels(namespace: Namespace): Namespace {
  const former = (namespace.metadata.annotations?.[LABELS_ANNOTATION] ?? "").split(",");
  const kept = Object.entries(namespace.metadata.labels ?? {}).filter(([name]) => !former.includes(name));
  return { ...namespace, metadata: { ...namespace.metadata, labels: Object.fromEntries(kept) } };
}
