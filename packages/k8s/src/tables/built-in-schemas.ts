import { type GroupVersion, type GroupVersionKind, apiVersionOf } from "../group-version.ts";
import { minorNumber } from "../kubernetes-version.ts";
import type { BuiltInResource } from "./built-in-resources.ts";
import { withElementDefaults } from "./element-defaults.ts";
import type { OpenApiSchema } from "./open-api-schema.ts";
import type { ReleaseTexts } from "./release-texts.ts";

const REFERENCE = "#/components/schemas/";
const META_PREFIX = "io.k8s.apimachinery.pkg.apis.meta.v1";

type Definitions = Readonly<Record<string, OpenApiSchema>>;

/** The definitions of one version, of which each group version is parsed when first needed: all of them together take longer than the start of a server should. */
export class BuiltInSchemas {
  readonly #texts: ReleaseTexts;
  readonly #parsed = new Map<string, Definitions>();

  constructor(texts: ReleaseTexts) {
    this.#texts = texts;
  }

  /** Returns the schema of a kind, of a definition by its name, or of a `$ref`. */
  schema(wanted: GroupVersionKind | string): OpenApiSchema | undefined {
    const name = typeof wanted === "string" ? wanted : this.nameOf(wanted);
    if (name === undefined) return undefined;
    return this.#named(name.startsWith(REFERENCE) ? name.slice(REFERENCE.length) : name);
  }

  /** Returns the name of the definition of a kind. */
  nameOf(gvk: GroupVersionKind): string | undefined {
    const prefix = this.#texts.prefixes[apiVersionOf(gvk)];
    const own = `${prefix ?? ""}.${gvk.kind}`;
    if (prefix === undefined) return undefined;
    return [own, `${META_PREFIX}.${gvk.kind}`].find((name) => isOf(this.#named(name), gvk));
  }

  /** Returns the definitions of the OpenAPI document of a group version, by name, given all of its resources. */
  ofDocument(groupVersion: GroupVersion, resources: readonly BuiltInResource[]): Definitions {
    const found = new Map<string, OpenApiSchema>();
    for (const name of this.#rootsOf(groupVersion, resources)) this.#addWithReferences(found, name);
    const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (!this.#hasKindsOfDocument) return Object.fromEntries(sorted);
    return Object.fromEntries(sorted.map(([name, schema]) => [name, withKindsOf(schema, groupVersion)]));
  }

  /** Returns the definition of a type by its group, version, and name, such as `core/v1.Container`. */
  ofKey(key: string): OpenApiSchema | undefined {
    const point = key.indexOf(".");
    const place = key.slice(0, point);
    const definitions = this.ofPlace(place);
    const end = `.${place.replace("/", ".")}.${key.slice(point + 1)}`;
    const name = Object.keys(definitions).find((each) => each.endsWith(end));
    return name === undefined ? undefined : definitions[name];
  }

  /** Returns the definitions of a group and version, such as `core/v1`, by their names. */
  ofPlace(place: string): Definitions {
    const known = this.#parsed.get(place);
    if (known !== undefined) return known;
    const text = this.#texts.definitions(place);
    // Names from outside must not fill the memory.
    if (text === undefined) return {};
    const plain = JSON.parse(text) as Definitions;
    const definitions = this.#texts.hasElementDefaults ? withElementDefaults(plain) : plain;
    this.#parsed.set(place, definitions);
    return definitions;
  }

  // Shared kinds, such as DeleteOptions, have all group versions in each document until 1.35.
  get #hasKindsOfDocument(): boolean {
    return minorNumber(this.#texts.minor) >= 36;
  }

  #rootsOf({ group, version }: GroupVersion, resources: readonly BuiltInResource[]): ReadonlySet<string> {
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
      ...kinds.map((kind) => this.nameOf(kind) ?? ""),
      ...requests.map((name) => `${META_PREFIX}.${name}`),
    ]);
  }

  #named(name: string): OpenApiSchema | undefined {
    const definitions = this.ofPlace(name.split(".").slice(-3, -1).join("/"));
    return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }

  #addWithReferences(found: Map<string, OpenApiSchema>, name: string): void {
    const schema = this.#named(name);
    if (schema === undefined || found.has(name)) return;
    found.set(name, schema);
    for (const [, reference = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      this.#addWithReferences(found, reference);
    }
  }
}

function withKindsOf(schema: OpenApiSchema, { group, version }: GroupVersion): OpenApiSchema {
  const kinds = schema["x-kubernetes-group-version-kind"] ?? [];
  if (kinds.length < 2) return schema;
  const own = kinds.filter((each) => each.group === "" || (each.group === group && each.version === version));
  return { ...schema, "x-kubernetes-group-version-kind": own };
}

function isOf(schema: OpenApiSchema | undefined, { group, version, kind }: GroupVersionKind): boolean {
  const gvks = schema?.["x-kubernetes-group-version-kind"] ?? [];
  return gvks.some((gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind);
}

/** Returns the key of a definition for `definitionOf`: `core/v1.Pod` for `io.k8s.api.core.v1.Pod`. */
export function definitionKey(definition: string): string {
  const [group = "", version = "", name = ""] = definition.split(".").slice(-3);
  return `${group}/${version}.${name}`;
}

/** Returns the name of the definition that a schema refers to: by itself, or beside other keywords. */
export function referenceIn({ $ref, allOf }: OpenApiSchema): string | undefined {
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return reference?.slice(REFERENCE.length);
}
