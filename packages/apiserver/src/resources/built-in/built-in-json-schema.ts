import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { BuiltInApi } from "@kubescaffold/k8s/schemas";
import type { JsonSchema, SchemaResolver } from "@kubescaffold/schema/values";

import { withoutZeroDefaults } from "./body-decoder.ts";

/** A schema of a built-in kind with what follows its references. */
export interface ResolvableSchema {
  readonly schema: JsonSchema;
  readonly resolve: SchemaResolver;
}

/** Returns what follows references to built-in definitions as they are published: keys of lists that are left out have the defaults that these state. */
export function publishedResolver(api: BuiltInApi): SchemaResolver {
  return resolversOf(api).published;
}

/** Returns the schema of a built-in kind as a reference, which keeps the name of its definition. */
export function builtInJsonSchema(api: BuiltInApi, gvk: GroupVersionKind): ResolvableSchema {
  const { builtIn, references } = resolversOf(api);
  const name = api.definitionNameOf(gvk);
  if (name === undefined) return { schema: NO_SCHEMA, resolve: builtIn };
  let known = references.get(name);
  if (known === undefined) {
    known = { schema: { $ref: `${PREFIX}${name}` }, resolve: builtIn };
    references.set(name, known);
  }
  return known;
}

const NO_SCHEMA: JsonSchema = {};

// What follows from a schema is cached by its identity, and by that of its resolver.
interface Resolvers {
  readonly published: SchemaResolver;
  readonly builtIn: SchemaResolver;
  readonly references: Map<string, ResolvableSchema>;
}

const known = new WeakMap<BuiltInApi, Resolvers>();

function resolversOf(api: BuiltInApi): Resolvers {
  let resolvers = known.get(api);
  if (resolvers === undefined) {
    resolvers = {
      published: (ref) => api.schema(nameOf(ref)),
      builtIn: resolverWithoutZeros(api),
      references: new Map(),
    };
    known.set(api, resolvers);
  }
  return resolvers;
}

function resolverWithoutZeros(api: BuiltInApi): SchemaResolver {
  const schemas = new Map<string, JsonSchema | undefined>();
  return (ref) => {
    const name = nameOf(ref);
    if (!schemas.has(name)) {
      const schema = api.schema(name);
      schemas.set(name, schema === undefined ? undefined : withoutZeroDefaults(name, schema));
    }
    return schemas.get(name);
  };
}

const PREFIX = "#/components/schemas/";
const nameOf = (ref: string): string => (ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : ref);
