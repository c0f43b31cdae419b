import { apiVersionOf } from "@kubescaffold/k8s";

import type { ResourceType } from "../resources/resource-type.ts";

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
export function operationPaths(type: ResourceType, schemaName: string): Readonly<Record<string, unknown>> {
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
