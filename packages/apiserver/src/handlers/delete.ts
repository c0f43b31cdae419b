import { deepClone, toTime } from "@kubescaffold/k8s";
import { shortPause, TurnShare } from "@kubescaffold/platform/clock";
import { deepEqual } from "@kubescaffold/schema/values";

import { conflict, notFound } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { FOREGROUND_FINALIZER, nextGeneration, ORPHAN_FINALIZER, requestKey } from "../resources/object-meta.ts";
import { groupResourceOf, type ResourceType } from "../resources/registry.ts";
import { parseSelection } from "../resources/selection.ts";
import type { Strategy } from "../resources/strategy.ts";
import { placedView } from "../resources/undecodable-objects.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { deleteAdmissionOptions, parseDeleteOptions, type DeleteOptions } from "./delete-options.ts";
import { haveEmptyFields } from "./field-management/track-write.ts";
import { handleList, type ListResult } from "./list.ts";
import { admissionAttributes, type HandlerEnvironment, refuseWhenOver, storedView } from "./write-request.ts";
import { isRemoval, preconditionConflict, strategyContextOf } from "./write-update.ts";

/** Outcome of a delete. */
export interface DeleteResult {
  /** The object as it is now, or as it was when it went. */
  readonly object: ApiObject;
  readonly isGone: boolean;
  /** Whether the answer has the older code 202: marked only, and the client asked with `orphanDependents: false`. */
  readonly isAccepted: boolean;
}

interface DeleteInput {
  readonly context: RequestContext;
  readonly type: ResourceType;
}

/** Deletes the object that a request names, or marks it for deletion. */
export async function handleDelete(environment: HandlerEnvironment, input: DeleteInput): Promise<DeleteResult> {
  input.context.output();
  const options = await parseDeleteOptions(input.context);
  warnOfOrphans(input, options);
  return deleteObject(environment, { options, key: requestKey(input.type, input.context.info), ...input });
}

// Where the policy that a delete does not state is not the one that most clients expect.
function warnOfOrphans({ context, type }: DeleteInput, { propagationPolicy, orphanDependents }: DeleteOptions): void {
  const warning = type.strategy().orphanWarning;
  if (warning !== undefined && propagationPolicy === undefined && orphanDependents === undefined)
    context.warnings.push(warning);
}

/** Deletes every object of a collection that a request wants; returns them as they were. */
export async function handleDeleteCollection(
  environment: HandlerEnvironment,
  { context, type }: DeleteInput,
): Promise<ListResult> {
  context.output();
  const options = await parseDeleteOptions(context);
  warnOfOrphans({ context, type }, options);
  parseSelection(context.request.query, type);
  const listed = await handleList(environment, { context, type });
  const turns = TurnShare.ofTime();
  for (const object of listed.items) {
    const pause = turns.step();
    if (pause !== undefined) await pause;
    const { namespace = "", name = "" } = object.metadata;
    const key = requestKey(type, { namespace, name });
    if (environment.store.table(type.storedAs).get(key) !== undefined) {
      await deleteObject(environment, { context, type, options, key, admissionName: "" });
    }
  }
  return listed;
}

interface ObjectDelete extends DeleteInput {
  readonly options: DeleteOptions;
  readonly key: string;
  /** Items of a collection are shown to admission without their name. */
  readonly admissionName?: string;
}

async function deleteObject(environment: HandlerEnvironment, input: ObjectDelete): Promise<DeleteResult> {
  const { context, type, options, key } = input;
  const table = environment.store.table(type.storedAs);
  const name = key.slice(key.indexOf("/") + 1);
  const target = { groupResource: groupResourceOf(type), name };
  const first = table.get(key);
  if (first === undefined) {
    throw notFound(target);
  }
  const attributes = admissionAttributes(
    {
      context,
      type,
      operation: "DELETE",
      oldObject: await placedView(type, storedView(type, first)),
      isDryRun: options.isDryRun,
      options: deleteAdmissionOptions(options),
    },
    { name: input.admissionName ?? context.info.name },
  );
  await environment.admission.mutate(attributes);
  checkPreconditions(input, first);
  await environment.admission.validate(attributes);
  const stored = table.get(key);
  if (stored === undefined) {
    throw notFound(target);
  }
  checkPreconditions(input, stored);
  refuseWhenOver(context);
  const applied = applyDelete(environment, { ...input, stored });
  const result = applied.isMarkedOnly === true ? await removeMarked(environment, input, applied) : applied;
  return { ...result, object: await storedView(type, result.object) };
}

