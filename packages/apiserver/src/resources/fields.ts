import { isJsonObject, type MutableJsonObject } from "../request/json.ts";

/** Returns the object in a field, or undefined. */
export function objectIn(parent: MutableJsonObject | undefined, name: string): MutableJsonObject | undefined {
  const value = parent?.[name];
  return isJsonObject(value) ? value : undefined;
}

/** Returns the objects of the list in a field; none where there is no list. */
export function objectsIn(parent: MutableJsonObject | undefined, name: string): readonly MutableJsonObject[] {
  const value = parent?.[name];
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

/** Returns the object in a field, which is made when absent. */
export function ensureObject(parent: MutableJsonObject, name: string): MutableJsonObject {
  const value = parent[name];
  if (isJsonObject(value)) {
    return value;
  }
  const made: MutableJsonObject = {};
  parent[name] = made;
  return made;
}

/** Sets each field that is absent. */
export function setAbsent(parent: MutableJsonObject | undefined, defaults: MutableJsonObject): void {
  for (const [name, value] of parent === undefined ? [] : Object.entries(defaults)) {
    if ((parent as MutableJsonObject)[name] === undefined) {
      (parent as MutableJsonObject)[name] = value;
    }
  }
}

/** Sets each text that is absent or empty. */
export function setEmpty(parent: MutableJsonObject | undefined, defaults: Readonly<Record<string, string>>): void {
  for (const [name, value] of parent === undefined ? [] : Object.entries(defaults)) {
    const given = (parent as MutableJsonObject)[name];
    if (given === undefined || given === "") {
      (parent as MutableJsonObject)[name] = value;
    }
  }
}

/** Returns the text in a field, the empty string where there is none. */
export function textIn(parent: MutableJsonObject | undefined, name: string): string {
  const value = parent?.[name];
  return typeof value === "string" ? value : "";
}

/** Returns the number in a field, or undefined. */
export function numberIn(parent: MutableJsonObject | undefined, name: string): number | undefined {
  const value = parent?.[name];
  return typeof value === "number" ? value : undefined;
}

/** Returns the texts of the list in a field. */
export function textsIn(parent: MutableJsonObject | undefined, name: string): readonly string[] {
  const value = parent?.[name];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
