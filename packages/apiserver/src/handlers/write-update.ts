import { apiVersionOf, type GroupVersionKind, type StatusError, toTime } from "@kubescaffold/k8s";
import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { conflict, invalid, notFound, OBJECT_MODIFIED, plainError } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import {
  dedupeOwnerReferences,
  matchNamespace,
  nextGeneration,
  objectMetaUpdateErrors,
  reportedErrors,
  requestKey,
} from "../resources/object-meta.ts";
import { groupResourceOf, type ResourceType } from "../resources/registry.ts";
import type { Strategy, StrategyContext } from "../resources/strategy.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";
import type { StoreWrite } from "../storage/store.ts";
import { managerName } from "./field-management/managers.ts";
import { withoutNewTimes } from "./field-management/track-update.ts";
import {
  haveEmptyFields,
  keepReadableOwners,
  passEmptyFields,
  trackWrite,
  withEmptyFields,
} from "./field-management/track-write.ts";
import { admissionAttributes, type HandlerEnvironment, refuseWhenOver, wholeView } from "./write-request.ts";

/** A change to a stored object. */
export interface UpdateInput {
  readonly context: RequestContext;
  readonly type: ResourceType;
  readonly isDryRun: boolean;
  readonly options: JsonObject;
  /** Whether the change is retried on the newer object when another writer was faster. */
  readonly retriesConflicts: boolean;
  /** Whether the changed object already says who owns its fields, as server-side apply does. */
  readonly isApply?: boolean;
  /** Returns the changed object, which belongs to the write; called again on a retry. */
  change(old: ApiObject): ApiObject | Promise<ApiObject>;
  /** Turns the changed object into what admission sees, and back, where that is another kind: a scale. */
  readonly admissionView?: {
    readonly kind: GroupVersionKind;
    toView(object: ApiObject): ApiObject;
    fromView(view: ApiObject, object: ApiObject): ApiObject;
  };
  /** The subresource by whose rules the object is changed, when not that of the request. */
  readonly endpoint?: string;
}

const ATTEMPTS = 5;

/** Changes a stored object through admission and checks; returns it as stored, or as it would be. */
export async function writeUpdate(environment: HandlerEnvironment, input: UpdateInput): Promise<ApiObject> {
  const { context, type } = input;
  const target = { groupResource: groupResourceOf(type), name: context.info.name };
  const key = requestKey(type, context.info);
  for (let attempt = 1; ; attempt += 1) {
    const stored = environment.store.table(type.storedAs).get(key);
    if (stored === undefined) {
      throw notFound(target);
    }
    const old = await wholeView(type, stored);
    const object = await changedObject(environment, input, old);
    await prepareCommit(type, object);
    const committed = commit(environment, input, { groupResource: type.storedAs, key, current: stored }, old, object);
    if (committed !== undefined) {
      return shownTo(input, await committed);
    }
    if (!input.retriesConflicts || attempt === ATTEMPTS) {
      throw conflict(target, OBJECT_MODIFIED);
    }
  }
}

async function changedObject(environment: HandlerEnvironment, input: UpdateInput, old: ApiObject): Promise<ApiObject> {
  const { context, type, isDryRun, admissionView } = input;
  const strategy = type.strategy();
  const changed = await input.change(old);
  checkUid(input, changed, old);
  if (input.isApply !== true) await trackChange(environment, input, changed, old);
  const admission = {
    context,
    type,
    operation: "UPDATE" as const,
    oldObject: admissionView?.toView(old) ?? old,
    isDryRun,
    options: input.options,
    ...(admissionView === undefined ? {} : { kind: admissionView.kind }),
  };
  const strategyContext = strategyContextOf(environment, input);
  const seen = admissionView?.toView(changed) ?? changed;
  const { name } = context.info;
  const admitted = (await environment.admission.mutate(admissionAttributes(admission, { object: seen, name }))) ?? seen;
  const object = admissionView === undefined ? admitted : admissionView.fromView(admitted, changed);
  // Admission may have changed the namespace.
  matchNamespace(object, type, context.info.namespace);
  keepReadableOwners(object, changed, context);
  dedupeOwnerReferences(object, { warnings: context.warnings, isAdmitted: true });
  await strategy.prepareChecks?.(object);
  checkResourceVersion(input, object, old);
  restoreSystemFields(object, old);
  strategy.prepareForUpdate(object, old, strategyContext);
  bumpGeneration(strategy, object, old, strategyContext.subresource);
  const found = [
    ...objectMetaUpdateErrors(object, old, { type, subresource: strategyContext.subresource }),
    ...(await strategy.validateUpdate(object, old, strategyContext)),
  ];
  const errors = reportedErrors(found, type);
  if (errors.length > 0) {
    const groupKind = { group: type.storedAs.group, kind: type.kind };
    // Webhooks can change the name.
    throw invalid({ groupKind, name: object.metadata.name ?? "" }, errors);
  }
  context.warnings.push(...(strategy.warnings?.(object, old, strategyContext.subresource) ?? []));
  await environment.admission.validate(
    admissionAttributes(admission, { object: admissionView?.toView(object) ?? object, name }),
  );
  const next = withoutNewTimes(object, old);
  passEmptyFields(object, next);
  return next;
}

