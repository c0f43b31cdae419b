import { createHash } from "node:crypto";

import { isJsonObject, type JsonObject } from "@kubescaffold/schema/values";

/** Digests of a document without its texts: a change of one of them is a change of its paths, or of its schemas. */
export interface DocumentDigests {
  /** The digest of everything but the schemas. */
  readonly paths: string;
  readonly schemas: string;
}

/** Returns a document without descriptions and the version of the server, with the keys of its objects sorted. */
export function structureOf(document: JsonObject): JsonObject {
  const { info, ...others } = document;
  const { version: _version, ...kept } = (info ?? {}) as JsonObject;
  return withoutTexts({ info: kept, ...others }, "") as JsonObject;
}

/** Returns the digests of a structure. */
export function digestsOf(structure: JsonObject): DocumentDigests {
  const { components, ...others } = structure;
  const { schemas, ...parts } = (components ?? {}) as JsonObject;
  return { paths: digestOf({ ...others, components: parts }), schemas: digestOf(schemas) };
}

/** Returns where two values differ, as paths with both values; at most ten. */
export function differencesOf(real: unknown, embedded: unknown, place = ""): readonly string[] {
  if (isContainer(real) && isContainer(embedded) && Array.isArray(real) === Array.isArray(embedded)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(embedded)]);
    return [...keys].flatMap((key) => differencesOf(real[key], embedded[key], `${place} ${key}`)).slice(0, 10);
  }
  return real === embedded ? [] : [`${place}: ${printed(real)} on the real server, ${printed(embedded)} here`];
}

// Names of fields, of schemas, and of paths are no keywords.
const MAPS: ReadonlySet<string> = new Set(["properties", "schemas", "paths"]);

function withoutTexts(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, ""));
  if (!isJsonObject(value)) return value;
  const isMap = MAPS.has(key);
  const entries = Object.entries(value)
    .filter(([name, inner]) => isMap || name !== "description" || typeof inner !== "string")
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutTexts(inner, isMap ? "" : name)]));
}

function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("hex")
    .slice(0, 16);
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function printed(value: unknown): string {
  return (JSON.stringify(value) ?? "absent").slice(0, 200);
}
