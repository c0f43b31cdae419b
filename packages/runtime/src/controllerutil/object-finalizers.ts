import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Says whether an object has a finalizer. */
export function containsFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** Returns the object with a finalizer; the very same object when it has it already. */
export function addFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  return containsFinalizer(object, finalizer)
    ? object
    : withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** Returns the object without a finalizer; the very same object when it has none of that name. */
export function removeFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  return containsFinalizer(object, finalizer)
    ? withFinalizers(object, object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [])
    : object;
}

function withFinalizers<T extends KubernetesObject>(object: T, finalizers: string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
