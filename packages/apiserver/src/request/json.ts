/** Any JSON value. */
type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object whose fields are not known. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON object that its holder owns and may change. */
export interface MutableJsonObject {
  [key: string]: unknown;
}

/** Says whether a value is a JSON object, neither an array nor null. */
export function isJsonObject(value: unknown): value is MutableJsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
