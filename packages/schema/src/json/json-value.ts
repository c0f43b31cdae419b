import type { JSONValue } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JSONValue };

/** Reports whether a value is a JSON object, neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** Reports whether a value is a JSON list. */
export function isJsonList(value: unknown): value is readonly JSONValue[] {
  return Array.isArray(value);
}

/** Sets a member as JSON means it: `__proto__` is a name like any other. */
export function setMember(object: { [key: string]: JSONValue }, key: string, value: JSONValue): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Returns a member, or undefined where the object itself has none of that name. */
export function memberOf(object: JsonObject, key: string): JSONValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
