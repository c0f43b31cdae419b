import { type FieldError, serverInteger } from "@kubescaffold/k8s";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";
import { deepEqual, pathSegmentErrors, validateChangedMeta, validateObjectMeta } from "@kubescaffold/schema/values";

import { badRequest } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { ResourceType } from "./registry.ts";
import { type MetadataCheck, nameCheck } from "./strategy.ts";

/** The fields of metadata in the order of upstream's type, which messages have, too. */
export const OBJECT_META_FIELDS: readonly string[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/** Returns what is wrong with the metadata of a new object. */
export function objectMetaErrors(object: ApiObject, type: ResourceType, subresource = ""): readonly FieldError[] {
  const checked = type.strategy().checkedMetadata?.(object);
  if (checked?.problem !== undefined) return [checked.problem];
  const rules = {
    path: "metadata",
    isNamespaced: type.isNamespaced,
    nameRule: nameCheck(type.strategy().nameRule),
    wording: wordingOf(type),
  };
  const metadata = (checked?.metadata ?? object.metadata) as never;
  return [...validateObjectMeta(metadata, rules), ...unqualifiedErrors(object, type, subresource)];
}

/** Returns what is wrong with the metadata of a changed object. */
export function objectMetaUpdateErrors(
  object: ApiObject,
  old: ApiObject,
  { type, subresource }: { readonly type: ResourceType; readonly subresource: string },
): readonly FieldError[] {
  const strategy = type.strategy();
  const checked = strategy.checkedMetadata?.(object);
  const metadata = (checked?.metadata ?? object.metadata) as never;
  const changes = [
    ...newFinalizerErrors(object, old),
    ...immutableErrors(object, old),
    ...validateChangedMeta(metadata, "metadata", wordingOf(type)),
  ];
  // The reference checks metadata for all kinds and once more for each kind; a message names each problem once.
  const own: Readonly<Record<MetadataCheck, () => readonly FieldError[]>> = {
    changes: () => [...changes, ...unqualifiedErrors(object, type, subresource)],
    whole: () => objectMetaErrors(object, type, subresource),
  };
  const common = {
    path: "metadata",
    isNamespaced: type.isNamespaced,
    nameRule: pathSegmentErrors,
    wording: wordingOf(type),
  };
  return [
    ...validateObjectMeta(metadata, common),
    ...changes,
    ...(checked?.problem === undefined
      ? (strategy.changedMetadata?.(subresource) ?? ["changes"]).flatMap((check) => own[check]())
      : [checked.problem]),
  ];
}

function wordingOf({ release }: ResourceType): "general" | "indexed" {
  return release.since("1.37") ? "indexed" : "general";
}

// Their checks have no declared rules.
const WITHOUT_DECLARED: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/**
 * Returns the errors that a server reports: lengths in characters until 1.34, and each problem of a built-in kind once since 1.37, where those that declared
 * rules replace are removed from a set.
 */
export function reportedErrors(errors: readonly FieldError[], type: ResourceType): readonly FieldError[] {
  if (!type.release.since("1.35")) return errors.map(inCharacters);
  if (errors.length < 2 || type.isCustom || WITHOUT_DECLARED.has(type.group) || !type.release.since("1.37"))
    return errors;
  return errors.filter((error, index) => errors.findIndex((other) => deepEqual(other, error)) === index);
}

function inCharacters(error: FieldError): FieldError {
  return { ...error, detail: error.detail.replace(/(?<=must be no more than \d+ )bytes$/u, "characters") };
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

// Groups whose kinds have the checks of custom resources.
const GENERAL_METADATA: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "policy",
]);

// Built-in kinds take names without a path only if they are standard ones.
function unqualifiedErrors({ metadata }: ApiObject, type: ResourceType, subresource: string): readonly FieldError[] {
  const writes = type.strategy().takesPlainFinalizers;
  const takesPlain = writes === "always" || (writes === "in-status" && subresource === "status");
  if (type.isCustom || takesPlain || GENERAL_METADATA.has(type.group)) {
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
  return IMMUTABLE.filter((field) => !deepEqual(object.metadata[field], old.metadata[field])).map((field) => ({
    type: "FieldValueInvalid",
    field: `metadata.${field}`,
    badValue: object.metadata[field] ?? "",
    detail: "field is immutable",
  }));
}

const IMMUTABLE = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

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

/**
 * Removes owner references that are stated twice, and warns about them.
 *
 * The reference does so before owners of fields are tracked, but for patches, and once more after mutating admission.
 */
export function dedupeOwnerReferences(
  { metadata }: ApiObject,
  { warnings, isAdmitted }: { readonly warnings: string[]; readonly isAdmitted: boolean },
): void {
  const seen = new Map<string, OwnerReference>();
  const duplicates: string[] = [];
  for (const reference of metadata.ownerReferences ?? []) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(key)) duplicates.push(uid);
    else seen.set(key, reference);
  }
  if (duplicates.length === 0) return;
  metadata.ownerReferences = [...seen.values()];
  const when = isAdmitted ? " after mutating admission happens" : "";
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(", ")}`,
  );
}

/** Holds an object until its dependents have lost their reference to it. */
export const ORPHAN_FINALIZER = "orphan";

/** Holds an object until its dependents that block it are gone. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";

/** Removes from a new object what only the server sets. */
export function wipeSystemMetadata({ metadata }: ApiObject): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/**
 * Puts the namespace of the request into an object; cluster-scoped objects lose theirs.
 *
 * Fails: with 400 when the object states another.
 */
export function matchNamespace(object: ApiObject, type: ResourceType, namespace: string): void {
  const { metadata } = object;
  if (!type.isNamespaced) {
    delete metadata.namespace;
    return;
  }
  requireNamespace(object, namespace);
  metadata.namespace = namespace;
}

/** Checks the namespace of an object, if it states one, against that of a request. Fails: with 400. */
export function requireNamespace({ metadata }: ApiObject, namespace: string): void {
  if (metadata.namespace === undefined || metadata.namespace === "" || metadata.namespace === namespace) return;
  throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/**
 * Checks the name in a body against that of the URL.
 *
 * Fails: with 400 when the body has none or another.
 */
export function matchName({ metadata }: ApiObject, name: string): void {
  if (metadata.name === undefined || metadata.name === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}

/** Returns the key of an object of a request. */
export function requestKey(
  type: ResourceType,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  return type.isNamespaced ? `${namespace}/${name}` : name;
}

const USER_METADATA = ["labels", "annotations", "finalizers", "ownerReferences"] as const;

/** Keeps metadata of users, which they change through the resource and not through its subresources. */
export function keepUserMetadata(
  { metadata }: ApiObject,
  { metadata: before }: ApiObject,
  fields: readonly (typeof USER_METADATA)[number][] = USER_METADATA,
): void {
  for (const name of fields) {
    delete metadata[name];
    if (before[name] !== undefined) Object.assign(metadata, { [name]: before[name] });
  }
}

/** Returns the generation that follows that of an object, which is an integer of 64 bits: after the last one comes the first one, as in Go. */
export function nextGeneration({ metadata }: ApiObject): number {
  const generation: number | bigint = metadata.generation ?? 0;
  return serverInteger(BigInt.asIntN(64, BigInt(generation) + 1n)) as number;
}
