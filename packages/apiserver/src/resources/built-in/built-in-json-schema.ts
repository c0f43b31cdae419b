import type { GroupVersionKind } from "@kubescaffold/k8s";
import { builtInSchema, definitionNameOf } from "@kubescaffold/k8s/tables";
import type { JsonSchema, SchemaResolver } from "@kubescaffold/schema";

import { withoutZeroDefaults } from "./body-decoder.ts";

/** A schema of a built-in kind with what follows its references. */
export interface ResolvableSchema {
  readonly schema: JsonSchema;
  readonly resolve: SchemaResolver;
}

const schemas = new Map<string, JsonSchema | undefined>();
const PREFIX = "#/components/schemas/";

/** Follows references to built-in definitions. */
const resolveBuiltIn: SchemaResolver = (ref) => {
  const name = ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : ref;
  if (!schemas.has(name)) {
    const schema = builtInSchema(name);
    schemas.set(name, schema === undefined ? undefined : withoutZeroDefaults(name, schema));
  }
  return schemas.get(name);
};

/** Returns the schema of a built-in kind as a reference, which keeps the name of its definition. */
export function builtInJsonSchema(gvk: GroupVersionKind): ResolvableSchema {
  const name = definitionNameOf(gvk);
  return { schema: name === undefined ? {} : { $ref: `#/components/schemas/${name}` }, resolve: resolveBuiltIn };
}
