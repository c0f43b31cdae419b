import type { GroupVersion } from "@kubescaffold/k8s";
import { describeDefinition, type OpenApiSchema, type TypeDescriptions } from "@kubescaffold/k8s/tables";
import type { JsonObject, JsonSchema } from "@kubescaffold/schema/values";

import { typesOf } from "../discovery/legacy-discovery.ts";
import type { Release } from "../release/release.ts";
import type { Registry, ResourceType } from "../resources/registry.ts";
import { pathsOf, schemaNameOf } from "./operation-paths.ts";
import { META, REFERENCE, referencedSchemas } from "./references.ts";

/** The inputs of documents. */
export interface DocumentSource {
  readonly registry: Registry;
  /** The descriptions of built-in types, if there are any. */
  readonly descriptions: TypeDescriptions | undefined;
  /** Whether the documents of the issuer of tokens are served. */
  readonly hasIssuer: boolean;
}

/** Creates the OpenAPI document of a group-version. */
export function buildDocument(groupVersion: GroupVersion, source: DocumentSource): unknown {
  const types = typesOf(source.registry, groupVersion);
  const paths = pathsOf(groupVersion, types);
  const own = schemasOf(groupVersion, source);
  // The schemas of built-in kinds are complete.
  const isComplete = types.every(({ isCustom }) => !isCustom);
  return documentOf(source.registry.release, {
    paths,
    schemas: isComplete ? own : { ...sharedSchemas({ paths, own }, source), ...own },
  });
}

function sharedSchemas(part: unknown, { registry, descriptions }: DocumentSource): JsonObject {
  const schemas = referencedSchemas(part, (name) => registry.release.api.schema(name) as JsonObject | undefined);
  return descriptions === undefined ? schemas : (describedSchemas(schemas as Schemas, descriptions) as JsonObject);
}

/** Returns the document of a release with some paths and schemas. */
export function documentOf(
  { version }: Release,
  { paths, schemas }: { readonly paths: JsonObject; readonly schemas: JsonObject },
): unknown {
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: version.gitVersion },
    paths,
    components: { schemas },
  };
}

/** Returns the schemas of a group-version by their names: of its kinds, and of what built-in ones refer to. */
export function schemasOf(groupVersion: GroupVersion, { registry, descriptions }: DocumentSource): JsonObject {
  const types = typesOf(registry, groupVersion);
  const schemas = types.some(({ isCustom }) => !isCustom) ? registry.release.api.schemasOf(groupVersion) : {};
  const custom = types.filter(({ isCustom }) => isCustom);
  return {
    ...(descriptions === undefined ? schemas : describedSchemas(schemas, descriptions)),
    ...Object.assign({}, ...custom.map((type) => customSchemas(type, objectTexts(descriptions)))),
  } as JsonObject;
}

type Schemas = Readonly<Record<string, OpenApiSchema>>;

function describedSchemas(schemas: Schemas, descriptions: TypeDescriptions): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeDefinition(name, schema, descriptions)]),
  );
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

function customSchemas(type: ResourceType, texts: ObjectTexts): Readonly<Record<string, unknown>> {
  const name = schemaNameOf(type.release.api, type);
  const { group, version } = type;
  return {
    [name]: withGvk(customSchema(type, texts), { group, version, kind: type.kind }),
    [`${name}List`]: withGvk(listSchema(name), { group, version, kind: type.listKind }),
  };
}

function customSchema(type: ResourceType, texts: ObjectTexts): JsonSchema {
  const schema = type.schema?.() ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: "string", description: texts.apiVersion },
      kind: { type: "string", description: texts.kind },
      metadata: { allOf: [{ $ref: `${REFERENCE}${META}.ObjectMeta` }], description: texts.metadata },
    },
  };
}

function listSchema(itemName: string): JsonSchema {
  return {
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { allOf: [{ $ref: `${REFERENCE}${META}.ListMeta` }] },
      items: { type: "array", items: { allOf: [{ $ref: REFERENCE + itemName }] } },
    },
  };
}

function withGvk(schema: JsonSchema, gvk: unknown): unknown {
  return { ...schema, "x-kubernetes-group-version-kind": [gvk] };
}
