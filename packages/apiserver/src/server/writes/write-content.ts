import { createHash } from "node:crypto";

import { printServerJson, RECURSIVE_LEVELS } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { ApiObject } from "../../storage/api-object.ts";

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

/** Returns a digest of comparable values, which is the same for equal ones. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(textOf(value)).digest("hex").slice(0, DIGEST_LENGTH);
}

/** A field whose value differs; lists are compared as a whole. */
export interface ChangedField {
  /** The path, such as `spec.replicas`, or `metadata.labels["app.kubernetes.io/name"]`. */
  readonly path: string;
  /** The value before the change; undefined when the field was added. */
  readonly previous: unknown;
  /** The value after the change; undefined when the field was removed. */
  readonly value: unknown;
}

/** Returns the fields of comparable values that differ, in order of their paths. */
export function changedFields(before: unknown, after: unknown): readonly ChangedField[] {
  return changesIn(before, after, { path: "", level: 0 });
}

interface Place {
  readonly path: string;
  readonly level: number;
}

function changesIn(before: unknown, after: unknown, { path, level }: Place): readonly ChangedField[] {
  if (level < RECURSIVE_LEVELS && isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => changesIn(before[key], after[key], { path: joinPath(path, key), level: level + 1 }));
  }
  return textOf(before) === textOf(after) ? [] : [{ path, previous: before, value: after }];
}

function joinPath(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

const PLAIN_KEY = /^\w[\w-]*$/u;

function comparable(value: unknown, level: number = 0): unknown {
  if (typeof value === "string") return comparableText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  // Objects have thousands of levels at most, more than there is room for calls.
  if (level === RECURSIVE_LEVELS) return printServerJson(value);
  if (Array.isArray(value)) return value.map((item) => comparable(item, level + 1));
  const entries = Object.entries(value).map(([key, field]) => [key, comparable(field, level + 1)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function comparableText(text: string): string {
  return PLACEHOLDERS.reduce((result, [pattern, placeholder]) => result.replace(pattern, placeholder), text);
}

// The keys of comparable values are in order.
function textOf(value: unknown): string {
  return value === undefined ? "" : printServerJson(value);
}
