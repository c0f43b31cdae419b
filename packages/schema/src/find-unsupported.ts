import { childPath, keyPath } from "./field-path.ts";
import { isSchemaList, type JsonSchema } from "./json-schema.ts";

/** Names a part of a schema that this package does not carry out. */
export interface UnsupportedFeature {
  readonly feature: "x-kubernetes-validations";
  /** Where it stands, such as `openAPIV3Schema.properties[spec].x-kubernetes-validations`. */
  readonly path: string;
}

/**
 * Finds what a schema asks for and this package does not do: CEL rules.
 *
 * Whoever would enforce the schema must refuse it with these names; ignoring a rule would accept what a server rejects.
 */
export function findUnsupported(schema: JsonSchema, path = "openAPIV3Schema"): readonly UnsupportedFeature[] {
  const here: readonly UnsupportedFeature[] =
    (schema["x-kubernetes-validations"]?.length ?? 0) === 0
      ? []
      : [{ feature: "x-kubernetes-validations", path: childPath(path, "x-kubernetes-validations") }];
  return [...here, ...childSchemas(schema, path).flatMap(([child, at]) => findUnsupported(child, at))];
}

function childSchemas(schema: JsonSchema, path: string): readonly (readonly [JsonSchema, string])[] {
  const { additionalProperties, items, not } = schema;
  const named = Object.entries(schema.properties ?? {}).map(
    ([name, child]) => [child, keyPath(childPath(path, "properties"), name)] as const,
  );
  const single = (key: string, child: JsonSchema | boolean | undefined): readonly (readonly [JsonSchema, string])[] =>
    typeof child === "object" ? [[child, childPath(path, key)]] : [];
  const branches = (["allOf", "anyOf", "oneOf"] as const).flatMap((key) =>
    (schema[key] ?? []).map((child, index) => [child, keyPath(childPath(path, key), index)] as const),
  );
  return [
    ...named,
    ...single("additionalProperties", additionalProperties),
    ...(isSchemaList(items) ? [] : single("items", items)),
    ...branches,
    ...single("not", not),
  ];
}
