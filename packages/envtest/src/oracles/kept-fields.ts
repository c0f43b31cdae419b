import { printLosslessJson, RECURSIVE_LEVELS } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { StateDifference } from "./compare-states.ts";
import type { ManagedFields } from "./upgrade-record.ts";

interface Place {
  readonly object: string;
  readonly path: string;
  readonly level: number;
}

/** Returns the fields of a value that another one lacks, or has with another value. Fields that only the other one has are no loss. */
export function lostFields(expected: unknown, actual: unknown, place: Place): readonly StateDifference[] {
  const { object, path, level } = place;
  if (level < RECURSIVE_LEVELS && isRecord(expected) && isRecord(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      lostFields(value, actual[key], { object, path: path === "" ? key : `${path}.${key}`, level: level + 1 }),
    );
  }
  const isSameList = Array.isArray(expected) && Array.isArray(actual) && expected.length <= actual.length;
  if (level < RECURSIVE_LEVELS && isSameList) {
    return expected.flatMap((item, index) =>
      lostFields(item, actual[index], { object, path: `${path}[${String(index)}]`, level: level + 1 }),
    );
  }
  if (textOf(expected) === textOf(actual)) return [];
  return [{ object, path, expected, ...(actual === undefined ? {} : { actual }) }];
}

function textOf(value: unknown): string {
  return value === undefined ? "" : printLosslessJson(value);
}

/** Returns the paths of the fields that an entry owns, such as `spec.title`, each with its subresource. */
export function ownedPaths({ fieldsV1, subresource = "" }: ManagedFields): readonly string[] {
  return leaves(fieldsV1, "", 0).map((field) => `${subresource} ${field}`.trim());
}

function leaves(fields: unknown, path: string, level: number): readonly string[] {
  const entries = isRecord(fields) ? Object.entries(fields).filter(([key]) => key !== ".") : [];
  if (entries.length === 0 || level >= RECURSIVE_LEVELS) return path === "" ? [] : [path];
  return entries.flatMap(([key, inner]) => {
    const name = key.replace(/^[fkv]:/u, "");
    return leaves(inner, path === "" ? name : `${path}.${name}`, level + 1);
  });
}
