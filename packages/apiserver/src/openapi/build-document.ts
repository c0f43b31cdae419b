import { type GroupVersion, apiVersionOf } from "@kubescaffold/k8s";
import { builtInSchema, builtInSchemasOf, definitionNameOf } from "@kubescaffold/k8s/tables";
import type { JsonObject, JsonSchema } from "@kubescaffold/schema";

import { SERVER_VERSION } from "../discovery/server-version.ts";
import type { ResourceType } from "../resources/registry.ts";

/** Creates the OpenAPI document of a group-version. */
export function buildDocument(groupVersion: GroupVersion, types: readonly ResourceType[]): unknown {
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: SERVER_VERSION.gitVersion },
    paths: pathsOf(types),
    components: { schemas: schemasOf(groupVersion, types) },
  };
}

/** Returns the paths of resources with their operations. */
export function pathsOf(types: readonly ResourceType[]): JsonObject {
  return Object.assign({}, ...types.map((type) => operationPaths(type, schemaNameOf(type)))) as JsonObject;
}

/** Returns the schemas of a group-version by their names: of its kinds, and of what they refer to. */
export function schemasOf(groupVersion: GroupVersion, types: readonly ResourceType[]): JsonObject {
  const schemas = types.some(({ isCustom }) => !isCustom) ? builtInSchemasOf(groupVersion) : {};
  const custom = types.filter(({ isCustom }) => isCustom);
  return { ...schemas, ...Object.assign({}, ...custom.map((type) => customSchemas(type))) } as JsonObject;
}

/** Returns the name of the schema of a kind in its document. */
function schemaNameOf(type: ResourceType): string {
  return definitionNameOf(type) ?? `${type.group.split(".").toReversed().join(".")}.${type.version}.${type.kind}`;
}

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

function customSchemas(type: ResourceType): Readonly<Record<string, unknown>> {
  const name = schemaNameOf(type);
  const { group, version } = type;
  return {
    ...META_SCHEMAS,
    [name]: withGvk(customSchema(type), { group, version, kind: type.kind }),
    [`${name}List`]: withGvk(listSchema(name), { group, version, kind: type.listKind }),
  };
}

// The metadata of all kinds, and what it refers to.
const META_SCHEMAS = Object.fromEntries(
  ["ObjectMeta", "ListMeta", "ManagedFieldsEntry", "FieldsV1", "OwnerReference", "Time"].map((name) => [
    `${META}.${name}`,
    builtInSchema(`${META}.${name}`),
  ]),
);

function customSchema(type: ResourceType): JsonSchema {
  const schema = type.schema?.() ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: "string", description: "The version of the schema in which this object is written." },
      kind: { type: "string", description: "The kind of the object." },
      metadata: {
        allOf: [{ $ref: `#/components/schemas/${META}.ObjectMeta` }],
        description: "Standard metadata of objects.",
      },
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
