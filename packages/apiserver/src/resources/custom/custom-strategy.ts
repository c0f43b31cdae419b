import {
  type FieldError,
  goTypeName,
  goValue,
  invalidField,
  fieldErrorToString,
  type JSONValue,
  deepClone,
} from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import {
  applyDefaults,
  containsRules,
  deepEqual,
  prune,
  type JsonSchema,
  additionalSchemaOf,
  coerceObjectMeta,
  itemsOf,
  objectMetaTypeProblem,
  propertyOf,
  unknownObjectMetaFields,
} from "@kubescaffold/schema/values";

import type { Release } from "../../release/release.ts";
import { badRequest } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { readText, readPath } from "../fields.ts";
import { finalizerWarnings } from "../object-meta.ts";
import { loadRuleEngine, withObjectRuleErrors } from "../rule-engine.ts";
import type { CheckedMetadata, Strategy, StrategyContext } from "../strategy.ts";
import { checkedMetadata } from "./checked-metadata.ts";
import type { ConvertObjects } from "./convert-objects.ts";
import { createConvertedViews } from "./converted-views.ts";
import type { CrdObject, CrdVersion } from "./crd-object.ts";

/** Creates the strategy of one version of a custom resource on a server of a release; without a converter, its versions differ by name alone. */
export function createCustomStrategy(
  release: Release,
  crd: CrdObject,
  { version, convert }: { readonly version: CrdVersion; readonly convert?: ConvertObjects | undefined },
): Strategy {
  const conditions = validationConditions(release);
  const schema = version.schema?.openAPIV3Schema ?? FREE_FORM;
  const hasStatus = version.subresources?.status !== undefined;
  const scale = version.subresources?.scale;
  const hasRules = containsRules(schema);
  // Fields that webhooks add beyond the schema count as a change and are seen by later webhooks; only storage drops them.
  const unpruned = new WeakSet<ApiObject>();
  // What server-side apply merged is validated with its nulls; storage drops those that the schema does not allow.
  const merged = new WeakSet<ApiObject>();
  return {
    decode: (object, { unknownFields, isMerged = false }) => {
      const decoded = decode(object, schema, unknownFields, isMerged);
      if (isMerged) merged.add(decoded);
      return decoded;
    },
    readmit: (object) => {
      const completed = readmitted(object, schema);
      unpruned.add(completed);
      return completed;
    },
    checkedMetadata: (object) => metadataOfChecks(release, object),
    ...(convert === undefined ? {} : { convert }),
    ...createStoredForms({ release, crd, version, convert }, (object) => {
      if (merged.has(object)) return applyDefaults(schema, object as never);
      return unpruned.has(object) ? prune(schema, object as never).value : object;
    }),
    prepareForCreate: (object) => {
      if (hasStatus) {
        delete object["status"];
        // Storage upstream drops it, too, and sets the defaults whenever it is read.
        setOrDelete(object, "status", defaultedStatus(object, schema));
      }
    },
    prepareForUpdate: (object, old, context) => prepareForUpdate(object, old, context, hasStatus),
    prepareChecks: () => {
      if (validation === undefined) return loadChecks(schema);
      return hasRules ? loadRuleEngine([schema]) : undefined;
    },
    validate: (object, { warn }) => {
      const found = schemaValidation().validate(schema, object as never, conditions);
      const errors = [...found, ...scaleErrors(object, scale?.specReplicasPath)];
      return hasRules ? withObjectRuleErrors({ schema, object, errors, warn }) : errors;
    },
    validateUpdate: (object, old, context) => {
      const all = schemaValidation().validate(schema, object as never, { ...conditions, previous: old as never });
      const errors =
        context.subresource === "status"
          ? all.filter(({ field }) => /^status\b/.test(field)).map(withinStatus)
          : [...all, ...scaleErrors(object, scale?.specReplicasPath)];
      return hasRules ? withObjectRuleErrors({ schema, object, old, errors, warn: context.warn }) : errors;
    },
    warnings: newFinalizerWarnings,
    nameRule: "subdomain",
    isNewGeneration: (object, old) => !deepEqual(desiredPart(object, hasStatus), desiredPart(old, hasStatus)),
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: false,
    defaultPropagation: "background",
    returnsDeletedObject: false,
    takesStrategicPatches: false,
    selectableFields: new Map(
      (version.selectableFields ?? []).map(({ jsonPath }) => [
        jsonPath.replace(/^\./, ""),
        (object) => readText(object, jsonPath),
      ]),
    ),
    hasOwnFieldSelectors: true,
    ...(scale === undefined
      ? {}
      : {
          scale: {
            specReplicas: scale.specReplicasPath,
            statusReplicas: scale.statusReplicasPath,
            ...(scale.labelSelectorPath === undefined ? {} : { labelSelector: scale.labelSelectorPath }),
          },
        }),
  };
}

// The members of metadata that webhooks have given another type, or a name that metadata does not know.
const droppedFrom = new WeakMap<ApiObject, Readonly<Record<string, unknown>>>();

