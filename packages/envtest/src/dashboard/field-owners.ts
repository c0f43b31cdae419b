import { isRecord, parseServerJson, printServerJson } from "@kubescaffold/k8s";

import type { FieldOwner } from "./protocol.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the field owners of an object, with the paths of their fields. */
export function fieldOwnersOf(object: Fields): readonly FieldOwner[] {
  const metadata = isRecord(object["metadata"]) ? object["metadata"] : {};
  const entries = Array.isArray(metadata["managedFields"]) ? metadata["managedFields"].filter(isRecord) : [];
  return entries.map((entry) => {
    const at = Date.parse(textOf(entry["time"]));
    return {
      manager: textOf(entry["manager"]),
      operation: textOf(entry["operation"]),
      subresource: textOf(entry["subresource"]),
      ...(Number.isNaN(at) ? {} : { at }),
      paths: pathsOf(entry["fieldsV1"], ""),
    };
  });
}

// A member with members below is listed by those.
function pathsOf(fields: unknown, base: string): readonly string[] {
  if (!isRecord(fields)) return [];
  return Object.entries(fields).flatMap(([element, below]) => {
    if (element === ".") return [];
    const path = `${base}${elementOf(element, base === "")}`;
    const paths = pathsOf(below, path);
    return paths.length === 0 ? [path] : paths;
  });
}

const PLAIN = /^[\w-]+$/u;

function elementOf(element: string, isFirst: boolean): string {
  const value = element.slice(2);
  switch (element[0]) {
    case "f":
      return PLAIN.test(value) ? `${isFirst ? "" : "."}${value}` : `[${JSON.stringify(value)}]`;
    case "k":
      return `[${keysOf(value)}]`;
    default:
      return `[${value}]`;
  }
}

function keysOf(text: string): string {
  try {
    const keys: unknown = parseServerJson(text);
    if (!isRecord(keys)) return text;
    return Object.entries(keys)
      .map(([key, value]) => `${key}=${printServerJson(value)}`)
      .join(",");
  } catch {
    return text;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
