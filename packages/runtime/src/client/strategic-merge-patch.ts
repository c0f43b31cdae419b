import { gvkOf, gvkToString } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { builtInSchema } from "@kubescaffold/k8s/tables";
import { createStrategicMergePatch } from "@kubescaffold/schema";

import { NoPatchSchemaError } from "./errors.ts";
import { asJson, lockedTo, type MergeFromOptions, type Patch } from "./patch.ts";

/**
 * Makes a strategic merge patch of what turns the original into the object given to `client.patch`: lists of things
 * with a key, such as containers, merge item by item.
 *
 * Fails: {@link NoPatchSchemaError} for kinds that are not built in; servers take merge patches only for those.
 */
export function strategicMergeFrom(original: KubernetesObject, options: MergeFromOptions = {}): Patch {
  return {
    type: "application/strategic-merge-patch+json",
    data: (object) => {
      const schema = builtInSchema(gvkOf(original));
      if (schema === undefined) {
        throw new NoPatchSchemaError(gvkToString(gvkOf(original)));
      }
      const resolver = { schema, resolve: builtInSchema };
      return lockedTo(original, createStrategicMergePatch(asJson(original), asJson(object), resolver), options);
    },
  };
}
