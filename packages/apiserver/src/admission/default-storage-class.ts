import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";

import type { AdmissionPlugin } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";

const STORAGE_CLASSES = { group: "storage.k8s.io", resource: "storageclasses" } as const;
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const DEFAULT_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
] as const;

/** Gives new claims without a class the default StorageClass: of several, the newest. */
export function defaultStorageClass(context: Pick<ServerContext, "objects">): AdmissionPlugin {
  return {
    name: "DefaultStorageClass",
    mutate: ({ operation, resource, subresource, object }) => {
      if (operation !== "CREATE" || resource.group !== "" || resource.resource !== "persistentvolumeclaims")
        return undefined;
      const claim = object as PersistentVolumeClaim | undefined;
      if (subresource !== "" || claim === undefined || hasClass(claim)) return undefined;
      const storageClassName = defaultClass(context.objects.list(STORAGE_CLASSES))?.metadata.name;
      return storageClassName === undefined ? undefined : { ...claim, spec: { ...claim.spec, storageClassName } };
    },
  };
}

/** Reports whether a claim states its StorageClass, if only that it has none. */
export function hasClass({ metadata, spec }: PersistentVolumeClaim): boolean {
  return metadata.annotations?.[CLASS_ANNOTATION] !== undefined || spec?.storageClassName !== undefined;
}

/** Returns the newest of the classes that are the default, by one of the annotations. */
export function defaultClass<T extends Named>(
  classes: readonly T[],
  annotations: readonly string[] = DEFAULT_ANNOTATIONS,
): T | undefined {
  return classes
    .filter(({ metadata }) => annotations.some((key) => metadata.annotations?.[key] === "true"))
    .toSorted(newestFirst)[0];
}

interface Named {
  readonly metadata: ObjectMeta;
}

function newestFirst({ metadata: left }: Named, { metadata: right }: Named): number {
  const [leftTime = "", rightTime = ""] = [left.creationTimestamp, right.creationTimestamp];
  if (leftTime !== rightTime) return leftTime > rightTime ? -1 : 1;
  return (left.name ?? "") < (right.name ?? "") ? -1 : 1;
}
