import type { FieldProblem } from "../feed/protocol.ts";
import type { FieldPath } from "./form-schema.ts";

/** Reads a field as API servers print it: `spec.containers[0].name`, `metadata.labels[app.kubernetes.io/name]`. */
export function parseField(field: string): FieldPath {
  const path: (string | number)[] = [];
  let rest = field;
  while (rest !== "") {
    if (rest.startsWith("[")) {
      const end = rest.indexOf("]");
      const key = rest.slice(1, end === -1 ? undefined : end).replaceAll('"', "");
      path.push(/^\d+$/u.test(key) ? Number(key) : key);
      rest = end === -1 ? "" : rest.slice(end + 1);
      continue;
    }
    const text = rest.startsWith(".") ? rest.slice(1) : rest;
    const length = text.search(/[.[]/u);
    const name = length === -1 ? text : text.slice(0, length);
    if (name !== "") path.push(name);
    rest = length === -1 ? "" : text.slice(length);
    if (name === "" && rest === "") break;
  }
  return path;
}

/** Identifies a path, for maps and for IDs of elements. */
export function pathKey(path: FieldPath): string {
  return path.map(String).join("/");
}

/** Groups problems by the key of their path. */
export function problemsByPath(problems: readonly FieldProblem[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { field, message } of problems) {
    const key = pathKey(parseField(field));
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return groups;
}
