import { goTypeName, invalidField } from "@kubescaffold/k8s";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import { objectMetaTypeProblem } from "@kubescaffold/schema/values";

import type { Release } from "../../release/release.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { textOf, withSortedKeys } from "../fields.ts";
import type { CheckedMetadata } from "../strategy.ts";

/** The type of a member of metadata, with the name that Go's reflection has for it. */
type MemberType =
  | { readonly kind: "scalar"; readonly name: string }
  | { readonly kind: "time" | "any" }
  | { readonly kind: "map" | "slice"; readonly of: MemberType }
  | { readonly kind: "struct"; readonly members: readonly Member[] };
type Member = readonly [name: string, type: MemberType];

const TEXT: MemberType = { kind: "scalar", name: "string" };
const UID: MemberType = { kind: "scalar", name: "types.UID" };
const INTEGER: MemberType = { kind: "scalar", name: "int64" };
const BOOLEAN: MemberType = { kind: "scalar", name: "bool" };
const TIME: MemberType = { kind: "time" };

// The first member of a struct, in the order of Go's fields, whose value does not fit is the one that is named.
const OWNER_REFERENCE: MemberType = {
  kind: "struct",
  members: [
    ["apiVersion", TEXT],
    ["kind", TEXT],
    ["name", TEXT],
    ["uid", UID],
    ["controller", BOOLEAN],
    ["blockOwnerDeletion", BOOLEAN],
  ],
};
const MANAGED_FIELDS_ENTRY: MemberType = {
  kind: "struct",
  members: [
    ["manager", TEXT],
    ["operation", { kind: "scalar", name: "v1.ManagedFieldsOperationType" }],
    ["apiVersion", TEXT],
    ["time", TIME],
    ["fieldsType", TEXT],
    ["fieldsV1", { kind: "any" }],
    ["subresource", TEXT],
  ],
};
const OBJECT_META: MemberType = {
  kind: "struct",
  members: [
    ["name", TEXT],
    ["generateName", TEXT],
    ["namespace", TEXT],
    ["selfLink", TEXT],
    ["uid", UID],
    ["resourceVersion", TEXT],
    ["generation", INTEGER],
    ["creationTimestamp", TIME],
    ["deletionTimestamp", TIME],
    ["deletionGracePeriodSeconds", INTEGER],
    ["labels", { kind: "map", of: TEXT }],
    ["annotations", { kind: "map", of: TEXT }],
    ["ownerReferences", { kind: "slice", of: OWNER_REFERENCE }],
    ["finalizers", { kind: "slice", of: TEXT }],
    ["managedFields", { kind: "slice", of: MANAGED_FIELDS_ENTRY }],
  ],
};

/**
 * Returns the metadata that the checks of a custom resource see, where webhooks gave some of its members another type, which objects lose when they are read.
 *
 * Since 1.37, such metadata is an error; before, only the members of owners are missing.
 */
export function checkedMetadata(
  release: Pick<Release, "since">,
  metadata: ApiObject["metadata"],
  dropped: Readonly<Record<string, unknown>>,
): CheckedMetadata {
  const references = dropped["ownerReferences"];
  const owners = ownersIn(references);
  const checked = owners === undefined ? metadata : { ...metadata, ownerReferences: owners };
  if (!release.since("1.37")) return { metadata: checked };
  const given = { ...dropped, ...metadata, ...(references === undefined ? {} : { ownerReferences: references }) };
  const problem = problemOf(given, OBJECT_META);
  return {
    metadata: checked,
    ...(problem === undefined ? {} : { problem: invalidField("metadata", withSortedKeys(given), problem) }),
  };
}

function ownersIn(references: unknown): OwnerReference[] | undefined {
  if (!Array.isArray(references) || !references.every((each) => isRecord(each))) return undefined;
  return references.map(({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) => ({
    apiVersion: textOf(apiVersion),
    kind: textOf(kind),
    name: textOf(name),
    uid: textOf(uid),
    ...(typeof controller === "boolean" ? { controller } : {}),
    ...(typeof blockOwnerDeletion === "boolean" ? { blockOwnerDeletion } : {}),
  }));
}

function problemOf(value: unknown, type: MemberType): string | undefined {
  if (value === null || value === undefined || type.kind === "any") return undefined;
  switch (type.kind) {
    case "time":
      return objectMetaTypeProblem({ creationTimestamp: value } as never);
    case "scalar":
      return scalarProblem(value, type.name);
    case "slice":
      return Array.isArray(value)
        ? first(value, (item) => problemOf(item, type.of))
        : `cannot restore slice from ${goKind(value)}`;
    case "map":
      // Go reads the members of a map in a random order.
      return isRecord(value)
        ? first(Object.values(value), (item) => problemOf(item, type.of))
        : `cannot restore map from ${goKind(value)}`;
    case "struct":
      return isRecord(value)
        ? first(type.members, ([name, member]) => problemOf(value[name], member))
        : `cannot restore struct from: ${goKind(value)}`;
  }
}

// Go's reflection converts numbers to texts and to each other; only these conversions have a message that names the value's type.
function scalarProblem(value: unknown, name: string): string | undefined {
  const from = goTypeName(value);
  const isNumber = from === "int64" || from === "float64";
  if (name === "bool") return from === "bool" ? undefined : "unrecognized type: bool";
  if (name === "int64") {
    if (!isNumber) return "unrecognized type: int64";
    return from === "int64" || Number.isInteger(value) ? undefined : "cannot convert float64 to int64";
  }
  if (from === "string") return undefined;
  return from === "int64" ? `cannot convert int64 to ${name}` : "unrecognized type: string";
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  return isRecord(value) ? "map" : goTypeName(value);
}

function first<T>(parts: readonly T[], problem: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const found = problem(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
