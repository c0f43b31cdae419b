import type { GroupVersion } from "@kubescaffold/k8s";
import { describeDefinition, type OpenApiSchema, type TypeDescriptions } from "@kubescaffold/k8s/tables";
import type { JsonObject } from "@kubescaffold/schema/values";

import { typesOf } from "../discovery/legacy-discovery.ts";
import type { Release } from "../release/release.ts";
import type { Registry } from "../resources/registry.ts";
import { clientGroupVersions } from "./client-group-versions.ts";
import { customSchemas } from "./custom-schemas.ts";
import { pathsOf } from "./operation-paths.ts";
import { META, referencedSchemas } from "./references.ts";

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
  const { release } = source.registry;
  const types = typesOf(source.registry, groupVersion);
  const paths = pathsOf(groupVersion, types);
  const own = schemasOf(groupVersion, source);
  if (types.some(({ isCustom }) => isCustom)) {
    const schemas = { ...sharedSchemas({ paths, own }, source), ...own };
    return customDocument(paths, withGroupVersions(schemas, clientGroupVersions(release)));
  }
  return documentOf(release, { paths, schemas: own });
}

// Custom resources have documents of another builder, which names neither the server nor its tokens.
function customDocument(paths: JsonObject, schemas: JsonObject): unknown {
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths,
    components: { schemas },
  };
}

const KINDS_OF_ALL = ["DeleteOptions", "WatchEvent"] as const;

function withGroupVersions(schemas: JsonObject, groupVersions: readonly GroupVersion[]): JsonObject {
  const changed = KINDS_OF_ALL.flatMap((kind): readonly (readonly [string, JsonObject])[] => {
    const name = `${META}.${kind}`;
    const schema = schemas[name] as JsonObject | undefined;
    const gvks = groupVersions.map(({ group, version }) => ({ group, version, kind }));
    return schema === undefined ? [] : [[name, { ...schema, "x-kubernetes-group-version-kind": gvks }]];
  });
  return { ...schemas, ...Object.fromEntries(changed) };
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
    components: { schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

// A server always accepts tokens, those of service accounts at least.
const SECURITY_SCHEMES = { BearerToken: { type: "apiKey", name: "authorization", in: "header" } } as const;

/** Returns the schemas of a group-version by their names: of its kinds, and of what built-in ones refer to. */
export function schemasOf(groupVersion: GroupVersion, { registry, descriptions }: DocumentSource): JsonObject {
  const types = typesOf(registry, groupVersion);
  const schemas = types.some(({ isCustom }) => !isCustom) ? registry.release.api.schemasOf(groupVersion) : {};
  const custom = types.filter(({ isCustom }) => isCustom);
  return {
    ...(descriptions === undefined ? schemas : describedSchemas(schemas, descriptions)),
    ...Object.assign({}, ...custom.map((type) => customSchemas(type, descriptions))),
  } as JsonObject;
}

type Schemas = Readonly<Record<string, OpenApiSchema>>;

function describedSchemas(schemas: Schemas, descriptions: TypeDescriptions): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeDefinition(name, schema, descriptions)]),
  );
}