async function prepareCommit(type: ResourceType, object: ApiObject): Promise<void> {
  const strategy = type.strategy();
  if (!isRemoval(strategy, object)) {
    await strategy.prepareWrite?.(object);
  }
}

// Returns the object as it is stored, in the version of the client, or undefined when another writer was faster.
function commit(
  environment: HandlerEnvironment,
  { context, type, isDryRun }: UpdateInput,
  write: StoreWrite,
  old: ApiObject,
  object: ApiObject,
): ApiObject | Promise<ApiObject> | undefined {
  const strategy = type.strategy();
  refuseWhenOver(context);
  if (isRemoval(strategy, object)) {
    return isDryRun || environment.store.delete(write) !== undefined ? withEmptyFields(object) : undefined;
  }
  const isSame = deepEqual(object, old) && !haveEmptyFields(object, write.current);
  // A dry run shows the object as it would be stored and read, also when nothing changes.
  if (!isDryRun && isSame && !isStoredInOtherVersion(type, write.current, object)) {
    return old;
  }
  const next = strategy.toStored(object);
  passEmptyFields(object, next);
  if (isDryRun) return wholeView(type, next);
  return environment.store.write(write, next) === undefined ? undefined : wholeView(type, next);
}

function shownTo(input: UpdateInput, object: ApiObject): ApiObject {
  const { shown } = input.type.strategy();
  return shown === undefined || subresourceOf(input) === "status" ? object : shown(object);
}

function subresourceOf({ context, endpoint }: Pick<UpdateInput, "context" | "endpoint">): string {
  return endpoint ?? context.info.subresource;
}

// Storage is migrated by writes: an object that was stored before its definition changed the storage version is stored again.
function isStoredInOtherVersion(type: ResourceType, stored: ApiObject | undefined, object: ApiObject): boolean {
  return type.isCustom && type.strategy().toStored(object).apiVersion !== stored?.apiVersion;
}

/** Reports whether nothing keeps an object that is marked for deletion. */
export function isRemoval(strategy: Strategy, object: ApiObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    finalizers.length === 0 &&
    deletionGracePeriodSeconds === 0 &&
    strategy.isHeld?.(object) !== true
  );
}

/** Returns what strategies are given for a request. */
export function strategyContextOf(
  environment: HandlerEnvironment,
  input: Pick<UpdateInput, "context" | "isDryRun" | "endpoint">,
): StrategyContext {
  return {
    now: toTime(environment.clock.now()),
    subresource: subresourceOf(input),
    isDryRun: input.isDryRun,
    user: input.context.user,
    objects: environment.store,
    serviceRanges: environment.serviceRanges,
    nodePortRange: environment.nodePortRange,
    warn: (text) => {
      input.context.warnings.push(text);
    },
  };
}

function checkUid(input: UpdateInput, object: ApiObject, old: ApiObject): void {
  const { type, context } = input;
  const uid = object.metadata.uid ?? "";
  if (uid === "" || uid === old.metadata.uid) {
    return;
  }
  if (input.retriesConflicts) {
    return;
  }
  throw preconditionConflict(type, requestKey(type, context.info), {
    name: "UID",
    wanted: uid,
    found: old.metadata.uid,
  });
}

