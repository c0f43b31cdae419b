import { apiVersionOf, toTime } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";

import { objectOccasion } from "../pipeline/identities.ts";
import { alreadyExists, forbidden, generateNameConflict, invalid, plainError } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import {
  dedupeOwnerReferences,
  objectMetaErrors,
  reportedErrors,
  matchNamespace,
  requestKey,
  wipeSystemMetadata,
} from "../resources/object-meta.ts";
import { groupResourceOf, type ResourceType } from "../resources/registry.ts";
import type { StrategyContext } from "../resources/strategy.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { managerName } from "./field-management/managers.ts";
import { keepReadableOwners, passEmptyFields, trackWrite } from "./field-management/track-write.ts";
import {
  admissionOptions,
  parseWriteOptions,
  type WriteOptions,
  admissionAttributes,
  decodeObject,
  type HandlerEnvironment,
  refuseWhenOver,
  storedView,
} from "./write-request.ts";

/** Creates an object from the body of a request; returns it as stored. */
export async function handleCreate(
  environment: HandlerEnvironment,
  { context, type }: { readonly context: RequestContext; readonly type: ResourceType },
): Promise<ApiObject> {
  context.output();
  const options = parseWriteOptions(context.request.query, "CreateOptions");
  const object = await decodeObject(context, { type, options });
  return createObject(environment, { context, type, options, object });
}

/** Inputs of a create, which owns the object. */
export interface CreateInput {
  readonly context: RequestContext;
  readonly type: ResourceType;
  readonly options: WriteOptions;
  readonly object: ApiObject;
  /** Field owners of an object that server-side apply creates. */
  readonly managedFields?: ManagedFieldsEntry[] | undefined;
}

/** Creates a decoded object: admission, system fields, checks, storage. */
export async function createObject(environment: HandlerEnvironment, input: CreateInput): Promise<ApiObject> {
  const { context, type, options } = input;
  wipeSystemMetadata(input.object);
  matchNamespace(input.object, type, context.info.namespace);
  refuseWhileTerminating(type, input.object);
  await trackCreate(environment, input);
  const admission = {
    context,
    type,
    operation: "CREATE" as const,
    isDryRun: options.isDryRun,
    options: admissionOptions("CreateOptions", options),
  };
  const object =
    (await environment.admission.mutate(
      admissionAttributes(admission, { object: input.object, name: input.object.metadata.name ?? "" }),
    )) ?? input.object;
  // Admission may have changed the namespace.
  matchNamespace(object, type, context.info.namespace);
  keepReadableOwners(object, input.object, context);
  dedupeOwnerReferences(object, { warnings: context.warnings, isAdmitted: true });
  await type.strategy().prepareChecks?.(object);
  const isGenerated = (object.metadata.name ?? "") === "" && (object.metadata.generateName ?? "") !== "";
  await completeObject(environment, object, input);
  await environment.admission.validate(admissionAttributes(admission, { object, name: object.metadata.name ?? "" }));
  return storeNew(environment, object, { input, isGenerated });
}

async function trackCreate(environment: HandlerEnvironment, input: CreateInput): Promise<void> {
  const { context, type, options, object, managedFields } = input;
  if (managedFields !== undefined) {
    object.metadata.managedFields = managedFields;
    return;
  }
  dedupeOwnerReferences(object, { warnings: context.warnings, isAdmitted: false });
  const manager = {
    manager: managerName(options.fieldManager, context.request.header("user-agent")),
    operation: "Update" as const,
    apiVersion: apiVersionOf(type),
    subresource: "",
  };
  await trackWrite(environment, { type, before: undefined, after: object, manager });
}

function refuseWhileTerminating(type: ResourceType, object: ApiObject): void {
  if (type.createsRefusedFor !== undefined) {
    throw forbidden({ groupResource: groupResourceOf(type), name: object.metadata.name ?? "" }, type.createsRefusedFor);
  }
}

