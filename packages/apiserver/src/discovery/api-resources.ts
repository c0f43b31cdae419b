import { createHash } from "node:crypto";

import type { ResourceType } from "../resources/resource-type.ts";

/** Returns the entries of an `APIResourceList`: each resource, followed by its subresources. */
export function apiResources(types: readonly ResourceType[]): readonly unknown[] {
  return types.flatMap((type) => [
    resourceEntry(type),
    ...type.subresourceTypes.map((entry) => subresourceEntry(type, entry)),
  ]);
}

function resourceEntry(type: ResourceType): unknown {
  return {
    name: type.resource,
    singularName: type.singular,
    namespaced: type.isNamespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.isVirtual === true ? {} : { storageVersionHash: storageVersionHash(type) }),
  };
}

function subresourceEntry(type: ResourceType, entry: ResourceType["subresourceTypes"][number]): unknown {
  const isOther = entry.group !== type.group || entry.version !== type.version;
  return {
    name: `${type.resource}/${entry.name}`,
    singularName: "",
    namespaced: type.isNamespaced,
    ...(isOther ? { group: entry.group, version: entry.version } : {}),
    kind: entry.kind,
    verbs: entry.verbs,
  };
}

const HASH_BYTES = 8;

// Tells clients which resources are stored as the same kind.
function storageVersionHash({ storedAs, version, kind }: ResourceType): string {
  const identity = `${storedAs.group}/${version}/${kind}`;
  return createHash("sha256").update(identity).digest().subarray(0, HASH_BYTES).toString("base64");
}
