import { apiVersionOf, gvkOf, gvkToString, newApplyConflict, type StatusError, goQuote } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry, StatusCause } from "@kubescaffold/k8s/meta/v1";
import {
  applyFields,
  deepEqual,
  isJsonObject,
  ownersAfterUpdate,
  printFieldSet,
  typedError,
  type FieldOwners,
  type JsonObject,
  withoutBelow,
  type FieldSet,
  type JsonSchema,
  type OwnershipOptions,
  pathsOf,
} from "@kubescaffold/schema";

import { badRequest, plainError } from "../../request/failures.ts";
import { builtInJsonSchema } from "../../resources/built-in/built-in-json-schema.ts";
import { textOf } from "../../resources/fields.ts";
import type { ResourceType } from "../../resources/registry.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import {
  entryOf,
  managerKey,
  printManagedFields,
  readManagedFields,
  withoutIdentity,
  type ManagedFields,
  type Manager,
} from "./managers.ts";

/** A server-side apply to an object by one manager. */
interface ObjectApply {
  readonly type: MergedType;
  /** The object as it is; undefined when there is none yet. */
  readonly live: ApiObject | undefined;
  readonly applied: JsonObject;
  readonly manager: Manager;
  /** Takes fields from other owners. */
  readonly force: boolean;
  readonly now: string;
  /** Whether owners are recorded already, though nobody may own anything. */
  readonly isTracked?: boolean;
}

/**
 * Applies an apply configuration to an object (server-side apply); returns the object with its owners in `metadata.managedFields`.
 *
 * Fails: with 409 when others own fields with other values; with 400 when the body is of another version or brings owners along; with 500 when
 * it has a field that the kind does not have.
 */
export function applyToObject(apply: ObjectApply): JsonObject {
  const { type, live, applied, manager, force, now } = apply;
  checkApplied(apply);
  const options = mergeOptionsOf(type, manager.subresource);
  const before = live === undefined ? {} : withoutOwners(live);
  const known = ownersOf(apply, before);
  const key = managerKey(manager);
  const outcome = applyFields({ live: before, applied, owners: known.owners, manager: key, force }, options);
  if (outcome.kind === "conflict") throw applyConflict(outcome.conflicts, known);
  const owners = withoutIdentityOf(outcome.owners, key);
  // The time is that of the last change of the object, not of its owners.
  const time = deepEqual(before, outcome.object) ? known.entries.get(key)?.time : now;
  const entries = new Map([...known.entries, [key, entryOf(manager, time)]]);
  const printed = printManagedFields({ owners, entries });
  const stated = outcome.object["metadata"] as JsonObject;
  return {
    ...outcome.object,
    metadata: { ...stated, ...(printed === undefined ? {} : { managedFields: printed }) },
  } as unknown as JsonObject;
}

/** An update of an object by one manager. */
interface ObjectUpdate {
  readonly type: MergedType;
  readonly before: ApiObject;
  readonly after: ApiObject;
  readonly manager: Manager;
  readonly now: string;
  /** Whether owners are recorded already, though nobody may own anything. */
  readonly isTracked?: boolean;
}

/** Writes into an updated object who owns its fields now. Nobody does until something is applied to it, as where servers do not track from the start. */
export function trackUpdate({ type, before, after, manager, now, isTracked = false }: ObjectUpdate): void {
  if ((before.metadata.managedFields ?? []).length === 0 && !isTracked) return;
  const known = readManagedFields(before.metadata.managedFields);
  if (known.owners.size === 0 && !isTracked) return;
  const options = mergeOptionsOf(type, manager.subresource);
  const key = managerKey(manager);
  const updated = ownersAfterUpdate(
    { before: withoutOwners(before), after: withoutOwners(after), owners: known.owners, manager: key },
    options,
  );
  // An update that changes nothing is not the manager's last change either.
  if (updated === known.owners) return;
  const owners = withoutIdentityOf(updated, key);
  if (sameOwners(owners, known.owners) && !known.owners.has(key)) return;
  const entries = new Map([...known.entries, [key, entryOf(manager, now)]]);
  const printed = printManagedFields({ owners, entries });
  // The metadata of a subresource's object is that of the stored one.
  const { managedFields: _managedFields, ...metadata } = after.metadata;
  after.metadata = { ...metadata, ...(printed === undefined ? {} : { managedFields: printed }) };
}

function checkApplied({ type, applied, manager }: ObjectApply): void {
  const { apiVersion, kind, metadata } = applied;
  const stated = gvkToString(gvkOf({ apiVersion: textOf(apiVersion), kind: textOf(kind) }));
  const expected = gvkToString(type);
  if (stated !== expected) throw badRequest(`invalid object type: ${stated}`);
  if (isJsonObject(metadata) && (metadata["managedFields"] ?? null) !== null)
    throw badRequest("metadata.managedFields must be nil");
  const { schema, resolve } = mergeOptionsOf(type, manager.subresource);
  const problem = typedError(applied, schema, { resolve });
  if (problem === undefined) return;
  const { name = "", namespace = "" } = (metadata ?? {}) as { name?: string; namespace?: string };
  throw plainError(`failed to create typed patch object (${namespace}/${name}; ${expected}): ${problem}`);
}

