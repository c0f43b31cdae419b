import { type GroupVersion, type GroupVersionKind, apiVersionOf } from "../group-version.ts";
import { builtInResources, gatedResources } from "./built-in-resources.ts";
import { definitionPrefixes } from "./definition-prefixes.ts";
import { definitionTexts } from "./definition-texts.ts";

const REFERENCE = "#/components/schemas/";
const META_PREFIX = "io.k8s.apimachinery.pkg.apis.meta.v1";

/**
 * Returns the OpenAPI schema of a built-in kind, of a definition by its name, or of a `$ref`.
 *
 * @example
 * builtInSchema({ group: "apps", version: "v1", kind: "Deployment" });
 * builtInSchema("io.k8s.api.core.v1.PodSpec");
 */
export function builtInSchema(wanted: GroupVersionKind | string): OpenApiSchema | undefined {
  const name = typeof wanted === "string" ? wanted : definitionNameOf(wanted);
  if (name === undefined) return undefined;
  return definitionNamed(name.startsWith(REFERENCE) ? name.slice(REFERENCE.length) : name);
}

/** Returns the name of the definition of a built-in kind. */
export function definitionNameOf(gvk: GroupVersionKind): string | undefined {
  const prefix = definitionPrefixes[apiVersionOf(gvk)];
  const own = `${prefix ?? ""}.${gvk.kind}`;
  if (prefix === undefined) return undefined;
  const names = [own, `${META_PREFIX}.${gvk.kind}`];
  return names.find((name) => isOf(definitionNamed(name), gvk));
}

/**
 * Returns the schemas of the OpenAPI document that a server offers for a group-version, by name: those of its
 * resources and requests, and all they refer to.
 */
export function builtInSchemasOf(groupVersion: GroupVersion): Readonly<Record<string, OpenApiSchema>> {
  const found = new Map<string, OpenApiSchema>();
  for (const name of rootsOf(groupVersion)) addWithReferences(found, name);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function rootsOf({ group, version }: GroupVersion): ReadonlySet<string> {
  const isServed = (resource: GroupVersion): boolean => resource.group === group && resource.version === version;
  const served = builtInResources.filter(isServed);
  const resources = served.length > 0 ? served : gatedResources().filter(isServed);
  const verbs = new Set(resources.flatMap((resource) => resource.verbs));
  const kinds = resources.flatMap((resource) => [
    resource,
    ...(resource.verbs.includes("list") ? [{ group, version, kind: `${resource.kind}List` }] : []),
    ...resource.subresources,
  ]);
  const requests = [
    "APIResourceList",
    ...(verbs.has("delete") ? ["DeleteOptions", "Status"] : []),
    ...(verbs.has("patch") ? ["Patch"] : []),
    ...(verbs.has("watch") ? ["WatchEvent"] : []),
  ];
  return new Set([
    ...kinds.map((kind) => definitionNameOf(kind) ?? ""),
    ...requests.map((name) => `${META_PREFIX}.${name}`),
  ]);
}

/** Returns the definition of a type by its group, version, and name, such as `core/v1.Container`. */
export function definitionOf(key: string): OpenApiSchema | undefined {
  const point = key.indexOf(".");
  const place = key.slice(0, point);
  const definitions = definitionsAt(place) ?? {};
  const end = `.${place.replace("/", ".")}.${key.slice(point + 1)}`;
  const name = Object.keys(definitions).find((each) => each.endsWith(end));
  return name === undefined ? undefined : definitions[name];
}

/** Returns the key of a definition for {@link definitionOf}: `core/v1.Pod` for `io.k8s.api.core.v1.Pod`. */
export function definitionKey(definition: string): string {
  const [group = "", version = "", name = ""] = definition.split(".").slice(-3);
  return `${group}/${version}.${name}`;
}

/** Returns the definitions of a group and version, such as `core/v1`, by their names. */
export function definitionsOf(place: string): Readonly<Record<string, OpenApiSchema>> {
  return definitionsAt(place) ?? {};
}

/** Returns the name of the definition that a schema refers to: by itself, or beside other keywords. */
export function referenceIn({ $ref, allOf }: OpenApiSchema): string | undefined {
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return reference?.slice(REFERENCE.length);
}

const parsedPlaces = new Map<string, Readonly<Record<string, OpenApiSchema>>>();

// Each group-version is parsed when first needed: all of them together take longer than the start of a server should.
function definitionsAt(place: string): Readonly<Record<string, OpenApiSchema>> | undefined {
  const text = definitionTexts.get(place);
  if (text === undefined) return undefined;
  const definitions = parsedPlaces.get(place) ?? (JSON.parse(text) as Record<string, OpenApiSchema>);
  parsedPlaces.set(place, definitions);
  return definitions;
}

function definitionNamed(name: string): OpenApiSchema | undefined {
  const definitions = definitionsAt(name.split(".").slice(-3, -1).join("/"));
  return definitions !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

function addWithReferences(found: Map<string, OpenApiSchema>, name: string): void {
  const schema = definitionNamed(name);
  if (schema === undefined || found.has(name)) return;
  found.set(name, schema);
  for (const [, reference = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    addWithReferences(found, reference);
  }
}

function isOf(schema: OpenApiSchema | undefined, { group, version, kind }: GroupVersionKind): boolean {
  const gvks = schema?.["x-kubernetes-group-version-kind"] ?? [];
  return gvks.some((gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind);
}

/** A schema of an OpenAPI v3 document of Kubernetes. */
export interface OpenApiSchema {
  /** `#/components/schemas/` and the name of a definition. */
  readonly $ref?: string;
  /** The description, where descriptions were added. */
  readonly description?: string;
  /** The type of the value. */
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  /** The format of the value, such as `int32` or `date-time`. */
  readonly format?: string;
  /** The schemas of the fields of an object. */
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  /** The schema of the values of a map. */
  readonly additionalProperties?: OpenApiSchema;
  /** The schema of the items of a list. */
  readonly items?: OpenApiSchema;
  /** The names of the required fields. */
  readonly required?: readonly string[];
  /** The allowed values. */
  readonly enum?: readonly string[];
  /** The default of the field. */
  readonly default?: unknown;
  /** Schemas that all apply; here, a reference beside a default. */
  readonly allOf?: readonly OpenApiSchema[];
  /** Schemas of which exactly one applies, for values of several types. */
  readonly oneOf?: readonly OpenApiSchema[];
  /** The kinds that use the definition. */
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
  /** Whether server-side apply replaces a list, or merges it as a set or by keys. */
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  /** The fields that identify an item of a list of the type `map`. */
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  /** Whether server-side apply replaces an object, or merges its fields. */
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  /** How strategic merge patches treat the field: `merge`, `replace`, or `retainKeys`. */
  readonly "x-kubernetes-patch-strategy"?: string;
  /** The field by which strategic merge patches match the items of a list. */
  readonly "x-kubernetes-patch-merge-key"?: string;
  /** Fields of which at most one is set. */
  readonly "x-kubernetes-unions"?: readonly unknown[];
}
