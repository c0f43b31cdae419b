import { apiVersionOf, deepClone, gvkToString, StatusError, toTime } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import { deepEqual, type JsonObject } from "@kubescaffold/schema/values";

import { badRequest, internalError, invalid, plainError } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { readPath, writePath } from "../resources/fields.ts";
import { matchName, matchNamespace } from "../resources/object-meta.ts";
import type { ResourceType } from "../resources/registry.ts";
import { selectorText } from "../resources/selection.ts";
import type { ScalePaths } from "../resources/strategy.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { readApplyBody } from "./apply-body.ts";
import { decodeKind } from "./decode-kind.ts";
import { applyToObject } from "./field-management/apply-object.ts";
import { managerName, type Manager } from "./field-management/managers.ts";
import type { MergedType } from "./field-management/merged-type.ts";
import { ownersAfterScale, ownersOfScale, SCALE_VERSION, type ScaledOwners } from "./field-management/scale-owners.ts";
import { bare, trackUpdate } from "./field-management/track-update.ts";
import { handleGet } from "./get.ts";
import { applyPatch, readPatch } from "./patch.ts";
import { scaleErrors } from "./scale-errors.ts";
import {
  admissionOptions,
  parseWriteOptions,
  type HandlerEnvironment,
  parseApplyOptions,
  type ApplyOptions,
  type WriteOptions,
} from "./write-request.ts";
import { writeUpdate } from "./write-update.ts";

/** The kind that the subresource has. */
const SCALE = { group: "autoscaling", version: "v1", kind: "Scale", subresourceTypes: [] } as const;

/** A request for the scale of an object. */
interface ScaleInput {
  readonly context: RequestContext;
  readonly type: ResourceType;
  readonly scale: ScalePaths;
}

// The scale of a resource, by the schema of the same release.
function mergedScaleOf({ release }: ResourceType): MergedType {
  return { ...SCALE, release };
}