function ownersOf({ type, live, now, manager, isTracked = false }: ObjectApply, before: JsonObject): ManagedFields {
  const known = readManagedFields(live?.metadata.managedFields);
  if (live === undefined || known.owners.size > 0 || isTracked) return known;
  return firstOwnersOf(type, before, manager.apiVersion, now);
}

/** Returns who owns an object that was applied to by nobody yet. */
export function firstOwners(type: MergedType, live: ApiObject, now: string): readonly ManagedFieldsEntry[] {
  const before = withoutOwners(live);
  return printManagedFields(firstOwnersOf(type, before, apiVersionOf(type), now)) ?? [];
}

// Fields that exist at the first apply belong to a separate manager.
function firstOwnersOf(type: MergedType, before: JsonObject, apiVersion: string, now: string): ManagedFields {
  const first: Manager = { manager: "before-first-apply", operation: "Update", apiVersion, subresource: "" };
  const key = managerKey(first);
  const all = ownersAfterUpdate(
    { before: {}, after: before, owners: new Map(), manager: key },
    { ...mergeOptionsOf(type, ""), filter: (set) => set },
  );
  return { owners: withoutIdentityOf(all, key), entries: new Map([[key, entryOf(first, now)]]) };
}

/** Returns an object without the record of who owns its fields. */
export function withoutOwners(object: ApiObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonObject;
}

function withoutIdentityOf(owners: FieldOwners, key: string): FieldOwners {
  const set = owners.get(key);
  if (set === undefined) return owners;
  const stripped = withoutIdentity(set);
  const kept = new Map(owners);
  if (stripped.size === 0) kept.delete(key);
  else kept.set(key, stripped);
  return kept;
}

function sameOwners(left: FieldOwners, right: FieldOwners): boolean {
  return printOwners(left) === printOwners(right);
}

function printOwners(owners: FieldOwners): string {
  const printed = [...owners].map(([key, set]): readonly [string, unknown] => [key, printFieldSet(set)]);
  return JSON.stringify(printed.toSorted(([own], [other]) => (own < other ? -1 : 1)));
}

function applyConflict(conflicts: FieldOwners, { entries }: ManagedFields): StatusError {
  const { causes, message } = conflictsOf(conflicts, entries);
  return newApplyConflict(causes, message);
}

/** Facts about a kind whose objects are merged. */
type MergedType = Pick<ResourceType, "group" | "version" | "kind" | "schema" | "subresourceTypes">;

/** Returns by which schema the objects of a resource are merged, and which fields requests to a resource or subresource cannot own. */
function mergeOptionsOf(type: MergedType, subresource: string): OwnershipOptions {
  const builtIn = builtInJsonSchema(type);
  const schema = type.schema === undefined ? builtIn.schema : withObjectFields(type.schema() ?? OPEN);
  const reset = resetFields(type, subresource);
  return { schema, resolve: builtIn.resolve, filter: (set) => withoutBelow(set, reset) };
}

const OPEN: JsonSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const OBJECT_META: JsonSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };
const TEXT: JsonSchema = { type: "string" };

// The schema of a custom resource says nothing of what all objects have.
function withObjectFields(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties, apiVersion: TEXT, kind: TEXT, metadata: OBJECT_META } };
}

// Fields that the strategy copies from the stored object regardless of the request.
function resetFields(type: MergedType, subresource: string): FieldSet {
  const whole = { isMember: true, children: new Map() };
  const hasStatus = type.subresourceTypes.some(({ name }) => name === "status");
  if (subresource === "status")
    return new Map([
      ["f:metadata", whole],
      ["f:spec", whole],
    ]);
  return hasStatus ? new Map([["f:status", whole]]) : new Map();
}

/** Report of a conflict: a cause for each field, and one message with all of them. */
interface ApplyConflicts {
  readonly causes: readonly StatusCause[];
  readonly message: string;
}

/** Reports which managers own the fields that an apply would change. */
function conflictsOf(conflicts: FieldOwners, entries: ReadonlyMap<string, ManagedFieldsEntry>): ApplyConflicts {
  const groups = [...conflicts]
    .map(([key, set]) => ({ name: describe(entries.get(key) ?? {}), paths: pathsOf(set).map(printPath) }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const causes = groups.flatMap(({ name, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${name}`, field })),
  );
  if (causes.length === 1)
    return { causes, message: `Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}` };
  const lines = groups.flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)]);
  return { causes, message: `Apply failed with ${causes.length} conflicts: ${lines.join("\n")}` };
}

function describe({ manager = "", operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  const name =
    subresource === undefined ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

function printPath(path: readonly string[]): string {
  return path.map(printElement).join("");
}

function printElement(element: string): string {
  const text = element.slice(2);
  if (element.startsWith("f:")) return `.${text}`;
  if (element.startsWith("v:")) return `[=${text}]`;
  const keys = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
}

const LONGEST = 128;

/** Returns the name of whoever writes: the one that the request states, or what its user agent begins with. */
export function managerName(fieldManager: unknown, userAgent: string | undefined): string {
  if (typeof fieldManager === "string" && fieldManager !== "") return fieldManager;
  const [product = ""] = (userAgent ?? "").split("/");
  return product.replaceAll(/\p{C}/gu, "").slice(0, LONGEST);
}