/** 409 with the words of the storage upstream, for a precondition that an object does not meet. */
export function preconditionConflict(
  type: ResourceType,
  key: string,
  { name, wanted, found = "" }: { readonly name: string; readonly wanted: string; readonly found: string | undefined },
): StatusError {
  const path = `${storageFolder(type)}/${key}`;
  const problem = `Precondition failed: ${name} in precondition: ${wanted}, ${name} in object meta: ${found}`;
  return conflict(
    { groupResource: groupResourceOf(type), name: key.slice(key.lastIndexOf("/") + 1) },
    `StorageError: invalid object, Code: 4, Key: /registry/${path}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`,
  );
}

const OTHER_FOLDERS: Readonly<Record<string, string>> = {
  endpoints: "services/endpoints",
  ingresses: "ingress",
  nodes: "minions",
  replicationcontrollers: "controllers",
  services: "services/specs",
};
const GROUP_FOLDERS: readonly string[] = ["apiextensions.k8s.io", "apiregistration.k8s.io"];

// The storage of upstream has folders by group for custom resources, and for what other servers in its process store.
function storageFolder({ isCustom, storedAs: { group, resource } }: ResourceType): string {
  return isCustom || GROUP_FOLDERS.includes(group) ? `${group}/${resource}` : (OTHER_FOLDERS[resource] ?? resource);
}

function checkResourceVersion(input: UpdateInput, object: ApiObject, old: ApiObject): void {
  const { type, context } = input;
  const given = object.metadata.resourceVersion ?? "";
  if (given !== "" && !/^\d+$/.test(given)) {
    throw plainError(`strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
  }
  if (given === "" || given === "0") {
    if (!type.strategy().allowsUnconditionalUpdate) {
      throw invalid({ groupKind: { group: type.group, kind: type.resource }, name: context.info.name }, [
        {
          type: "FieldValueInvalid",
          field: "metadata.resourceVersion",
          badValue: 0,
          detail: "must be specified for an update",
        },
      ]);
    }
  } else if (given !== old.metadata.resourceVersion) {
    throw conflict({ groupResource: groupResourceOf(type), name: context.info.name }, OBJECT_MODIFIED);
  }
}

function restoreSystemFields(object: ApiObject, old: ApiObject): void {
  const { metadata } = object;
  const before = old.metadata;
  for (const field of SYSTEM_FIELDS) setOrDelete(metadata, field, before[field]);
  setOrDelete(metadata, "uid", (metadata.uid ?? "") === "" ? before.uid : metadata.uid);
  setOrDelete(metadata, "deletionTimestamp", metadata.deletionTimestamp ?? before.deletionTimestamp);
  const gracePeriod = metadata.deletionGracePeriodSeconds ?? before.deletionGracePeriodSeconds;
  setOrDelete(metadata, "deletionGracePeriodSeconds", gracePeriod);
  delete metadata.selfLink;
}

const SYSTEM_FIELDS = ["resourceVersion", "creationTimestamp", "generation"] as const;

// V8 stores an object from which a member was deleted as a dictionary, which is larger and slower.
function setOrDelete<Field extends keyof ObjectMeta>(
  metadata: ObjectMeta,
  field: Field,
  value: ObjectMeta[Field],
): void {
  if (value !== undefined) metadata[field] = value;
  else if (Object.hasOwn(metadata, field)) delete metadata[field];
}

async function trackChange(
  environment: HandlerEnvironment,
  input: UpdateInput,
  object: ApiObject,
  old: ApiObject,
): Promise<void> {
  const { context, type, options } = input;
  const manager = {
    manager: managerName(options["fieldManager"], context.request.header("user-agent")),
    operation: "Update" as const,
    apiVersion: apiVersionOf(type),
    subresource: subresourceOf(input),
  };
  await trackWrite(environment, { type, before: old, after: object, manager });
}

function bumpGeneration(strategy: Strategy, object: ApiObject, old: ApiObject, subresource: string): void {
  if (strategy.isNewGeneration?.(object, old, subresource) === true) {
    object.metadata.generation = nextGeneration(old);
  }
}
