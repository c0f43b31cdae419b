/** A value of JSON that may be changed in place. */
export type Json = string | number | boolean | null | Json[] | JsonMap;

/** An object of JSON that may be changed in place. */
export interface JsonMap {
  /** A member by its name. */
  [key: string]: Json;
}

/** An object of Kubernetes as a manifest has it. */
export interface Manifest extends JsonMap {
  /** Group and version of the kind. */
  apiVersion: string;
  /** The kind. */
  kind: string;
  /** Name, namespace, labels, and annotations. */
  metadata: JsonMap;
}

/** Reports whether a value is an object, and no list. */
export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object below the keys of a path, or an empty one where there is none. */
export function mapAt(value: Json | undefined, ...path: readonly string[]): JsonMap {
  const found = valueAt(value, ...path);
  return isMap(found) ? found : {};
}

/** Returns a list below the keys of a path, or an empty one where there is none. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns a text below the keys of a path, or an empty one where there is none. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
}

/** Returns a scalar as text. */
export function asText(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Returns what is below the keys of a path. */
export function valueAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = value;
  for (const key of path) found = isMap(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

/** Returns the name of an object. */
export function nameOf({ metadata }: Manifest): string {
  return textAt(metadata, "name");
}

/** Returns the namespace of an object; empty for none. */
export function namespaceOf({ metadata }: Manifest): string {
  return textAt(metadata, "namespace");
}

/** Returns the group of an object's API; empty for the core group. */
export function groupOf({ apiVersion }: Manifest): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}
