import type { JSONValue } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import {
  fieldSetOf,
  fieldsWithout,
  printFieldSet,
  type FieldNode,
  type FieldOwners,
  type FieldSet,
} from "@kubescaffold/schema";

/** The manager of a write: its name, operation, version, and subresource. */
export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
}

/** The owners of an object's fields with the time of their last change, by {@link managerKey}. */
export interface ManagedFields {
  readonly owners: FieldOwners;
  readonly entries: ReadonlyMap<string, ManagedFieldsEntry>;
}

/** Returns the name under which the fields of a manager are kept: one that applies is the same in every version. */
export function managerKey({
  manager = "",
  operation = "",
  apiVersion = "",
  subresource = "",
}: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, operation === "Apply" ? "" : apiVersion, subresource]);
}

/** Reads `metadata.managedFields`. */
export function readManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFields {
  const keyed = (entries ?? []).map((entry): readonly [string, ManagedFieldsEntry] => [managerKey(entry), entry]);
  return {
    owners: new Map(keyed.map(([key, { fieldsV1 }]) => [key, fieldSetOf(fieldsV1 as JSONValue | undefined)])),
    entries: new Map(keyed),
  };
}

/** Prints `metadata.managedFields`; undefined when nobody owns anything. */
export function printManagedFields({ owners, entries }: ManagedFields): ManagedFieldsEntry[] | undefined {
  const printed = [...owners].flatMap(([key, set]): readonly ManagedFieldsEntry[] => {
    const entry = entries.get(key);
    return entry === undefined || set.size === 0
      ? []
      : [{ ...entry, fieldsType: "FieldsV1", fieldsV1: printFieldSet(set) }];
  });
  return printed.length === 0 ? undefined : sortEntries(printed);
}

/** Returns entries in the order in which servers write them. */
export function sortEntries(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  return entries.toSorted(compareEntries);
}

/** Returns the entry of a manager who has last written at a time, if that is known. */
export function entryOf(
  { manager, operation, apiVersion, subresource }: Manager,
  time: string | undefined,
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    ...(subresource === "" ? {} : { subresource }),
  };
}

/** Removes from a set what no manager owns: the identity of an object, and what the server writes. */
export function withoutIdentity(set: FieldSet): FieldSet {
  return fieldsWithout(set, IDENTITY);
}

const MEMBER: FieldNode = { isMember: true, children: new Map() };
const METADATA = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
];
const IDENTITY: FieldSet = new Map([
  ["f:apiVersion", MEMBER],
  ["f:kind", MEMBER],
  ["f:metadata", { isMember: true, children: new Map(METADATA.map((name) => [`f:${name}`, MEMBER])) }],
]);

function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  const keys = ["operation", "time", "manager", "apiVersion", "subresource"] as const;
  for (const key of keys) {
    const [own, other] = [left[key] ?? "", right[key] ?? ""];
    if (own !== other) return own < other ? -1 : 1;
  }
  return 0;
}
