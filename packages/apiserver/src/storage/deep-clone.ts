/** Copies a JSON value with all that is in it; the copy belongs to the caller. */
export function deepClone<T>(value: T): T {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => deepClone(item)) as T;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = deepClone((value as Record<string, unknown>)[key]);
    if (key === "__proto__") {
      Object.defineProperty(copy, key, { value: field, enumerable: true, configurable: true, writable: true });
    } else {
      copy[key] = field;
    }
  }
  return copy as T;
}