// Upstream reads metadata member by member here, and drops those of another type; validation sees them since 1.37.
function readmitted(object: ApiObject, schema: JsonSchema): ApiObject {
  const given = dropEmpty(object.metadata as Record<string, unknown>);
  const metadata = { ...coerceObjectMeta(given as never) };
  const completed = applyDefaults(schema, { ...object, metadata } as never, { keepsNulls: true }) as ApiObject;
  const dropped = Object.entries(given).filter(([name]) => !Object.hasOwn(metadata, name));
  if (dropped.length > 0) droppedFrom.set(completed, Object.fromEntries(dropped));
  return completed;
}

function metadataOfChecks(release: Pick<Release, "since">, object: ApiObject): CheckedMetadata | undefined {
  const dropped = droppedFrom.get(object);
  return dropped === undefined ? undefined : checkedMetadata(release, object.metadata, dropped);
}

/** Returns how the servers of a release check values by a schema. */
export function validationConditions(release: Pick<Release, "since">): {
  readonly metaWording: "general" | "indexed";
  readonly checksNumberFormats: boolean;
} {
  return { metaWording: release.since("1.37") ? "indexed" : "general", checksNumberFormats: release.since("1.36") };
}

type SchemaValidation = typeof import("@kubescaffold/schema");

// Loaded with the first write of a custom object: its engine of patterns is large.
let validation: SchemaValidation | undefined;

async function loadChecks(schema: JsonSchema): Promise<void> {
  validation = await import("@kubescaffold/schema");
  await loadRuleEngine([schema]);
}

function schemaValidation(): SchemaValidation {
  if (validation === undefined) throw new TypeError("cannot validate an object: the validation is not loaded");
  return validation;
}

function decode(given: ApiObject, schema: JsonSchema, unknownFields: string[], keepsNulls: boolean): ApiObject {
  const object = coerceMetadata(given, unknownFields);
  coerceEmbedded({ root: object, schema, value: object, path: "", unknownFields });
  const pruned = prune(schema, object as never);
  // There may be more than a call may have arguments.
  for (const path of pruned.unknownFields) unknownFields.push(path);
  unknownFields.sort();
  return applyDefaults(schema, pruned.value, { keepsNulls });
}

function defaultedStatus(object: ApiObject, schema: JsonSchema): unknown {
  const hasDefault = schema.properties?.["status"]?.default !== undefined;
  return hasDefault ? (applyDefaults(schema, object as never) as ApiObject)["status"] : undefined;
}

function prepareForUpdate(object: ApiObject, old: ApiObject, context: StrategyContext, hasStatus: boolean): void {
  if (context.subresource === "status") {
    keepAllButStatus(object, old);
  } else if (hasStatus) {
    setOrDelete(object, "status", old["status"]);
  }
}

function newFinalizerWarnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const before = new Set(old?.metadata.finalizers);
  return finalizerWarnings((object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer)));
}

function keepAllButStatus(object: ApiObject, old: ApiObject): void {
  const { status } = object;
  const { managedFields } = object.metadata;
  for (const key of Object.keys(object)) {
    delete object[key];
  }
  const { managedFields: _managedFields, ...metadata } = old.metadata;
  Object.assign(object, old, {
    metadata: { ...deepClone(metadata), ...(managedFields === undefined ? {} : { managedFields }) },
  });
  setOrDelete(object, "status", status);
}

function setOrDelete(object: ApiObject, key: string, value: unknown): void {
  if (value === undefined) {
    delete object[key];
  } else {
    object[key] = value;
  }
}

// The desired state: everything but the metadata, and the status where it is a subresource.
function desiredPart(object: ApiObject, hasStatus: boolean): unknown {
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, status, ...fields } = object;
  return hasStatus ? fields : { ...fields, status };
}

// A status is validated by itself: sentences name fields from there, while their paths begin at the root.
function withinStatus(error: FieldError): FieldError {
  return { ...error, detail: error.detail.replace(/^status(?:\.|(?= in body ))/, "") };
}

const MOST_REPLICAS = 2 ** 31 - 1;

/** Returns an error when the field in which a custom resource keeps its replicas is no count. */
function scaleErrors(object: ApiObject, path: string | undefined): readonly FieldError[] {
  const value = path === undefined ? undefined : readPath(object, path);
  if (path === undefined || value === undefined || value === null) {
    return [];
  }
  if (typeof value !== "bigint" && (typeof value !== "number" || !Number.isInteger(value))) {
    const detail = `${path} accessor error: ${goValue(value)} is of the type ${goTypeName(value)}, expected int64`;
    return [invalidField(path, 0, detail)];
  }
  if (value < 0) {
    return [invalidField(path, value, "should be a non-negative integer")];
  }
  return value > MOST_REPLICAS ? [invalidField(path, value, `should be less than or equal to ${MOST_REPLICAS}`)] : [];
}

/** Reads the metadata of a custom resource by its type: unknown fields go, and are collected; fails with 400 for wrong types. */
function coerceMetadata(object: ApiObject, unknownFields: string[]): ApiObject {
  const metadata = dropEmpty(object.metadata as Record<string, unknown>) as never;
  const problem = objectMetaTypeProblem(metadata);
  if (problem !== undefined) {
    throw unreadable(object, problem);
  }
  for (const path of unknownObjectMetaFields(metadata)) unknownFields.push(`metadata.${path}`);
  return { ...object, metadata: { ...coerceObjectMeta(metadata) } };
}

