import type { StatefulSet } from "@kubescaffold/k8s/apps/v1";
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from "@kubescaffold/k8s/core/v1";

import { controllerReference, isReady } from "../workload-objects.ts";

/** Label of a pod with the revision of its template. */
const REVISION_LABEL = "controller-revision-hash";
const POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name";
const POD_INDEX_LABEL = "apps.kubernetes.io/pod-index";
const LARGEST_ORDINAL = 2 ** 31 - 1;

/** Returns the name of the set and the ordinal that the name of a pod consists of; -1 when it has none. */
export function identityOf({ metadata }: Pod): { readonly parent: string; readonly ordinal: number } {
  const [, parent = "", digits = ""] = /^(.*)-([0-9]+)$/u.exec(metadata.name ?? "") ?? [];
  const ordinal = digits === "" || Number(digits) > LARGEST_ORDINAL ? -1 : Number(digits);
  return { parent, ordinal };
}

/** Returns the ordinal of a pod. */
export function ordinalOf(pod: Pod): number {
  return identityOf(pod).ordinal;
}

/** Returns how many pods a set wants. */
export function wantedReplicas({ spec }: StatefulSet): number {
  return spec?.replicas ?? 1;
}

/** Returns the ordinal of the first pod of a set. */
export function startOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

/** Reports whether a set wants a pod of this ordinal. */
export function isInRange(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + wantedReplicas(set);
}

/** Returns the name of the revision that a pod was made from. */
export function revisionNameOf({ metadata }: Pod): string {
  return metadata.labels?.[REVISION_LABEL] ?? "";
}

/** Reports whether a pod exists; one that is only planned does not. */
export function isCreated({ status }: Pod): boolean {
  return (status?.phase ?? "") !== "";
}

/** Reports whether a pod is being deleted. */
export function isGoing({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Reports whether a pod runs and is ready. */
export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isReady(pod);
}

/** Plans the pod of an ordinal. */
export function statefulPod(
  set: StatefulSet,
  {
    ordinal,
    template,
    revision,
  }: { readonly ordinal: number; readonly template: PodTemplateSpec; readonly revision: string },
): Pod {
  const setName = set.metadata.name ?? "";
  const name = `${setName}-${String(ordinal)}`;
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      generateName: `${setName}-`,
      namespace: set.metadata.namespace ?? "",
      labels: { ...labels, [REVISION_LABEL]: revision },
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controllerReference(set)],
    },
    spec: { ...(template.spec ?? { containers: [] }), hostname: name, subdomain: set.spec?.serviceName ?? "" },
  };
  return withStorage(set, withIdentity(set, pod));
}

/** Reports whether a pod has the name and the label that its place in a set asks for. */
export function hasIdentity({ metadata }: StatefulSet, pod: Pod): boolean {
  const { parent, ordinal } = identityOf(pod);
  const name = `${parent}-${String(ordinal)}`;
  return (
    ordinal >= 0 &&
    parent === metadata.name &&
    pod.metadata.name === name &&
    pod.metadata.labels?.[POD_NAME_LABEL] === name
  );
}

/** Returns a pod with the labels that its place in a set asks for. */
export function withIdentity({ metadata }: StatefulSet, pod: Pod): Pod {
  const index = String(ordinalOf(pod));
  const name = `${metadata.name ?? ""}-${index}`;
  const labels = { ...pod.metadata.labels, [POD_NAME_LABEL]: name, [POD_INDEX_LABEL]: index };
  return { ...pod, metadata: { ...pod.metadata, name, labels } };
}

/** Returns the name of the claim that the pod of an ordinal has by a template. */
export function claimName({ metadata }: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string {
  return `${template.metadata.name ?? ""}-${metadata.name ?? ""}-${String(ordinal)}`;
}

/** Reports whether a pod uses the claims of its place in a set. */
export function hasStorage(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  const volumes = new Map((pod.spec?.volumes ?? []).map((volume) => [volume.name, volume]));
  return (set.spec?.volumeClaimTemplates ?? []).every((template) => {
    const volume = volumes.get(template.metadata.name ?? "");
    return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal);
  });
}

/** Returns a pod with volumes of the claims of its place in a set; they replace others of the same name. */
export function withStorage(set: StatefulSet, pod: Pod): Pod {
  const templates = set.spec?.volumeClaimTemplates ?? [];
  if (templates.length === 0) return pod;
  const ordinal = ordinalOf(pod);
  const claimed: Volume[] = templates.map((template) => ({
    name: template.metadata.name ?? "",
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  const others = (pod.spec?.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...pod, spec: { ...(pod.spec ?? { containers: [] }), volumes: [...claimed, ...others] } };
}
