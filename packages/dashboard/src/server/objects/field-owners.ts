import { parseServerJson, printServerJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { FieldOwner } from "../contract/protocol.ts";

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
      paths: pathsOf(entry["fieldsV1"]),
    };
  });
}

// A member with members below is listed by those.
function pathsOf(fields: unknown): readonly string[] {
  const paths: string[] = [];
  const later: { readonly fields: unknown; readonly path: string }[] = [{ fields, path: "" }];
  for (let next = later.pop(); next !== undefined; next = later.pop()) {
    const { path: base } = next;
    const below = isRecord(next.fields) ? Object.entries(next.fields).filter(([element]) => element !== ".") : [];
    if (below.length === 0 && base !== "") paths.push(base);
    for (const [element, inner] of below.toReversed()) {
      later.push({ fields: inner, path: `${base}${elementOf(element, base === "")}` });
    }
  }
  return paths;
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