interface AppliedDelete extends DeleteResult {
  /** Whether the object has been marked, and must be removed by a second write. */
  readonly isMarkedOnly?: boolean;
}

// As in etcd, the mark and the removal are two writes with time between them: controllers see an object that is being deleted, also when its grace period is 0.
async function removeMarked(
  environment: HandlerEnvironment,
  { type, key }: ObjectDelete,
  marked: AppliedDelete,
): Promise<DeleteResult> {
  await shortPause();
  const current = environment.store.table(type.storedAs).get(key);
  // Someone else, such as the kubelet, may have been faster.
  const isSame = current !== undefined && current.metadata.uid === marked.object.metadata.uid;
  const removed = isSame ? environment.store.delete({ groupResource: type.storedAs, key, current }) : undefined;
  return { object: removed ?? marked.object, isGone: true, isAccepted: false };
}

// Without any await, so that nothing changes between the read and the write; the result is in the storage version.
function applyDelete(
  environment: HandlerEnvironment,
  input: ObjectDelete & { readonly stored: ApiObject },
): AppliedDelete {
  const { type, options, key, stored } = input;
  const strategy = type.strategy();
  const write = { groupResource: type.storedAs, key, current: stored };
  const object = deepClone(stored);
  object.metadata.finalizers = [...deletionFinalizers(object, strategy, options)];
  if (object.metadata.finalizers.length === 0) {
    delete object.metadata.finalizers;
  }
  mark(environment, { input, strategy, object });
  if (isRemoval(strategy, object)) {
    const isGraceful = strategy.gracePeriod !== undefined && isMarkedNow(stored, object);
    const hadFinalizers = (stored.metadata.finalizers ?? []).length > 0;
    if (hadFinalizers && !isGraceful) {
      // Upstream shows the object that it has not filled in.
      if (options.isDryRun) return { object: emptyObject(stored), isGone: false, isAccepted: false };
      refuseVersion(input);
    }
    if (options.isDryRun) return { object: isGraceful ? object : stored, isGone: true, isAccepted: false };
    // Watches see the mark first, also of what ends at once.
    if (isGraceful && environment.store.write(write, object) !== undefined)
      return { object, isGone: true, isAccepted: false, isMarkedOnly: true };
    return { object: environment.store.delete(write) ?? stored, isGone: true, isAccepted: false };
  }
  const isAccepted = options.orphanDependents === false;
  const isSame = deepEqual(object, stored) && !haveEmptyFields(object, stored);
  if (options.isDryRun || isSame) {
    return { object: options.isDryRun ? object : stored, isGone: false, isAccepted };
  }
  environment.store.write(write, object);
  return { object, isGone: false, isAccepted };
}

// Reports whether a delete has marked an object, or shortened its grace period.
function isMarkedNow({ metadata }: ApiObject, object: ApiObject): boolean {
  return (
    metadata.deletionTimestamp === undefined ||
    metadata.deletionGracePeriodSeconds !== object.metadata.deletionGracePeriodSeconds
  );
}

// Upstream has no version at hand to compare with once the request has removed the last finalizer.
function refuseVersion({ type, options, key, stored }: ObjectDelete & { readonly stored: ApiObject }): void {
  const { resourceVersion } = stored.metadata;
  if (options.resourceVersion !== undefined)
    throw preconditionConflict(type, key, { name: "ResourceVersion", wanted: "", found: resourceVersion });
}

function emptyObject({ apiVersion, kind }: ApiObject): ApiObject {
  return { apiVersion, kind, metadata: {} };
}

