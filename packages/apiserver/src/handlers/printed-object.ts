import { goJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { OBJECT_META_FIELDS } from "../resources/object-meta.ts";

const ITEMS: Readonly<Record<string, readonly string[]>> = {
  ownerReferences: ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"],
  managedFields: ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"],
};

/**
 * Prints an object of a built-in kind after a JSON patch or a merge patch, as messages quote it.
 *
 * Its members are sorted where the patch has read them; elsewhere, those of metadata have the order of Go's types.
 */
export function printPatched(object: Readonly<Record<string, unknown>>, patch: unknown): string {
  const { metadata } = object;
  if (!isRecord(metadata)) return goJson(object);
  const read = readPaths(patch);
  const members = Object.entries(metadata).map(([name, value]): [string, unknown] => {
    const order = ITEMS[name];
    if (order === undefined || !Array.isArray(value) || read.has(`metadata/${name}=`)) return [name, value];
    return [name, value.map((item, index) => (read.has(`metadata/${name}/${index}`) ? item : inOrder(item, order)))];
  });
  const complete = Object.fromEntries(members);
  const sorted = new Map(Object.entries(complete).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  return goJson({ ...object, metadata: read.has("metadata") ? sorted : inOrder(complete, OBJECT_META_FIELDS) });
}

/** Returns the paths whose members a patch reads, and with `=` those of lists that it replaces. */
function readPaths(patch: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(patch) ? patch.flatMap(pathsOfOperation) : pathsOfMerge(patch));
}

function pathsOfOperation(operation: unknown): readonly string[] {
  const { path, from } = isRecord(operation) ? operation : {};
  return [path, from].flatMap((pointer) => {
    const segments = typeof pointer === "string" ? pointer.split("/").slice(1) : [];
    return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
  });
}

// Deeper members are sorted in any case.
function pathsOfMerge(patch: unknown): readonly string[] {
  const metadata = isRecord(patch) ? patch["metadata"] : undefined;
  if (!isRecord(metadata)) return [];
  return ["metadata", ...Object.keys(metadata).map((name) => `metadata/${name}=`)];
}

function inOrder(value: unknown, order: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return new Map(Object.entries(value).toSorted(([left], [right]) => place(left) - place(right)));
}
