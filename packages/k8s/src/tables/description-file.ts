import { isRecord } from "@kubescaffold/platform";

import type { Descriptions, TypeDescriptions } from "./descriptions.ts";

const FORMAT = 1;

/**
 * Prints descriptions as the text of a file, with further members at its beginning.
 *
 * Guarantees: the same descriptions are the same text, with one type on each line, in order.
 */
export function printDescriptions(
  { release, source, types }: Descriptions,
  further: Readonly<Record<string, string>> = {},
): string {
  const members = Object.entries({ format: FORMAT, release, source, ...further }).map(([key, value]) =>
    member(key, value),
  );
  const lines = Object.entries(sortedTypes(types)).map(([name, type]) => member(name, type));
  return `{\n${members.join(",\n")},\n"types":{\n${lines.join(",\n")}\n}\n}\n`;
}

function member(key: string, value: unknown): string {
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/** Parses the text of {@link printDescriptions}; undefined for every other text. */
export function parseDescriptions(text: string): Descriptions | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value["format"] !== FORMAT || !isRecord(value["types"])) return undefined;
  const { release, source, types } = value;
  if (typeof release !== "string" || typeof source !== "string") return undefined;
  if (!Object.values(types).every((each) => isTypeDescription(each))) return undefined;
  return { release, source, types: types as TypeDescriptions };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTypeDescription(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { text, fields } = value;
  if (text !== undefined && typeof text !== "string") return false;
  return fields === undefined || (isRecord(fields) && Object.values(fields).every((each) => typeof each === "string"));
}

function sortedTypes(types: TypeDescriptions): TypeDescriptions {
  return sorted(types, ({ text, fields }) => ({
    ...(text === undefined ? {} : { text }),
    ...(fields === undefined ? {} : { fields: sorted(fields, (each) => each) }),
  }));
}

function sorted<T>(values: Readonly<Record<string, T>>, copy: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(values)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, value]) => [key, copy(value)]),
  );
}
