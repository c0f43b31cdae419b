import { additionalSchemaOf, itemsOf, type JsonSchema } from "./model/json-schema.ts";

const known = new WeakMap<JsonSchema, boolean>();

/**
 * Reports whether a schema or one in it has CEL rules.
 *
 * Only such schemas need `@kubescaffold/schema/cel`.
 */
export function containsRules(schema: JsonSchema): boolean {
  let contains = known.get(schema);
  if (contains === undefined) {
    contains = (schema["x-kubernetes-validations"] ?? []).length > 0 || parts(schema).some(containsRules);
    known.set(schema, contains);
  }
  return contains;
}

function parts(schema: JsonSchema): readonly JsonSchema[] {
  const items = itemsOf(schema);
  const additional = additionalSchemaOf(schema);
  return [
    ...Object.values(schema.properties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(additional === undefined ? [] : [additional]),
  ];
}
