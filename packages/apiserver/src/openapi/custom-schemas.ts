import type { TypeDescriptions } from "@kubescaffold/k8s/tables";
import type { JsonObject, JsonSchema } from "@kubescaffold/schema/values";

import type { ResourceType } from "../resources/registry.ts";
import { schemaNameOf } from "./operation-paths.ts";
import { META, REFERENCE } from "./references.ts";

/** Returns the schemas of a custom resource and of its list, by their names. */
export function customSchemas(type: ResourceType, descriptions: TypeDescriptions | undefined): JsonObject {
  const texts = objectTexts(descriptions);
  const name = schemaNameOf(type.release.api, type);
  const { group, version, kind, listKind, selectableFields = [] } = type;
  const extensionsOf = (named: string): JsonObject => ({
    "x-kubernetes-group-version-kind": [{ group, version, kind: named }],
    ...(selectableFields.length === 0
      ? {}
      : { "x-kubernetes-selectable-fields": selectableFields.map((fieldPath) => ({ fieldPath })) }),
  });
  return {
    [name]: { ...objectSchema(statedSchema(type), texts), ...extensionsOf(kind) },
    [`${name}List`]: { ...listSchema(name), ...extensionsOf(listKind) },
  } as JsonObject;
}

const OPEN: JsonSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

// Until 1.35, the structural schemas of servers had no field for examples and references to other documents.
function statedSchema(type: ResourceType): JsonSchema {
  const schema = type.schema?.() ?? OPEN;
  return type.release.since("1.36")
    ? schema
    : mapSchema(schema, ({ example: _example, externalDocs: _docs, ...stated }) => stated);
}

/** The descriptions of the fields that all objects have. */
interface ObjectTexts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: string;
}

const OWN_TEXTS: ObjectTexts = {
  apiVersion: "The version of the schema in which this object is written.",
  kind: "The kind of the object.",
  metadata: "Standard metadata of objects.",
};

// Servers describe these fields of custom resources like those of built-in ones.
function objectTexts(descriptions: TypeDescriptions | undefined): ObjectTexts {
  return { ...OWN_TEXTS, ...descriptions?.["core/v1.ConfigMap"]?.fields };
}

function objectSchema(schema: JsonSchema, texts: ObjectTexts): JsonSchema {
  const published = publishedSchema(schema, texts);
  return { ...published, properties: { ...published.properties, ...objectFields(texts) } };
}

function objectFields({ apiVersion, kind, metadata }: ObjectTexts): Readonly<Record<string, JsonSchema>> {
  return {
    apiVersion: { type: "string", description: apiVersion },
    kind: { type: "string", description: kind },
    metadata: { allOf: [{ $ref: `${REFERENCE}${META}.ObjectMeta` }], description: metadata },
  };
}

// As servers publish schemas: whether a value may be a number or a text is stated in a standard keyword, too, and embedded objects have the fields of objects.
function publishedSchema(schema: JsonSchema, texts: ObjectTexts): JsonSchema {
  return mapSchema(schema, (inner) => withEmbeddedFields(withAlternatives(inner), texts));
}

// Changes a schema and those of its fields, items, and values, the innermost first.
function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, additionalProperties } = schema;
  return change({
    ...schema,
    ...(properties === undefined ? {} : { properties: mapFields(properties, change) }),
    ...(isSchema(items) ? { items: mapSchema(items, change) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: mapSchema(additionalProperties, change) } : {}),
  });
}

function mapFields(
  properties: Readonly<Record<string, JsonSchema>>,
  change: (schema: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, mapSchema(field, change)]));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const ALTERNATIVES: readonly JsonSchema[] = [{ type: "integer" }, { type: "string" }];

function withAlternatives(schema: JsonSchema): JsonSchema {
  if (schema["x-kubernetes-int-or-string"] !== true) return schema;
  const { anyOf, allOf = [] } = schema;
  if (statesAlternatives(anyOf) || statesAlternatives(allOf[0]?.anyOf)) return schema;
  return anyOf === undefined
    ? { ...schema, anyOf: ALTERNATIVES }
    : { ...schema, allOf: [{ anyOf: ALTERNATIVES }, ...allOf] };
}

function statesAlternatives(anyOf: readonly JsonSchema[] | undefined): boolean {
  return anyOf?.length === 2 && anyOf.every(({ type }, index) => type === ALTERNATIVES[index]?.type);
}

function withEmbeddedFields(schema: JsonSchema, texts: ObjectTexts): JsonSchema {
  if (schema["x-kubernetes-embedded-resource"] !== true) return schema;
  const { properties, required = [] } = schema;
  const added = ["kind", "apiVersion"].filter((name) => !required.includes(name));
  return { ...schema, properties: { ...properties, ...objectFields(texts) }, required: [...required, ...added] };
}

function listSchema(itemName: string): JsonSchema {
  return {
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { allOf: [{ $ref: `${REFERENCE}${META}.ListMeta` }] },
      items: { type: "array", items: { $ref: REFERENCE + itemName } },
    },
  };
}
