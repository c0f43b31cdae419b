import type { JSONValue } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import { fieldSetOf, fieldsWithout, printFieldSet, type FieldSet } from "@kubescaffold/schema/structured-merge";

import { managerKey, sortEntries } from "./managers.ts";

/** The version of the kind that the subresource scale has. */
export const SCALE_VERSION = "autoscaling/v1";

const SCALE_REPLICAS = [".spec.replicas"] as const;

/** Field owners of an object, and the path of its replicas. */
export interface ScaledOwners {
  readonly entries: readonly ManagedFieldsEntry[] | undefined;
  /** The version of the object. */
  readonly apiVersion: string;
  /** A simple path such as `.spec.replicas`. */
  readonly replicas: string;
}

/** Returns the owners of an object's replicas as owners of its scale. */
export function ownersOfScale({ entries = [], replicas }: ScaledOwners): readonly ManagedFieldsEntry[] {
  return entries
    .filter((entry) => owns(entry, replicas))
    .map((entry) => ({ ...entry, apiVersion: SCALE_VERSION, fieldsV1: fieldsAt(SCALE_REPLICAS[0]) }));
}

/**
 * Returns the owners of an object after those of its scale have changed: who owns the replicas of the scale owns those of the object, and nobody else.
 *
 * Guarantees: one who stated them by applying, and states something else of the scale now, keeps them; entries of updates have no time, and are
 * separate from other entries of their manager: as on real servers.
 */
export function ownersAfterScale(
  { entries = [], apiVersion, replicas }: ScaledOwners,
  scaleEntries: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] {
  const scaled = new Map(scaleEntries.map((entry) => [managerKey(entry), entry]));
  const times = new Map(entries.map((entry) => [managerKey(entry), entry.time]));
  const kept = entries.flatMap((entry) => {
    if (!owns(entry, replicas) || scaled.delete(managerKey(entry))) return [entry];
    const fields = fieldsWithout(fieldsOf(entry), fieldSetOf(fieldsAt(replicas)));
    return fields.size === 0 ? [] : [{ ...entry, fieldsV1: printFieldSet(fields) }];
  });
  const added = [...scaled]
    .filter(([, entry]) => owns(entry, SCALE_REPLICAS[0]))
    .map(([key, { time: _time, ...entry }]) => {
      const time = times.get(key);
      return { ...entry, apiVersion, ...(time === undefined ? {} : { time }), fieldsV1: fieldsAt(replicas) };
    });
  return sortEntries([...kept, ...added]);
}

function owns(entry: ManagedFieldsEntry, path: string): boolean {
  let fields = fieldsOf(entry);
  const elements = elementsOf(path);
  return elements.every((element, index) => {
    const node = fields.get(element);
    if (node === undefined) return false;
    fields = node.children;
    return index + 1 < elements.length || node.isMember;
  });
}

function fieldsOf({ fieldsV1 }: ManagedFieldsEntry): FieldSet {
  return fieldSetOf(fieldsV1 as JSONValue | undefined);
}

function fieldsAt(path: string): Record<string, JSONValue> {
  return elementsOf(path).reduceRight<Record<string, JSONValue>>((below, element) => ({ [element]: below }), {});
}

function elementsOf(path: string): readonly string[] {
  return path.split(".").flatMap((name) => (name === "" ? [] : [`f:${name}`]));
}
