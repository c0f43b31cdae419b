import type { ObjectMeta, OwnerReference } from "@kubescaffold/k8s/meta/v1";

/** Removes owner references that are stated twice; returns the warning about it, if there were any. */
export function dedupeOwnerReferences(metadata: ObjectMeta): string | undefined {
  const seen = new Map<string, OwnerReference>();
  const duplicates = new Set<string>();
  for (const reference of metadata.ownerReferences ?? []) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(key)) {
      duplicates.add(uid);
    }
    seen.set(key, reference);
  }
  if (duplicates.size === 0) {
    return undefined;
  }
  metadata.ownerReferences = [...seen.values()];
  return `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(", ")}`;
}
