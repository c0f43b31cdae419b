import type { FieldError } from "@kubescaffold/k8s";
import { deepEqual, validateObjectMeta } from "@kubescaffold/schema";

import type { ApiObject } from "../storage/api-object.ts";
import { nameCheck } from "./name-rules.ts";
import type { ResourceType } from "./resource-type.ts";

/** Returns what is wrong with the metadata of a new object. */
export function objectMetaErrors(object: ApiObject, type: ResourceType): readonly FieldError[] {
  const rules = { path: "metadata", isNamespaced: type.isNamespaced, nameRule: nameCheck(type.strategy().nameRule) };
  return [...validateObjectMeta(object.metadata as never, rules), ...unqualifiedErrors(object, type)];
}

/** Returns what is wrong with the metadata of a changed object. */
export function objectMetaUpdateErrors(object: ApiObject, old: ApiObject, type: ResourceType): readonly FieldError[] {
  // A name that was accepted once stays so.
  const rules = { path: "metadata", isNamespaced: type.isNamespaced, nameRule: () => [] };
  // The reference checks an update of metadata twice, for all kinds and for each; a message names each problem once.
  const changes = [...immutableErrors(object, old), ...newFinalizerErrors(object, old)];
  return [
    ...changes,
    ...changes,
    ...validateObjectMeta(object.metadata as never, rules),
    ...unqualifiedErrors(object, type),
  ];
}

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** Returns the warnings that custom resources get for finalizers without a path. */
export function finalizerWarnings(finalizers: readonly string[]): readonly string[] {
  return [...finalizers]
    .sort()
    .filter((finalizer) => !finalizer.includes("/") && !STANDARD_FINALIZERS.has(finalizer))
    .map((finalizer) => {
      const name = finalizer.includes(".") ? "finalizer name including a path (/)" : "finalizer name";
      return `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified ${name} to avoid accidental conflicts with other finalizer writers`;
    });
}

// Built-in kinds take names without a path only if they are standard ones.
function unqualifiedErrors({ metadata }: ApiObject, type: ResourceType): readonly FieldError[] {
  if (type.isCustom) {
    return [];
  }
  return (metadata.finalizers ?? []).flatMap((finalizer, index): readonly FieldError[] =>
    finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer)
      ? []
      : [
          {
            type: "FieldValueInvalid",
            field: `metadata.finalizers[${index}]`,
            badValue: finalizer,
            detail: "name is neither a standard finalizer name nor is it fully qualified",
          },
        ],
  );
}

function immutableErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  return (["name", "namespace", "uid", "creationTimestamp"] as const)
    .filter((field) => !deepEqual(object.metadata[field], old.metadata[field]))
    .map((field) => ({
      type: "FieldValueInvalid",
      field: `metadata.${field}`,
      badValue: object.metadata[field] ?? "",
      detail: "field is immutable",
    }));
}

function newFinalizerErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  if (old.metadata.deletionTimestamp === undefined) {
    return [];
  }
  const before = new Set(old.metadata.finalizers);
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  return added.length === 0
    ? []
    : [
        {
          type: "FieldValueForbidden",
          field: "metadata.finalizers",
          detail: `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
        },
      ];
}
