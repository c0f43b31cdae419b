/** Freezes a value and all that is in it; parts that are frozen already are not entered again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) {
      deepFreeze(part);
    }
  }
  return value;
}
