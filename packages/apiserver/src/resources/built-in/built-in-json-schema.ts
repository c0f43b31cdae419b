import type { GroupVersionKind } from "@kubescaffold/k8s";
import { builtInSchema, definitionNameOf } from "@kubescaffold/k8s/schemas";
import type { JsonSchema, SchemaResolver } from "@kubescaffold/schema/values";

import { withoutZeroDefaults } from "./body-decoder.ts";

/** A schema of a built-in kind with what follows its references. */
export interface ResolvableSchema {
  readonly schema: JsonSchema;
  readonly resolve: SchemaResolver;
}

/** Follows references to built-in definitions as they are published: keys of lists that are left out have the defaults that these state. */
export const resolvePublished: SchemaResolver = (ref) => builtInSchema(nameOf(ref));

const nameOf = (ref: string): string => (ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : ref);

const schemas = new Map<string, JsonSchema | undefined>();
const PREFIX = "#/components/schemas/";

/** Follows references to built-in definitions. */
const resolveBuiltIn: SchemaResolver = (ref) => {
  const name = nameOf(ref);
  if (!schemas.has(name)) {
    const schema = builtInSchema(name);
    schemas.set(name, schema === undefined ? undefined : withoutZeroDefaults(name, schema));
  }
  return schemas.get(name);
};

const references = new Map<string, ResolvableSchema>();

/** Returns the schema of a built-in kind as a reference, which keeps the name of its definition. */
export function builtInJsonSchema(gvk: GroupVersionKind): ResolvableSchema {
  const name = definitionNameOf(gvk);
  if (name === undefined) return NO_SCHEMA;
  // What follows from a schema is cached by its identity.
  let known = references.get(name);
  if (known === undefined) {
    known = { schema: { $ref: `${PREFIX}${name}` }, resolve: resolveBuiltIn };
    references.set(name, known);
  }
  return known;
}

const NO_SCHEMA: ResolvableSchema = { schema: {}, resolve: resolveBuiltIn };
