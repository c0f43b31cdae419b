import type { StructSchema } from "@kubescaffold/k8s/tables";

import { UnknownStructError } from "../model/errors.ts";
import type { JsonSchema } from "../model/json-schema.ts";

/** Returns the schema that a lookup has for a struct. Fails: {@link UnknownStructError} if it has none. */
export function requiredStruct(name: string, lookUp: (name: string) => StructSchema | undefined): JsonSchema {
  const schema = lookUp(name);
  if (schema === undefined) throw new UnknownStructError(name);
  return schema;
}
