import { apiVersionOf, type GroupVersion, parseApiVersion, toTime, messageOf } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";
import { typedError } from "@kubescaffold/schema/structured-merge";
import { isJsonObject, type JsonObject } from "@kubescaffold/schema/values";

import type { RequestContext } from "../../request/request-context.ts";
import type { ObjectVersions } from "../../resources/object-versions.ts";
import type { Registry, ResourceType } from "../../resources/registry.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { managedFieldsProblem, type Manager } from "./managers.ts";
import { mergeOptionsOf } from "./merged-type.ts";
import { bare, trackUpdate, type VersionedWrite } from "./track-update.ts";

interface Environment {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly versions: ObjectVersions;
}

/** A write of an object of a resource by one manager, by any means but applying. */
interface ResourceWrite {
  readonly type: ResourceType;
  /** The stored object; undefined when it is created. */
  readonly before: ApiObject | undefined;
  readonly after: ApiObject;
  readonly manager: Manager;
}

/** Writes into a changed object who owns its fields now, after converting it to the versions of all owners. */
export async function trackWrite(environment: Environment, write: ResourceWrite): Promise<void> {
  const others = otherVersions(write);
  const converted = new Map<string, VersionedWrite | Error | undefined>();
  for (const apiVersion of others) converted.set(apiVersion, await inVersion(environment, write, apiVersion));
  const { type, before, after, manager } = write;
  trackUpdate({
    type,
    before,
    after,
    manager,
    now: toTime(environment.clock.now()),
    inVersion: (apiVersion) => {
      const found = converted.get(apiVersion);
      if (found instanceof Error) throw found;
      return found;
    },
  });
}

function otherVersions({ before, after, manager }: ResourceWrite): ReadonlySet<string> {
  const entries = [...(before?.metadata.managedFields ?? []), ...(after.metadata.managedFields ?? [])];
  const versions = new Set<string>();
  for (const { apiVersion = "" } of entries) if (apiVersion !== manager.apiVersion) versions.add(apiVersion);
  return versions;
}

async function inVersion(
  { registry, versions }: Environment,
  { type, before, after }: ResourceWrite,
  apiVersion: string,
): Promise<VersionedWrite | Error | undefined> {
  const groupVersion: GroupVersion = parseApiVersion(apiVersion);
  const other = registry.findByKind({ ...groupVersion, kind: type.kind });
  if (other === undefined || before === undefined) {
    // Built-in kinds without the version forget the owner; a definition without it is a failure, as upstream.
    return type.isCustom ? new Error(`request to convert CR to an invalid group/version: ${apiVersion}`) : undefined;
  }
  const way = { from: type, to: other };
  try {
    return {
      type: other,
      before: declared(other, await versions.convert(before, way)),
      after: declared(other, await versions.convert({ ...after, apiVersion: apiVersionOf(type) }, way)),
    };
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

// Objects that another version does not describe cannot be compared in it.
function declared(type: ResourceType, object: ApiObject): ApiObject {
  const { schema, resolve } = mergeOptionsOf(type, "");
  const problem = typedError(bare(object), schema, { resolve });
  if (problem !== undefined) throw new Error(problem);
  return object;
}

/** Restores the owners that an object had before admission, with a warning, where admission has left some that cannot be read. */
export function keepReadableOwners(
  object: ApiObject,
  before: ApiObject,
  { warnings }: Pick<RequestContext, "warnings">,
): void {
  const entries = object.metadata.managedFields;
  if (object === before || entries === undefined) return;
  if (entries.length === 0) {
    const { managedFields: _none, ...metadata } = object.metadata;
    object.metadata = metadata;
    return;
  }
  const problem = managedFieldsProblem(entries);
  if (problem === undefined) return;
  const { managedFields } = before.metadata;
  object.metadata = { ...object.metadata, ...(managedFields === undefined ? {} : { managedFields }) };
  if (managedFields === undefined) delete object.metadata.managedFields;
  warnings.push(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
}

// The empty fields in the metadata of custom resources that are stored so, which readers do not see.
const emptyFields = new WeakMap<ApiObject, JsonObject>();

const EMPTIED = ["labels", "annotations", "ownerReferences", "finalizers"] as const;

/** Notes the empty fields that an apply leaves in the metadata of a custom resource: they are stored, and dropped only when it is read. */
export function noteEmptyFields(object: ApiObject, merged: JsonObject): void {
  const metadata = isJsonObject(merged["metadata"]) ? merged["metadata"] : {};
  const fields = EMPTIED.filter((name) => isEmpty(metadata[name])).map((name) => [name, metadata[name]]);
  if (fields.length > 0) emptyFields.set(object, Object.fromEntries(fields) as JsonObject);
}

/** Passes on what was noted of an object to the form that is stored. */
export function passEmptyFields(object: ApiObject, stored: ApiObject): void {
  const fields = emptyFields.get(object);
  if (fields !== undefined) emptyFields.set(stored, fields);
}

/** Reports whether an object or what is stored of it has such fields: then a write that changes nothing else has a new version. */
export function haveEmptyFields(object: ApiObject, stored: ApiObject | undefined): boolean {
  return emptyFields.has(object) || (stored !== undefined && emptyFields.has(stored));
}

/** Returns an object with its empty fields, as upstream shows what it has removed instead of storing it. */
export function withEmptyFields(object: ApiObject): ApiObject {
  const fields = emptyFields.get(object);
  return fields === undefined ? object : { ...object, metadata: { ...object.metadata, ...fields } };
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
