/** The schemas of the structs of Kubernetes 1.37, for the schemas that `scaffold generate` writes in projects for this version. */
import { structSchema as lookUp } from "@kubescaffold/k8s/tables";

import type { JsonSchema } from "../model/json-schema.ts";
import { requiredStruct } from "./required-struct.ts";

/** Returns the schema that a CRD has for a struct of Kubernetes 1.37, by its package and name. Fails: `UnknownStructError`. */
export function structSchema(name: string): JsonSchema {
  return requiredStruct(name, lookUp);
}
