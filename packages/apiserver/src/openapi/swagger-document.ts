import { parseApiVersion, apiVersionOf } from "@kubescaffold/k8s";
import type { JsonObject } from "@kubescaffold/schema";

import { typesOf } from "../discovery/legacy-discovery.ts";
import { SERVER_VERSION } from "../discovery/server-version.ts";
import type { Registry } from "../resources/registry.ts";
import { pathsOf, schemasOf } from "./build-document.ts";
import { swaggerSchema } from "./swagger-schema.ts";

/** Makes the document of version 2, which is one for all resources: kubectl checks the items of a List by it. */
export function swaggerDocument(registry: Registry): JsonObject {
  const groupVersions = [...new Set(registry.all().map((type) => apiVersionOf(type)))].map(parseApiVersion);
  const parts = groupVersions.map((groupVersion) => {
    const types = typesOf(registry, groupVersion);
    return { paths: pathsOf(types), schemas: schemasOf(groupVersion, types) };
  });
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: SERVER_VERSION.gitVersion },
    paths: mapValues(Object.assign({}, ...parts.map(({ paths }) => paths)), (path) => mapValues(path, operation)),
    definitions: mapValues(Object.assign({}, ...parts.map(({ schemas }) => schemas)), swaggerSchema),
  };
}

function mapValues(values: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value as JsonObject)]));
}

interface Operation {
  readonly parameters: readonly { readonly schema: JsonObject }[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description: string;
  readonly content: { readonly "application/json": { readonly schema: JsonObject } };
}

// What version 3 says in schemas, version 2 says of parameters and responses themselves.
function operation(value: JsonObject): JsonObject {
  const { parameters, responses, ...others } = value as unknown as Operation;
  const flat = parameters.map(({ schema, ...parameter }) => ({ ...parameter, ...schema }));
  const answers = Object.entries(responses).map(([code, { description, content }]) => [
    code,
    { description, schema: swaggerSchema(content["application/json"].schema) },
  ]);
  return { ...others, parameters: flat, responses: Object.fromEntries(answers) };
}