/** Returns the scale of an object. */
export async function handleGetScale(environment: HandlerEnvironment, input: ScaleInput): Promise<ApiObject> {
  const object = await handleGet(environment, input);
  if (input.type.isCustom && readPath(object, input.scale.specReplicas) === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(input.scale.specReplicas)} does not exist`);
  }
  return toScale(object, input.scale);
}

/** Replaces the scale of an object. */
export async function handleUpdateScale(environment: HandlerEnvironment, input: ScaleInput): Promise<ApiObject> {
  const options = parseWriteOptions(input.context.request.query, "UpdateOptions");
  const view = await readScale(input, options);
  input.context.audit?.noteObject(view);
  matchNamespace(view, input.type, input.context.info.namespace);
  matchName(view, input.context.info.name);
  return writeScale(environment, { ...input, options, retriesConflicts: false, change: () => view });
}

async function readScale({ context, type }: ScaleInput, options: WriteOptions): Promise<ApiObject> {
  try {
    return await decodeKind(context, { release: type.release, kind: SCALE, options });
  } catch (error) {
    // Real servers look for the scale among the types of the custom resource.
    const isUndecodable = type.isCustom && error instanceof StatusError && error.status.code === 400;
    throw isUndecodable
      ? badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"')
      : error;
  }
}

/** Patches the scale of an object. */
export async function handlePatchScale(environment: HandlerEnvironment, input: ScaleInput): Promise<ApiObject> {
  const { options, ...patch } = await readPatch(input);
  return writeScale(environment, {
    ...input,
    options,
    retriesConflicts: true,
    change: (old) => {
      const target = toScale(old, input.scale);
      return asScale(applyPatch({ ...patch, schemaOf: mergedScaleOf(input.type), target }).value, input);
    },
  });
}

/** A change of the scale of an object. */
interface ScaleWrite extends ScaleInput {
  readonly options: ReturnType<typeof parseWriteOptions>;
  readonly retriesConflicts: boolean;
  /** Returns the changed scale; called again on a retry. */
  change(old: ApiObject): ApiObject;
  /** Returns who owns the fields of the object then; those of an update do where this is absent. */
  readonly ownersAfter?: (old: ApiObject, changed: ApiObject) => ManagedFields;
}

type ManagedFields = readonly ManagedFieldsEntry[] | undefined;

/** Writes a changed scale to its object; returns it as stored, or as it would be. */
async function writeScale(environment: HandlerEnvironment, input: ScaleWrite): Promise<ApiObject> {
  const { context, type, scale, options } = input;
  const written = await writeUpdate(environment, {
    context,
    type,
    isDryRun: options.isDryRun,
    options: admissionOptions("UpdateOptions", options),
    retriesConflicts: input.retriesConflicts,
    // The scale changes the object as an update of the resource itself would.
    endpoint: "",
    isApply: true,
    change: (old) => {
      const view = input.change(old);
      const changed = applyScale(old, view, input);
      const owners = (input.ownersAfter ?? ownersAfterUpdate(environment, input))(old, view);
      return {
        ...changed,
        metadata: withManagedFields(changed.metadata, owners),
      };
    },
    admissionView: {
      kind: SCALE,
      toView: (object) => toScale(object, scale),
      fromView: (view, object) => applyScale(object, view, input),
    },
  });
  return toScale(written, scale);
}

function withManagedFields(metadata: ApiObject["metadata"], owners: ManagedFields = []): ApiObject["metadata"] {
  const { managedFields: _managedFields, ...others } = metadata;
  return owners.length === 0 ? others : { ...others, managedFields: [...owners] };
}

function ownersAfterUpdate(environment: HandlerEnvironment, { context, type, scale, options }: ScaleWrite) {
  return (old: ApiObject, changed: ApiObject): ManagedFields => {
    const owned = ownedOf({ type, scale, old });
    const managedFields = [...ownersOfScale(owned)];
    const before = withOwners(toScale(old, scale), managedFields);
    const after = withOwners(changed, managedFields);
    const manager = {
      manager: managerName(options.fieldManager, context.request.header("user-agent")),
      operation: "Update" as const,
      apiVersion: SCALE_VERSION,
      subresource: "scale",
    };
    trackUpdate({ type: mergedScaleOf(type), before, after, manager, now: toTime(environment.clock.now()) });
    return ownersAfterScale(owned, after.metadata.managedFields ?? []);
  };
}

/** Returns a scale with those who own its fields. */
function withOwners(view: ApiObject, managedFields: readonly ManagedFieldsEntry[]): ApiObject {
  return { ...view, metadata: { ...view.metadata, managedFields: [...managedFields] } };
}

function applyScale(
  object: ApiObject,
  view: ApiObject,
  { type, scale }: Pick<ScaleInput, "type" | "scale">,
): ApiObject {
  const errors = scaleErrors(view, type);
  if (errors.length > 0) throw invalid({ groupKind: SCALE, name: view.metadata.name ?? "" }, errors);
  const replicas = readPath(view, ".spec.replicas") ?? 0;
  const changed = deepClone(object);
  writePath(changed, scale.specReplicas, replicas);
  const { resourceVersion } = view.metadata;
  changed.metadata.resourceVersion =
    resourceVersion === undefined || resourceVersion === "" ? (object.metadata.resourceVersion ?? "") : resourceVersion;
  return changed;
}

/** Reads a scale; fails with 400 when it is something else, or that of another object. */
function asScale(value: Record<string, unknown>, { type, context }: ScaleInput): ApiObject {
  const { metadata, spec } = value;
  if (value["kind"] !== SCALE.kind || value["apiVersion"] !== "autoscaling/v1") {
    throw badRequest(
      `the API version in the data (${String(value["apiVersion"])}) does not match the expected API version (autoscaling/v1)`,
    );
  }
  const view: ApiObject = {
    kind: SCALE.kind,
    apiVersion: "autoscaling/v1",
    metadata: isRecord(metadata) ? metadata : {},
    spec: isRecord(spec) ? spec : {},
  };
  matchNamespace(view, type, context.info.namespace);
  matchName(view, context.info.name);
  return view;
}

/** Returns the scale of an object. */
function toScale(object: ApiObject, scale: ScalePaths): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = scale.labelSelector === undefined ? undefined : readPath(object, scale.labelSelector);
  const selectorOf = typeof selector === "string" ? selector : selectorText(selector);
  const replicas = readPath(object, scale.specReplicas);
  return {
    kind: SCALE.kind,
    apiVersion: "autoscaling/v1",
    metadata: withoutUndefined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: {
      replicas: readPath(object, scale.statusReplicas) ?? 0,
      ...(selectorOf === "" ? {} : { selector: selectorOf }),
    },
  };
}

function withoutUndefined<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}

/** Applies an apply configuration to the scale of an object (server-side apply): who owns its replicas owns those of the object. */
export async function handleApplyScale(environment: HandlerEnvironment, input: ScaleInput): Promise<ApiObject> {
  const { context } = input;
  context.output();
  const options = parseApplyOptions(context.request.query);
  const body = await readApplyBody(context, input.type.release);
  const now = toTime(environment.clock.now());
  return writeScale(environment, {
    ...input,
    options,
    retriesConflicts: !body.statesVersion,
    change: (old) => {
      const applied = body.configuration();
      return asScale(deepClone(mergedScale({ ...input, applied, options, now, old })), input);
    },
    ownersAfter: (old, { metadata }) => ownersAfterScale(ownedOf({ ...input, old }), metadata.managedFields ?? []),
  });
}

interface ScaleOfObject extends ScaleInput {
  readonly old: ApiObject;
  readonly now: string;
}

interface AppliedScale extends ScaleOfObject {
  readonly applied: JsonObject;
  readonly options: ApplyOptions;
}

function mergedScale(input: AppliedScale): JsonObject {
  const { applied, options, old, scale, now } = input;
  const manager: Manager = {
    manager: options.fieldManager,
    operation: "Apply",
    apiVersion: SCALE_VERSION,
    subresource: "scale",
  };
  const live = withOwners(toScale(old, scale), ownersOfScale(ownedOf(input)));
  const apply = { type: mergedScaleOf(input.type), live, applied, manager, force: options.force, now };
  const merged = applyToObject(apply);
  checkConvertible(input, { live, merged });
  return merged;
}

// Real servers have no way from a scale that an apply has changed to a custom resource.
function checkConvertible(
  { type, applied }: AppliedScale,
  { live, merged }: { readonly live: ApiObject; readonly merged: JsonObject },
): void {
  if (!type.isCustom || deepEqual(bare(live), bare(merged as unknown as ApiObject))) return;
  const { name = "", namespace = "" } = (applied["metadata"] ?? {}) as { name?: string; namespace?: string };
  throw plainError(
    `failed to convert new object (${namespace}/${name}; ${gvkToString(SCALE)}) to proper version: request to convert CR to an invalid group/version: ${SCALE_VERSION}`,
  );
}

function ownedOf({ type, scale, old }: Pick<ScaleOfObject, "type" | "scale" | "old">): ScaledOwners {
  return { entries: old.metadata.managedFields, apiVersion: apiVersionOf(type), replicas: scale.specReplicas };
}
