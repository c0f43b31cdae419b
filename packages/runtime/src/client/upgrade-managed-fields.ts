import type { JSONValue } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { deepEqual, fieldSetOf, printFieldSet, unionOf } from "@kubescaffold/schema";

import { json, type Patch } from "./patch.ts";

/** The field managers of {@link upgradeManagedFields}. */
export interface ManagedFieldsUpgrade {
  /** The field managers that updated the object before. */
  readonly updaters: readonly string[];
  /** The field manager that will apply it. */
  readonly applier: string;
  /** The subresource that they wrote. Default: the object itself. */
  readonly subresource?: string;
}

/**
 * Returns the `managedFields` of an object with the fields of updates as applied fields of a field manager: with server-side apply, it can then remove fields
 * that it wrote with `update` or `patch` before.
 *
 * Guarantees: the object is not changed, and applying the function again changes nothing.
 *
 * client-go: util/csaupgrade.UpgradeManagedFields
 */
export function upgradeManagedFields(
  object: ReadonlyObject,
  { updaters, applier, subresource = "" }: ManagedFieldsUpgrade,
): readonly ManagedFieldsEntry[] {
  const entries = (object.metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];
  return updaters.reduce<readonly ManagedFieldsEntry[]>(
    (upgraded, updater) => withAppliedFields(upgraded, { updater, applier, subresource }),
    entries,
  );
}

/**
 * Returns the patch for {@link upgradeManagedFields}; undefined if nothing is to be changed. It fails with a conflict if the object has changed.
 *
 * client-go: util/csaupgrade.UpgradeManagedFieldsPatch
 *
 * @example
 * const upgrade = upgradeManagedFieldsPatch(deployment, { updaters: ["guestbook"], applier: "guestbook" });
 * if (upgrade !== undefined) await client.patch(deployment, upgrade);
 */
export function upgradeManagedFieldsPatch(object: ReadonlyObject, upgrade: ManagedFieldsUpgrade): Patch | undefined {
  const { managedFields = [], resourceVersion = "" } = object.metadata;
  const upgraded = upgradeManagedFields(object, upgrade);
  // Replacing the resourceVersion, not testing it, makes the server answer with a conflict.
  return deepEqual(managedFields, upgraded)
    ? undefined
    : json([
        { op: "replace", path: "/metadata/managedFields", value: upgraded as unknown as JSONValue },
        { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion },
      ]);
}

interface Upgrade {
  readonly updater: string;
  readonly applier: string;
  readonly subresource: string;
}

function withAppliedFields(
  entries: readonly ManagedFieldsEntry[],
  { updater, applier, subresource }: Upgrade,
): readonly ManagedFieldsEntry[] {
  const isOf = (entry: ManagedFieldsEntry, operation: string, manager: string): boolean =>
    entry.operation === operation && entry.manager === manager && (entry.subresource ?? "") === subresource;
  const isUpdate = (entry: ManagedFieldsEntry): boolean => isOf(entry, "Update", updater);
  const applied = entries.findIndex((entry) => isOf(entry, "Apply", applier));
  // The most recent entry comes first.
  const target = applied >= 0 ? applied : entries.findIndex(isUpdate);
  if (target < 0) {
    return entries;
  }
  return entries.flatMap((entry, index) => {
    if (index === target) {
      // Field paths depend on the version, so updates in another one are dropped.
      const update = entries.find(
        (each, other) => other !== target && isUpdate(each) && each.apiVersion === entry.apiVersion,
      );
      return [{ ...entry, operation: "Apply", manager: applier, fieldsV1: unitedFields(entry, update) } as const];
    }
    return isUpdate(entry) ? [] : [entry];
  });
}

function unitedFields(entry: ManagedFieldsEntry, update: ManagedFieldsEntry | undefined): Record<string, unknown> {
  const setOf = ({ fieldsV1 }: ManagedFieldsEntry): ReturnType<typeof fieldSetOf> =>
    fieldSetOf(fieldsV1 as JSONValue | undefined);
  return printFieldSet(update === undefined ? setOf(entry) : unionOf(setOf(entry), setOf(update)));
}