/** Does the same, in place, for all objects that a schema embeds in another. */
function coerceEmbedded(step: {
  readonly root: ApiObject;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly path: string;
  readonly unknownFields: string[];
}): void {
  const { schema, value, path } = step;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items !== undefined) {
      value.forEach((item, index) =>
        coerceEmbedded({ ...step, schema: items, value: item, path: `${path}[${index}]` }),
      );
    }
    return;
  }
  if (!isRecord(value)) {
    return;
  }
  if (schema["x-kubernetes-embedded-resource"] === true) {
    refuseStrangeMetadata(step, value["metadata"] as JSONValue | undefined);
  }
  if (schema["x-kubernetes-embedded-resource"] === true && isRecord(value["metadata"])) {
    const metadata = value["metadata"] as never;
    for (const name of unknownObjectMetaFields(metadata)) step.unknownFields.push(`${path}.metadata.${name}`);
    value["metadata"] = { ...coerceObjectMeta(metadata) };
  }
  for (const [name, field] of Object.entries(value)) {
    const property = propertyOf(schema, name) ?? additionalSchemaOf(schema);
    if (property !== undefined && typeof field === "object") {
      coerceEmbedded({ ...step, schema: property, value: field, path: path === "" ? name : `${path}.${name}` });
    }
  }
}

function refuseStrangeMetadata(
  { root, path }: { readonly root: ApiObject; readonly path: string },
  metadata: JSONValue | undefined,
): void {
  const problem = metadata === undefined ? undefined : objectMetaTypeProblem(metadata);
  if (problem !== undefined) {
    throw unreadable(root, fieldErrorToString(invalidField(`${path}.metadata`, metadata, problem)));
  }
}

function unreadable({ kind, apiVersion }: ApiObject, problem: string): Error {
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`);
}

// Nulls and empty lists and maps are as good as absent.
function dropEmpty(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.values(metadata).some((value) => isEmpty(value))
    ? Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)))
    : metadata;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** The schema of a version that has none. */
const FREE_FORM: JsonSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

type StoredForms = Pick<Strategy, "toStored" | "fromStored" | "prepareRead" | "prepareWrite">;

interface StoredFormsInput {
  readonly release: Pick<Release, "isEnabled">;
  readonly crd: CrdObject;
  readonly version: CrdVersion;
  readonly convert: ConvertObjects | undefined;
}

/** Returns how the objects of one version of a custom resource get to the version that is stored, and back. */
function createStoredForms(
  { release, crd, version, convert }: StoredFormsInput,
  prepared: (object: ApiObject) => ApiObject,
): StoredForms {
  const schemas = schemasOf(crd);
  const apiVersion = `${crd.spec.group}/${version.name}`;
  const storage = crd.spec.versions.find((candidate) => candidate.storage) ?? version;
  const storedApiVersion = `${crd.spec.group}/${storage.name}`;
  const views = new WeakMap<ApiObject, ApiObject>();
  const namesObjects = release.isEnabled("AllowUnsafeMalformedObjectDeletion");
  const converted =
    convert === undefined
      ? undefined
      : createConvertedViews({ convert, schemas, apiVersion, storedApiVersion, namesObjects });
  return {
    ...(converted === undefined ? {} : { prepareRead: converted.prepareRead, prepareWrite: converted.prepareWrite }),
    toStored: (given) => {
      if (apiVersion !== storedApiVersion) {
        return converted === undefined
          ? renamed({ ...given, metadata: { ...given.metadata } }, schemas, storedApiVersion)
          : converted.stored(given);
      }
      const object = prepared(given);
      views.set(object, object);
      return object;
    },
    fromStored: (stored) => {
      if (converted !== undefined && stored.apiVersion !== apiVersion) {
        return converted.read(stored);
      }
      const view = views.get(stored) ?? readStored(stored, schemas, apiVersion);
      views.set(stored, view);
      return view;
    },
  };
}

function schemasOf({ spec }: CrdObject): ReadonlyMap<string, JsonSchema> {
  return new Map(
    spec.versions.map(({ name, schema }) => [`${spec.group}/${name}`, schema?.openAPIV3Schema ?? FREE_FORM]),
  );
}

// Defaults are those of the version that is stored.
function readStored(stored: ApiObject, schemas: ReadonlyMap<string, JsonSchema>, apiVersion: string): ApiObject {
  const schema = schemas.get(stored.apiVersion ?? "") ?? FREE_FORM;
  const object: ApiObject = applyDefaults(schema, prune(schema, stored as never).value);
  return stored.apiVersion === apiVersion ? object : renamed(object, schemas, apiVersion);
}

function renamed(object: ApiObject, schemas: ReadonlyMap<string, JsonSchema>, apiVersion: string): ApiObject {
  return prune(schemas.get(apiVersion) ?? FREE_FORM, { ...object, apiVersion } as never).value;
}