async function completeObject(environment: HandlerEnvironment, object: ApiObject, input: CreateInput): Promise<void> {
  const { type, context, options } = input;
  const { metadata } = object;
  const strategy = type.strategy();
  const now = toTime(environment.clock.now());
  const strategyContext: StrategyContext = {
    now,
    subresource: "",
    isDryRun: options.isDryRun,
    user: context.user,
    objects: environment.store,
    serviceRanges: environment.serviceRanges,
    nodePortRange: environment.nodePortRange,
    warn: (text) => {
      context.warnings.push(text);
    },
  };
  if ((metadata.name ?? "") === "" && (metadata.generateName ?? "") !== "") {
    metadata.name = generatedName(environment, type, object);
  }
  delete metadata.selfLink;
  metadata.uid = environment.identities.newUid(occasionOf(type, metadata.namespace, metadata.name));
  metadata.creationTimestamp = now;
  if (strategy.isNewGeneration !== undefined && strategy.startsWithoutGeneration !== true) {
    metadata.generation = 1;
  }
  strategy.prepareForCreate(object, strategyContext);
  const found = [...objectMetaErrors(object, type), ...(await strategy.validate(object, strategyContext))];
  const errors = reportedErrors(found, type);
  if (errors.length > 0) {
    throw invalid({ groupKind: { group: type.storedAs.group, kind: type.kind }, name: metadata.name ?? "" }, errors);
  }
  context.warnings.push(...(strategy.warnings?.(object, undefined, "") ?? []));
}

// Like the storage upstream, which dry runs do not reach: other texts than positive numbers are dropped.
function refuseVersion({ metadata }: ApiObject): void {
  if (/^\d+$/u.test(metadata.resourceVersion ?? "") && Number(metadata.resourceVersion) !== 0) {
    throw plainError("resourceVersion should not be set on objects to be created");
  }
  delete metadata.resourceVersion;
}

// 63 characters less the five of the suffix.
const LONGEST_PREFIX = 58;
const GENERATE_ATTEMPTS = 8;

function generatedName({ identities }: HandlerEnvironment, type: ResourceType, { metadata }: ApiObject): string {
  const { namespace, generateName = "" } = metadata;
  return generateName.slice(0, LONGEST_PREFIX) + identities.nameSuffix(occasionOf(type, namespace, generateName));
}

function occasionOf(type: ResourceType, namespace: string = "", name: string = ""): string {
  return objectOccasion(type.storedAs, requestKey(type, { namespace, name }));
}

async function storeNew(
  environment: HandlerEnvironment,
  object: ApiObject,
  { input, isGenerated }: { readonly input: CreateInput; readonly isGenerated: boolean },
): Promise<ApiObject> {
  const { context, type, options } = input;
  const strategy = type.strategy();
  for (let attempt = 1; ; attempt += 1) {
    const name = object.metadata.name ?? "";
    const key = requestKey(type, { namespace: object.metadata.namespace ?? "", name });
    const table = environment.store.table(type.storedAs);
    const asking = strategy.prepareWrite?.(object);
    if (asking !== undefined) {
      await asking;
    }
    const existing = table.get(key);
    if (!options.isDryRun) refuseVersion(object);
    if (existing === undefined) {
      if (!options.isDryRun) refuseWhenOver(context);
      const stored = strategy.toStored(object);
      passEmptyFields(object, stored);
      if (!options.isDryRun) {
        environment.store.write({ groupResource: type.storedAs, key, current: undefined }, stored);
      }
      return storedView(type, stored);
    }
    const target = { groupResource: groupResourceOf(type), name };
    if (!isGenerated) {
      const prefix = existing.metadata.deletionTimestamp === undefined ? "" : "object is being deleted: ";
      const hasPrefix = (object.metadata.generateName ?? "") !== "";
      throw hasPrefix ? generateNameConflict(target, prefix) : alreadyExists(target, prefix);
    }
    if (attempt === GENERATE_ATTEMPTS) {
      throw generateNameConflict(target);
    }
    object.metadata.name = generatedName(environment, type, object);
  }
}
