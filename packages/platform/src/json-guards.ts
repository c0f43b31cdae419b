/** Reports whether a value is an object with named members: neither `null` nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value that is an object with named members; for any other value, an object without members. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Returns a value that is a list; for any other value, an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a value that is a string; undefined for any other value. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
