import { dns1123SubdomainErrors, type FieldError } from "@kubescaffold/k8s";
import { validateObjectMeta } from "@kubescaffold/schema/values";

import { readPath } from "../resources/fields.ts";
import type { ResourceType } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";

const MOST_REPLICAS = 2 ** 31 - 1;

/** Returns what is wrong with the scale of an object of a type. */
export function scaleErrors(view: ApiObject, type: ResourceType): readonly FieldError[] {
  return [...metadataErrors(view, type), ...replicaErrors(readPath(view, ".spec.replicas") ?? 0)];
}

// Nothing of the metadata is stored but the version. Servers of custom resources have never checked it, and others do not since 1.37.
function metadataErrors({ metadata }: ApiObject, { isCustom, release }: ResourceType): readonly FieldError[] {
  if (isCustom || release.since("1.37")) return [];
  const rules = { path: "metadata", isNamespaced: true, nameRule: dns1123SubdomainErrors, wording: "general" } as const;
  return validateObjectMeta(metadata as never, rules);
}

function replicaErrors(replicas: unknown): readonly FieldError[] {
  if (typeof replicas === "number" && replicas >= 0 && replicas <= MOST_REPLICAS) return [];
  return [
    {
      type: "FieldValueInvalid",
      field: "spec.replicas",
      badValue: replicas,
      detail: "must be greater than or equal to 0",
    },
  ];
}
