import { builtInResources, type BuiltInResource } from "@kubescaffold/k8s/tables";

import { once, type ResourceType } from "../resource-type.ts";
import { builtInColumns } from "../table/built-in-columns.ts";
import { rulesOf } from "./built-in-rule-table.ts";
import { createBuiltInStrategy } from "./built-in-strategy.ts";

// Served in several groups or versions, stored in one place.
const SHARED_STORAGE: Readonly<Record<string, string>> = { "events.k8s.io/events": "" };

/** Makes the resource types of all built-in kinds; their schemas are read on first use. */
export function builtInTypes(): readonly ResourceType[] {
  return builtInResources.map((resource) => builtInType(resource));
}

function builtInType(resource: BuiltInResource): ResourceType {
  const { group, version, plural, kind } = resource;
  const gvk = { group, version, kind };
  const subresources = resource.subresources.map(({ name }) => name);
  return {
    group,
    version,
    resource: plural,
    kind,
    listKind: `${kind}List`,
    singular: resource.singular,
    isNamespaced: resource.namespaced,
    isCustom: false,
    shortNames: resource.shortNames,
    categories: resource.categories,
    verbs: resource.verbs,
    subresources,
    subresourceTypes: resource.subresources,
    storedAs: { group: SHARED_STORAGE[`${group}/${plural}`] ?? group, resource: plural },
    strategy: once(() => createBuiltInStrategy({ gvk, rules: rulesOf(gvk), subresources: new Set(subresources) })),
    columns: once(() => builtInColumns(gvk)),
    ...(resource.verbs.includes("get") ? {} : { isVirtual: true }),
  };
}
