import type { GroupVersionKind } from "@kubescaffold/k8s";
import { builtInSchema, definitionNameOf } from "@kubescaffold/k8s/tables";
import type { JsonSchema, SchemaResolver } from "@kubescaffold/schema";

/** A schema of a built-in kind with what follows its references. */
export interface ResolvableSchema {
  readonly schema: JsonSchema;
  readonly resolve: SchemaResolver;
}

/** Follows references to built-in definitions. */
const resolveBuiltIn: SchemaResolver = (ref) => builtInSchema(ref);

/** Returns the schema of a built-in kind as a reference, which keeps the name of its definition. */
export function builtInJsonSchema(gvk: GroupVersionKind): ResolvableSchema {
  const name = definitionNameOf(gvk);
  return { schema: name === undefined ? {} : { $ref: `#/components/schemas/${name}` }, resolve: resolveBuiltIn };
}
