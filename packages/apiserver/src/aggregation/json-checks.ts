import { isRecord } from "@kubescaffold/platform";

/** Reports whether a value of JSON can be decoded. As in Go, members may be absent or null, and additional ones are ignored. */
export type JsonCheck = (value: unknown) => boolean;

export const isText: JsonCheck = (value) => typeof value === "string";

export const isTruth: JsonCheck = (value) => typeof value === "boolean";

/** Returns the check of a list. */
export function isListOf(isItem: JsonCheck): JsonCheck {
  return (value) => Array.isArray(value) && value.every((item) => isItem(item));
}

/** Returns the check of an object whose members are all alike. */
export function isMapOf(isMember: JsonCheck): JsonCheck {
  return (value) => isRecord(value) && Object.values(value).every((member) => isMember(member));
}

/** Returns the check of an object with these members. */
export function isObjectOf(members: Readonly<Record<string, JsonCheck>>): JsonCheck {
  const checks = Object.entries(members);
  return (value) =>
    isRecord(value) && checks.every(([name, isMember]) => isAbsent(value[name]) || isMember(value[name]));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
