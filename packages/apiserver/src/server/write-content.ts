import { createHash } from "node:crypto";

import { isRecord } from "@kubescaffold/platform";

import type { ApiObject } from "../storage/api-object.ts";

const DIGEST_LENGTH = 12;
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gu, "<uid>"],
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/gu, "<time>"],
];
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "managedFields",
  "selfLink",
]);

/**
 * Returns what is comparable of an object between two runs of the same requests: all but its version and field managers, with placeholders for uids,
 * times, and a generated name.
 */
export function comparableObject(object: ApiObject): unknown {
  const { metadata, ...fields } = object;
  const { generateName, name } = metadata;
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_FIELDS.has(key));
  return comparable({
    ...fields,
    metadata: { ...Object.fromEntries(kept), name: comparableName({ generateName, name }) },
  });
}

/** Returns the name of an object; that of a generated one without its suffix. */
export function comparableName({
  generateName,
  name = "",
}: {
  readonly generateName?: string | undefined;
  readonly name?: string | undefined;
}): string {
  const isGenerated = generateName !== undefined && generateName !== "" && name.startsWith(generateName);
  return isGenerated ? `${generateName}*` : name;
}

/** Returns a digest of a value that is the same for equal values, whatever the order of their keys. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalText(value)).digest("hex").slice(0, DIGEST_LENGTH);
}

/** A field whose value differs, such as `spec.replicas`; lists are compared as a whole. */
export interface ChangedField {
  readonly path: string;
  /** The value after the change; undefined when the field was removed. */
  readonly value: unknown;
}

/** Returns the fields whose values differ, in order of their paths. */
export function changedFields(before: unknown, after: unknown, path: string = ""): readonly ChangedField[] {
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => changedFields(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  return canonicalText(before) === canonicalText(after) ? [] : [{ path, value: after }];
}

function comparable(value: unknown): unknown {
  if (typeof value === "string") return comparableText(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, comparable(field)]));
}

function comparableText(text: string): string {
  return PLACEHOLDERS.reduce((result, [pattern, placeholder]) => result.replace(pattern, placeholder), text);
}

function canonicalText(value: unknown): string {
  return (
    JSON.stringify(value, (_key, field: unknown) =>
      isRecord(field)
        ? Object.fromEntries(Object.entries(field).sort(([left], [right]) => (left < right ? -1 : 1)))
        : field,
    ) ?? ""
  );
}
