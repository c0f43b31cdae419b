import { goUnmarshalError, type JSONValue } from "@kubescaffold/k8s";

import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../json/json-value.ts";

/** The Go type of a member of metadata. */
type Shape =
  | { readonly kind: "string" | "int64" | "bool" | "time" | "any" }
  | { readonly kind: "map"; readonly of: "string" }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "struct"; readonly name: string; readonly members: Readonly<Record<string, Shape>> };

const TEXT: Shape = { kind: "string" };
const TIME: Shape = { kind: "time" };

const OWNER_REFERENCE: Shape = {
  kind: "struct",
  name: "OwnerReference",
  members: {
    apiVersion: TEXT,
    kind: TEXT,
    name: TEXT,
    uid: TEXT,
    controller: { kind: "bool" },
    blockOwnerDeletion: { kind: "bool" },
  },
};

const MANAGED_FIELDS_ENTRY: Shape = {
  kind: "struct",
  name: "ManagedFieldsEntry",
  members: {
    manager: TEXT,
    operation: TEXT,
    apiVersion: TEXT,
    time: TIME,
    fieldsType: TEXT,
    fieldsV1: { kind: "any" },
    subresource: TEXT,
  },
};

const OBJECT_META: Shape = {
  kind: "struct",
  name: "ObjectMeta",
  members: {
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    selfLink: TEXT,
    uid: TEXT,
    resourceVersion: TEXT,
    generation: { kind: "int64" },
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: { kind: "int64" },
    labels: { kind: "map", of: "string" },
    annotations: { kind: "map", of: "string" },
    ownerReferences: { kind: "list", of: OWNER_REFERENCE },
    finalizers: { kind: "list", of: TEXT },
    managedFields: { kind: "list", of: MANAGED_FIELDS_ENTRY },
  },
};

/** Returns Go's error for metadata that cannot be decoded, or undefined. */
export function objectMetaTypeProblem(metadata: JSONValue): string | undefined {
  return problemOf(metadata, OBJECT_META, { struct: "", path: undefined });
}

/** Returns the unknown fields of metadata as relative paths, such as `ownerReferences[0].bogus`. */
export function unknownObjectMetaFields(metadata: JSONValue): readonly string[] {
  return unknownFieldsOf(metadata, OBJECT_META, "");
}

/**
 * Returns metadata with its known members only, and with malformed ones dropped, as servers keep it.
 *
 * Guarantees: the same reference when nothing had to go.
 */
export function coerceObjectMeta(metadata: JsonObject): JsonObject {
  const members = OBJECT_META.kind === "struct" ? OBJECT_META.members : {};
  const entries = Object.entries(metadata);
  const kept = entries.filter(
    ([name, value]) =>
      Object.hasOwn(members, name) &&
      problemOf(value, members[name] ?? TEXT, { struct: "", path: undefined }) === undefined,
  );
  return kept.length === entries.length ? metadata : Object.fromEntries(kept);
}

interface ShapePlace {
  readonly struct: string;
  readonly path: MemberPath | undefined;
}

/** The names of members, whose text is made for a problem only. */
interface MemberPath {
  readonly parent: MemberPath | undefined;
  readonly name: string;
}

function problemOf(value: JSONValue | undefined, shape: Shape, place: ShapePlace): string | undefined {
  if (value === null || value === undefined || shape.kind === "any") {
    return undefined;
  }
  switch (shape.kind) {
    case "time":
      return timeProblem(value);
    case "list":
      return isJsonList(value)
        ? firstProblem(value, (item) => problemOf(item, shape.of, place))
        : mismatch(value, shape, place);
    case "map":
      return isJsonObject(value)
        ? firstProblem(Object.values(value), (item) => problemOf(item, { kind: shape.of }, place))
        : mismatch(value, shape, place);
    case "struct":
      return isJsonObject(value) ? structProblem(value, shape, place) : mismatch(value, shape, place);
    default:
      return scalarProblem(value, shape, place);
  }
}

function structProblem(
  value: JsonObject,
  shape: Shape & { readonly kind: "struct" },
  place: ShapePlace,
): string | undefined {
  return firstProblem(Object.keys(value), (name) => {
    const memberShape = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    return memberShape === undefined
      ? undefined
      : problemOf(value[name], memberShape, { struct: shape.name, path: { parent: place.path, name } });
  });
}

function firstProblem<T>(parts: readonly T[], problem: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const found = problem(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function scalarProblem(value: JSONValue, shape: Shape, place: ShapePlace): string | undefined {
  const fits =
    shape.kind === "int64"
      ? Number.isInteger(value) || typeof value === "bigint"
      : typeof value === (shape.kind === "bool" ? "boolean" : shape.kind);
  return fits ? undefined : mismatch(value, shape, place);
}

function timeProblem(value: JSONValue): string | undefined {
  if (typeof value !== "string") {
    return goUnmarshalError(value, "string");
  }
  const isTime =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(value) && !Number.isNaN(Date.parse(value));
  return isTime
    ? undefined
    : `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(value)} as "2006"`;
}

function mismatch(value: JSONValue, shape: Shape, place: ShapePlace): string {
  const target = place.path === undefined ? "value" : `struct field ${place.struct}.${textOf(place.path)}`;
  return goUnmarshalError(value, goTypeOf(shape), target);
}

function textOf({ parent, name }: MemberPath): string {
  return parent === undefined ? name : `${textOf(parent)}.${name}`;
}

function goTypeOf(shape: Shape): string {
  switch (shape.kind) {
    case "map":
      return "map[string]string";
    case "list":
      return `[]${goTypeOf(shape.of)}`;
    case "struct":
      return `v1.${shape.name}`;
    default:
      return shape.kind;
  }
}

function unknownFieldsOf(value: JSONValue | undefined, shape: Shape, path: string): readonly string[] {
  if (shape.kind === "list" && isJsonList(value)) {
    return value.flatMap((item, index) => unknownFieldsOf(item, shape.of, `${path}[${String(index)}]`));
  }
  if (shape.kind !== "struct" || !isJsonObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const memberShape = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    return memberShape === undefined ? [at] : unknownFieldsOf(memberOf({ member }, "member"), memberShape, at);
  });
}
