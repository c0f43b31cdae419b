/**
 * The schemas of the Kubernetes API's own structs, for the schemas that `scaffold generate` writes: a kind with a Pod template refers to
 * them here, where their eight thousand lines are stored once. These are the structs of Kubernetes 1.35, the version of projects that do not record one;
 * the modules in the folder have those of other versions.
 */
import { structPatch } from "@kubescaffold/k8s/structs/1.35";
import { patchedStructs } from "@kubescaffold/k8s/tables";

import type { JsonSchema } from "./model/json-schema.ts";
import { requiredStruct } from "./structs/required-struct.ts";

/**
 * Returns the schema that a CRD has for a struct of the Kubernetes API, by its package and name.
 *
 * Guarantees: the result is frozen, and the same object at each call.
 * Fails: `UnknownStructError` for a name that `@kubescaffold/k8s` does not know.
 *
 * @example
 * structSchema("core/v1.PodTemplateSpec");
 */
export function structSchema(name: string): JsonSchema {
  return requiredStruct(name, structs.structSchema);
}

const structs = patchedStructs(structPatch);
