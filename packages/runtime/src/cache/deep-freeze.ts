/**
 * Freezes plain data through and through and returns it; changing it throws from then on.
 *
 * What is frozen already is taken to be frozen throughout.
 */
export function deepFreeze<V>(value: V): V {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) {
    return value;
  }
  for (const name in value) {
    const field: unknown = value[name];
    if (typeof field === "object" && field !== null) {
      deepFreeze(field);
    }
  }
  return Object.freeze(value);
}
