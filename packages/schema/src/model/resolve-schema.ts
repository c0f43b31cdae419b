import { UnresolvedReferenceError } from "./errors.ts";
import type { JsonSchema, SchemaOptions, SchemaResolver } from "./json-schema.ts";

/**
 * Returns the schema that stands behind a reference; without a resolver the schema itself.
 *
 * OpenAPI v3 writes a reference with siblings as `allOf` of one: the siblings win over what is referred to.
 *
 * Fails: {@link UnresolvedReferenceError} when the resolver does not know the reference.
 */
export function resolveSchema(schema: JsonSchema, options: SchemaOptions): JsonSchema {
  const { resolve } = options;
  return resolve === undefined ? schema : resolveWith(schema, resolve);
}

/** Returns the reference of a schema, written directly or as `allOf` of one. */
export function refOf(schema: JsonSchema): string | undefined {
  return schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
}

// One resolved schema per schema object keeps a walk from merging siblings again and again.
const resolvedSchemas = new WeakMap<SchemaResolver, WeakMap<JsonSchema, JsonSchema>>();

function resolveWith(schema: JsonSchema, resolve: SchemaResolver): JsonSchema {
  const ref = refOf(schema);
  if (ref === undefined) {
    return schema;
  }
  let known = resolvedSchemas.get(resolve);
  if (known === undefined) {
    known = new WeakMap();
    resolvedSchemas.set(resolve, known);
  }
  let resolved = known.get(schema);
  if (resolved === undefined) {
    resolved = mergeSiblings(schema, ref, resolve);
    known.set(schema, resolved);
  }
  return resolved;
}

function mergeSiblings(schema: JsonSchema, ref: string, resolve: SchemaResolver): JsonSchema {
  const target = resolve(ref);
  if (target === undefined) {
    throw new UnresolvedReferenceError(ref);
  }
  const { $ref: _ref, allOf, ...siblings } = schema;
  const kept = schema.$ref === undefined || allOf === undefined ? siblings : { ...siblings, allOf };
  return Object.keys(kept).length === 0 ? resolveWith(target, resolve) : { ...resolveWith(target, resolve), ...kept };
}
