import { type GroupVersion, apiVersionOf } from "@kubescaffold/k8s";
import {
  builtInSchema,
  builtInSchemasOf,
  definitionNameOf,
  describeDefinition,
  type OpenApiSchema,
  type TypeDescriptions,
} from "@kubescaffold/k8s/tables";
import type { JsonObject, JsonSchema } from "@kubescaffold/schema";

import { typesOf } from "../discovery/legacy-discovery.ts";
import { SERVER_VERSION } from "../discovery/server-version.ts";
import type { Registry, ResourceType } from "../resources/registry.ts";

/** The inputs of documents. */
export interface DocumentSource {
  readonly registry: Registry;
  /** The descriptions of built-in types, if there are any. */
  readonly descriptions: TypeDescriptions | undefined;
}

/** Creates the OpenAPI document of a group-version. */
export function buildDocument(groupVersion: GroupVersion, source: DocumentSource): unknown {
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: SERVER_VERSION.gitVersion },
    paths: pathsOf(typesOf(source.registry, groupVersion)),
    components: { schemas: schemasOf(groupVersion, source) },
  };
}

/** Returns the paths of resources with their operations. */
export function pathsOf(types: readonly ResourceType[]): JsonObject {
  return Object.assign({}, ...types.map((type) => operationPaths(type, schemaNameOf(type)))) as JsonObject;
}

/** Returns the schemas of a group-version by their names: of its kinds, and of what they refer to. */
export function schemasOf(groupVersion: GroupVersion, { registry, descriptions }: DocumentSource): JsonObject {
  const types = typesOf(registry, groupVersion);
  const builtIn = types.some(({ isCustom }) => !isCustom) ? builtInSchemasOf(groupVersion) : {};
  const custom = types.filter(({ isCustom }) => isCustom);
  const schemas = custom.length === 0 ? builtIn : { ...builtIn, ...META_SCHEMAS };
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

/** Returns the name of the schema of a kind in its document. */
function schemaNameOf(type: ResourceType): string {
  return definitionNameOf(type) ?? `${type.group.split(".").toReversed().join(".")}.${type.version}.${type.kind}`;
}

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

function customSchemas(type: ResourceType, texts: ObjectTexts): Readonly<Record<string, unknown>> {
  const name = schemaNameOf(type);
  const { group, version } = type;
  return {
    [name]: withGvk(customSchema(type, texts), { group, version, kind: type.kind }),
    [`${name}List`]: withGvk(listSchema(name), { group, version, kind: type.listKind }),
  };
}

// The metadata of all kinds, and what it refers to.
const META_SCHEMAS: Schemas = Object.fromEntries(
  ["ObjectMeta", "ListMeta", "ManagedFieldsEntry", "FieldsV1", "OwnerReference", "Time"].map((name) => [
    `${META}.${name}`,
    builtInSchema(`${META}.${name}`) ?? {},
  ]),
);

function customSchema(type: ResourceType, texts: ObjectTexts): JsonSchema {
  const schema = type.schema?.() ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: "string", description: texts.apiVersion },
      kind: { type: "string", description: texts.kind },
      metadata: { allOf: [{ $ref: `#/components/schemas/${META}.ObjectMeta` }], description: texts.metadata },
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
      metadata: { allOf: [{ $ref: `#/components/schemas/${META}.ListMeta` }] },
      items: { type: "array", items: { allOf: [{ $ref: `#/components/schemas/${itemName}` }] } },
    },
  };
}

function withGvk(schema: JsonSchema, gvk: unknown): unknown {
  return { ...schema, "x-kubernetes-group-version-kind": [gvk] };
}

const ACTIONS: Readonly<
  Record<string, { readonly method: string; readonly on: "object" | "collection"; readonly action: string }>
> = {
  get: { method: "get", on: "object", action: "get" },
  update: { method: "put", on: "object", action: "put" },
  patch: { method: "patch", on: "object", action: "patch" },
  delete: { method: "delete", on: "object", action: "delete" },
  list: { method: "get", on: "collection", action: "list" },
  create: { method: "post", on: "collection", action: "post" },
  deletecollection: { method: "delete", on: "collection", action: "deletecollection" },
};

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch"]);

/** Returns the paths of a resource with their operations, as far as clients look at them. */
function operationPaths(type: ResourceType, schemaName: string): Readonly<Record<string, unknown>> {
  const prefix = type.group === "" ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`;
  const scope = type.isNamespaced ? "/namespaces/{namespace}" : "";
  const collection = `${prefix}${scope}/${type.resource}`;
  const paths: Record<string, Record<string, unknown>> = { [collection]: {}, [`${collection}/{name}`]: {} };
  for (const verb of type.verbs) {
    const entry = ACTIONS[verb];
    if (entry !== undefined) {
      const path = entry.on === "object" ? `${collection}/{name}` : collection;
      (paths[path] ??= {})[entry.method] = operation(type, { verb, action: entry.action, schemaName });
    }
  }
  return Object.fromEntries(Object.entries(paths).filter(([, operations]) => Object.keys(operations).length > 0));
}

function operation(
  { group, version, kind }: ResourceType,
  { verb, action, schemaName }: { readonly verb: string; readonly action: string; readonly schemaName: string },
): unknown {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schemaName}` } } };
  return {
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, version, kind },
    parameters: WRITES.has(verb) ? writeParameters(verb) : [],
    responses: { "200": { description: "OK", content } },
  };
}

function writeParameters(verb: string): readonly unknown[] {
  const names = ["dryRun", "fieldManager", "fieldValidation", ...(verb === "patch" ? ["force"] : [])];
  return names.map((name) => ({
    name,
    in: "query",
    schema: { type: name === "force" ? "boolean" : "string", uniqueItems: true },
  }));
}