function mark(
  environment: HandlerEnvironment,
  {
    input,
    strategy,
    object,
  }: { readonly input: ObjectDelete; readonly strategy: Strategy; readonly object: ApiObject },
): void {
  const { metadata } = object;
  const requested = input.options.gracePeriodSeconds;
  const grace = strategy.gracePeriod?.(object, requested) ?? 0;
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = toTime(environment.clock.now() + durationMs(grace));
    if (strategy.marksPlainly !== true) {
      metadata.deletionGracePeriodSeconds = grace;
      if ((metadata.generation ?? 0) > 0) {
        metadata.generation = nextGeneration(object);
      }
    }
    const context = strategyContextOf(environment, { context: input.context, isDryRun: input.options.isDryRun });
    strategy.markForDeletion?.(object, context);
  } else if (requested !== undefined && grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
    const markedMs = Date.parse(metadata.deletionTimestamp) - durationMs(metadata.deletionGracePeriodSeconds ?? 0);
    metadata.deletionTimestamp = toTime(markedMs + durationMs(grace));
    metadata.deletionGracePeriodSeconds = grace;
  }
}

const LONGEST_EXACT_SECONDS = 9_000_000_000;

// A duration of Go has 64 bits of nanoseconds, which overflow.
function durationMs(seconds: number): number {
  if (Math.abs(seconds) < LONGEST_EXACT_SECONDS) return seconds * 1000;
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
}

function checkPreconditions({ type, options, context }: ObjectDelete, stored: ApiObject): void {
  if (hasOwnPreconditions(type)) checkOwnPreconditions({ type, options, context }, stored);
  const target = { groupResource: { group: type.group, resource: type.kind }, name: context.info.name };
  const { uid, resourceVersion } = stored.metadata;
  if (options.uid !== undefined && options.uid !== uid) {
    throw conflict(
      target,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid ?? ""}). The object might have been deleted and then recreated`,
    );
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    throw conflict(
      target,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion ?? ""}). The object might have been modified`,
    );
  }
}

function hasOwnPreconditions({ group, resource }: ResourceType): boolean {
  return group === "" ? resource === "namespaces" : group === "apiextensions.k8s.io";
}

// Upstream deletes namespaces and definitions in functions of their own.
function checkOwnPreconditions(
  { type, options, context }: Pick<ObjectDelete, "type" | "options" | "context">,
  stored: ApiObject,
): void {
  const failed = type.group !== "" && type.release.since("1.37") ? "precondition failed" : "Precondition failed";
  const [unmet] = [
    { text: "UID", wanted: options.uid, found: stored.metadata.uid },
    { text: "ResourceVersion", wanted: options.resourceVersion, found: stored.metadata.resourceVersion },
  ].filter(({ wanted, found }) => wanted !== undefined && wanted !== found);
  if (unmet === undefined) return;
  const { text, wanted = "", found = "" } = unmet;
  throw conflict(
    { groupResource: groupResourceOf(type), name: context.info.name },
    `${failed}: ${text} in precondition: ${wanted}, ${text} in object meta: ${found}`,
  );
}

/** Returns the finalizers that an object has once its delete has begun: those of garbage collection follow the policy. */
function deletionFinalizers(object: ApiObject, strategy: Strategy, options: DeleteOptions): readonly string[] {
  const present = object.metadata.finalizers ?? [];
  if (strategy.defaultPropagation === "unsupported") {
    return present;
  }
  const others = present.filter((finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_FINALIZER);
  const wanted = wantedFinalizer(present, strategy, options);
  return wanted === undefined ? others : [...others, wanted];
}

function wantedFinalizer(
  present: readonly string[],
  strategy: Strategy,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string | undefined {
  switch (propagationPolicy) {
    case "Orphan":
      return ORPHAN_FINALIZER;
    case "Foreground":
      return FOREGROUND_FINALIZER;
    case "Background":
      return undefined;
    case undefined:
      break;
  }
  if (orphanDependents !== undefined) {
    return orphanDependents ? ORPHAN_FINALIZER : undefined;
  }
  const decided = present.find((finalizer) => finalizer === ORPHAN_FINALIZER || finalizer === FOREGROUND_FINALIZER);
  return decided ?? (strategy.defaultPropagation === "orphan" ? ORPHAN_FINALIZER : undefined);
}
