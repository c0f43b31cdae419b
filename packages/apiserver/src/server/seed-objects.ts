import { deepFreeze, gvkOf, gvkToString, parseJson, printLosslessJson, ScaffoldError, toTime } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import { type Identities, objectOccasion } from "../pipeline/identities.ts";
import { ADMIN } from "../request/request-context.ts";
import { nextConditions, withConditions } from "../resources/custom/crd-conditions.ts";
import { CRD_RESOURCE, hasCondition, type CrdObject } from "../resources/custom/crd-object.ts";
import { requestKey } from "../resources/object-meta.ts";
import type { Registry, ResourceType } from "../resources/registry.ts";
import type { PortRange } from "../resources/strategy.ts";
import type { ApiObject, JsonObject, MutableJsonObject } from "../storage/api-object.ts";
import type { Store } from "../storage/store.ts";

interface SeedBed {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly identities: Identities;
  readonly serviceRanges: readonly string[];
  readonly nodePortRange: PortRange;
}

/**
 * Stores the state that a test starts with: each object as a create would complete it, with the fields that only a server sets, such as its status.
 *
 * Guarantees: namespaces of objects exist; a definition is served to the objects after it; an object that the server itself created is replaced.
 * Fails: {@link SeedObjectError} with the object and the reason.
 */
export function seedObjects(bed: SeedBed, objects: readonly JsonObject[]): void {
  const seeded = new Set<string>();
  for (const object of objects) {
    try {
      seedObject(bed, object, seeded);
    } catch (cause) {
      throw cause instanceof Error ? new SeedObjectError(nameOf(object), cause) : cause;
    }
  }
}

function nameOf(object: JsonObject): string {
  const { kind = "an object without a kind", metadata } = object as unknown as Partial<ApiObject>;
  const key = [metadata?.namespace, metadata?.name ?? metadata?.generateName].filter((part) => part !== undefined);
  return [kind, ...(key.length === 0 ? [] : [key.join("/")])].join(" ");
}

function seedObject(bed: SeedBed, object: JsonObject, seeded: Set<string>): void {
  const type = typeOf(bed.registry, object);
  const decoded = isDefinition(type) ? decodedDefinition(type, object) : decode(type, object);
  // Decoding adds an empty status to built-in kinds.
  const seed = completed(bed, type, decoded, object["status"] !== undefined);
  const { namespace = "", name = "" } = seed.metadata;
  const key = requestKey(type, { namespace, name });
  const path = [type.storedAs.group, type.storedAs.resource, key].join("/");
  if (seeded.has(path)) {
    throw new Error("another object has that name");
  }
  if (namespace !== "" && bed.store.get(NAMESPACES, { namespace: "", name: namespace }) === undefined) {
    seedObject(bed, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, new Set());
  }
  const stored = type.strategy().toStored(isDefinition(type) ? established(bed, seed as CrdObject) : seed);
  const current = bed.store.table(type.storedAs).get(key);
  bed.store.write({ groupResource: type.storedAs, key, current }, stored);
  seeded.add(path);
}

const NAMESPACES = { group: "", resource: "namespaces" } as const;

function typeOf(registry: Registry, object: JsonObject): ResourceType {
  const { apiVersion = "", kind = "" } = object as unknown as Partial<ApiObject>;
  if (apiVersion === "" || kind === "") {
    throw new Error("it has no apiVersion or no kind");
  }
  const gvk = gvkOf({ apiVersion, kind });
  const type = registry.findByKind(gvk);
  if (type === undefined || type.isVirtual === true) {
    throw new Error(`the server does not store kind ${gvkToString(gvk)}`);
  }
  return type;
}

function isDefinition({ group, resource }: ResourceType): boolean {
  return group === CRD_RESOURCE.group && resource === CRD_RESOURCE.resource;
}

const definitions = new WeakMap<JsonObject, ApiObject>();

// Compiled schemas are cached by identity, so that servers share those of frozen definitions.
function decodedDefinition(type: ResourceType, object: JsonObject): ApiObject {
  if (!Object.isFrozen(object)) {
    return decode(type, object);
  }
  let decoded = definitions.get(object);
  if (decoded === undefined) {
    decoded = deepFreeze(decode(type, object));
    definitions.set(object, decoded);
  }
  return { ...decoded, metadata: { ...decoded.metadata } };
}

// Reads an object as the body of a request; undefined fields are absent.
function decode(type: ResourceType, object: JsonObject): ApiObject {
  const { kind, apiVersion, metadata, ...rest } = parseJson(printLosslessJson(object)) as MutableJsonObject;
  const unknownFields: string[] = [];
  const body = { kind, apiVersion, metadata: metadata ?? {}, ...rest } as ApiObject;
  const decoded = type.strategy().decode(body, { unknownFields });
  if (unknownFields.length > 0) {
    throw new Error(unknownFields.map((field) => `unknown field ${JSON.stringify(field)}`).join(", "));
  }
  return decoded;
}

function completed(
  { store, clock, identities, serviceRanges, nodePortRange }: SeedBed,
  type: ResourceType,
  object: ApiObject,
  hasStatus: boolean,
): ApiObject {
  const { metadata, status } = object;
  const strategy = type.strategy();
  requirePlausible(type, metadata);
  delete metadata.resourceVersion;
  if (!type.isNamespaced) delete metadata.namespace;
  const { namespace = "", name = "" } = metadata;
  metadata.uid ??= identities.newUid(objectOccasion(type.storedAs, requestKey(type, { namespace, name })));
  metadata.creationTimestamp ??= toTime(clock.now());
  if (metadata.deletionTimestamp !== undefined) metadata.deletionGracePeriodSeconds ??= 0;
  if (strategy.isNewGeneration !== undefined) metadata.generation ??= 1;
  const now = toTime(clock.now());
  strategy.prepareForCreate(object, {
    now,
    subresource: "",
    isDryRun: false,
    user: ADMIN,
    objects: store,
    serviceRanges,
    nodePortRange,
    warn: () => {},
  });
  // The server itself writes the status of a definition.
  if (hasStatus && !isDefinition(type)) object["status"] = status;
  return object;
}

function requirePlausible(type: ResourceType, metadata: ApiObject["metadata"]): void {
  if ((metadata.name ?? "") === "") throw new Error("it has no name");
  if (type.isNamespaced && (metadata.namespace ?? "") === "") throw new Error("it has no namespace");
  if (metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0) {
    throw new Error("it has metadata.deletionTimestamp but no finalizers; a server would have deleted it");
  }
}

// A definition is served at once, without the steps in between that watchers of a server see.
function established({ store, clock }: SeedBed, definition: CrdObject): CrdObject {
  const all = store.list(CRD_RESOURCE) as readonly CrdObject[];
  let crd = definition;
  for (let next = nextConditions(crd, all); next !== undefined; next = nextConditions(crd, all)) {
    crd = withConditions(crd, next, toTime(clock.now()));
  }
  if (!hasCondition(crd, "Established")) {
    throw new Error(crd.status?.conditions?.find(({ status }) => status === "False")?.message ?? "it is not served");
  }
  return crd;
}

/**
 * Thrown when a server cannot store an object that it starts with, or a fake client an object of its options.
 *
 * Fix: Fix the field in the message; install the definition of a custom kind.
 */
class SeedObjectError extends ScaffoldError {
  readonly code = "APISERVER_SEED_OBJECT";

  constructor(object: string, cause: Error) {
    super(`cannot store ${object}: ${cause.message}`, { cause });
  }
}
