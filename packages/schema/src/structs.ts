/**
 * The schemas of the Kubernetes API's own structs, for the schemas that `scaffold generate` writes: a kind with a Pod template refers to
 * them here, where their eight thousand lines are stored once.
 */
import { structSchema as lookUp } from "@kubescaffold/k8s/tables";

import { UnknownStructError } from "./model/errors.ts";
import type { JsonSchema } from "./model/json-schema.ts";

/**
 * Returns the schema that a CRD has for a struct of the Kubernetes API, by its package and name.
 *
 * Guarantees: the result is frozen, and the same object at each call.
 * Fails: {@link UnknownStructError} for a name that `@kubescaffold/k8s` does not know.
 *
 * @example
 * structSchema("core/v1.PodTemplateSpec");
 */
export function structSchema(name: string): JsonSchema {
  const schema = lookUp(name);
  if (schema === undefined) throw new UnknownStructError(name);
  return schema;
}
