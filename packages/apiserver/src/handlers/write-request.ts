import {
  apiVersionOf,
  goQuote,
  goUnmarshalError,
  invalidField,
  type FieldError,
  type GroupVersionKind,
  requiredField,
} from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import type { Clock } from "@kubescaffold/platform/clock";

import type { AdmissionChain } from "../admission/admission-chain.ts";
import type {
  AdmissionAttributes,
  AdmissionOperation,
  Authorizer,
  PermissionRecorder,
} from "../pipeline/extension-points.ts";
import type { Identities } from "../pipeline/identities.ts";
import { checkKind, kindOfBody, statedKind } from "../request/body-kind.ts";
import { decodeBody, keyOrder } from "../request/body.ts";
import type { DecodedBody } from "../request/decoded-body.ts";
import { badRequest, invalid, timedOut } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { unrecognized } from "../request/unrecognized-body.ts";
import type { ObjectVersions } from "../resources/object-versions.ts";
import type { Registry, ResourceType } from "../resources/registry.ts";
import type { PortRange, Strategy } from "../resources/strategy.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";
import type { Store } from "../storage/store.ts";

/** Dependencies of the handlers. */
export interface HandlerEnvironment {
  readonly store: Store;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly versions: ObjectVersions;
  readonly admission: AdmissionChain;
  readonly authorizer: Authorizer;
  readonly permissions: PermissionRecorder;
  readonly identities: Identities;
  readonly bookmarkIntervalMs: number;
  /** The ranges of Service addresses. */
  readonly serviceRanges: readonly string[];
  /** The ports of the nodes that Services can have. */
  readonly nodePortRange: PortRange;
}

/** Reads the body of a create or update as an object of the resource, which then belongs to the request. */
export async function decodeObject(
  context: RequestContext,
  {
    type,
    options,
    checkPresent,
  }: {
    readonly type: ResourceType;
    readonly options: WriteOptions;
    /** Fails where the object of an update does not exist, which real servers report before another kind of a custom resource. */
    readonly checkPresent?: () => void;
  },
): Promise<ApiObject> {
  const body = await decodeBody(context, type);
  if (type.isCustom) checkCustomKind(type, body, checkPresent);
  else checkKind(kindOfBody(body, type), type, type.release);
  const problems: string[] = [];
  const object = rephrasing(body, () =>
    type.strategy().decode(asApiObject(type, body.value), { unknownFields: problems }),
  );
  reportStrictProblems({
    problems: type.isCustom ? customTexts(body, problems) : textsInOrder(body, problems),
    options,
    context,
    refuse: (texts) =>
      badRequest(
        `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: strict decoding error: ${texts}`,
      ),
  });
  context.audit?.noteObject(object);
  return object;
}

/** Decodes the value of a body; errors of fields have the words of its format. */
export function rephrasing<Value>({ rephrase }: DecodedBody, decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    throw rephrase === undefined ? error : rephrase(error);
  }
}

function customTexts(
  { duplicateFields, unknownFieldTexts }: DecodedBody,
  unknown: readonly string[],
): readonly string[] {
  return unknownFieldTexts === undefined ? strictTexts(duplicateFields, unknown) : unknownFieldTexts(unknown);
}

/** Returns the sentences about fields stated twice and fields that the kind does not have. */
export function strictTexts(duplicates: readonly string[], unknownFields: readonly string[]): readonly string[] {
  return [
    ...duplicates.map((path) => `duplicate field ${goQuote(path)}`),
    ...unknownFields.map((path) => `unknown field ${goQuote(path)}`),
  ];
}

// Built-in kinds report in the order of the text.
function textsInOrder(
  { duplicateFields, text, unknownFieldTexts }: DecodedBody,
  unknownFields: readonly string[],
): readonly string[] {
  if (unknownFieldTexts !== undefined) return unknownFieldTexts(unknownFields);
  const texts = strictTexts(duplicateFields, unknownFields);
  if (duplicateFields.length === 0 || unknownFields.length === 0) {
    return texts;
  }
  const order = keyOrder(text);
  const positions = new Map([
    ...duplicateFields.map((path): [string, number] => [`duplicate field ${goQuote(path)}`, order.lastIndexOf(path)]),
    ...unknownFields.map((path): [string, number] => [`unknown field ${goQuote(path)}`, order.indexOf(path)]),
  ]);
  return [...texts].sort((left, right) => (positions.get(left) ?? 0) - (positions.get(right) ?? 0));
}

/** Refuses, warns of or ignores strict problems, as `fieldValidation` says. */
export function reportStrictProblems(input: {
  readonly problems: readonly string[];
  readonly options: WriteOptions;
  readonly context: RequestContext;
  readonly refuse: (texts: string) => Error;
}): void {
  const { problems, options, context, refuse } = input;
  if (problems.length === 0 || options.fieldValidation === "Ignore") {
    return;
  }
  if (options.fieldValidation === "Strict") {
    throw refuse(problems.join(", "));
  }
  // A body may have more problems than a call may have arguments.
  for (const problem of problems) context.warnings.push(problem);
}

/** Turns a decoded JSON object into an object of a kind: `kind` and `apiVersion` first, with metadata. */
export function asApiObject(type: ResourceType, value: Record<string, unknown>): ApiObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = value;
  if (metadata !== undefined && metadata !== null && !isRecord(metadata)) {
    throw badRequest(
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${goUnmarshalError(metadata, "v1.ObjectMeta", `struct field ${type.kind}.metadata`)}`,
    );
  }
  return { kind: type.kind, apiVersion: apiVersionOf(type), metadata: metadata ?? {}, ...rest };
}

// The endpoint does not decide the kind of custom resources.
function checkCustomKind(type: ResourceType, body: DecodedBody, checkPresent?: () => void): void {
  const stated = statedKind(body, type);
  if (stated.kind === "") {
    const { text } = body;
    throw unrecognized({ text, expected: type, problem: `Object 'Kind' is missing in '${text}'` });
  }
  const [given, expected] = [apiVersionOf(stated), apiVersionOf(type)];
  if (given !== expected) {
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
  }
  if (stated.kind === type.kind) return;
  checkPresent?.();
  const { metadata } = body.value;
  const name = isRecord(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
  throw invalid({ groupKind: { group: type.group, kind: stated.kind }, name }, [
    invalidField("kind", stated.kind, `must be ${type.kind}`),
  ]);
}

/** Options that all writes have. */
export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
}

/** The kinds of options, as admission and messages name them. */
type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions" | "ListOptions";

const VALIDATION_LEVELS = ["", "Ignore", "Strict", "Warn"] as const;

/**
 * Reads the options of a create, update or patch from the query.
 *
 * Fails: with 422 when a value is not one of those that exist.
 */
export function parseWriteOptions(query: URLSearchParams, kind: OptionsKind): WriteOptions {
  return readWriteOptions(query, kind, forceErrors(query, kind));
}

function readWriteOptions(query: URLSearchParams, kind: OptionsKind, others: readonly FieldError[]): WriteOptions {
  const dryRun = query.getAll("dryRun");
  const fieldValidation = query.get("fieldValidation") ?? "";
  const fieldManager = query.get("fieldManager") ?? "";
  const errors = [
    ...dryRunErrors(dryRun),
    ...fieldManagerErrors(fieldManager),
    ...fieldValidationErrors(fieldValidation),
    ...others,
  ];
  throwIfInvalid(kind, errors);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === "Ignore" || fieldValidation === "Strict" ? fieldValidation : "Warn",
  };
}

/** Fails with 422 when options have errors. */
export function throwIfInvalid(kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw invalid({ groupKind: { group: "meta.k8s.io", kind }, name: "" }, errors);
  }
}

/** Returns what is wrong with the values of `dryRun`. */
export function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => value === "All")
    ? []
    : [{ type: "FieldValueNotSupported", field: "dryRun", badValue: [...values], detail: 'supported values: "All"' }];
}

/** Returns the options as admission plugins see them. */
export function admissionOptions(kind: "CreateOptions" | "UpdateOptions", options: WriteOptions): JsonObject {
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(options.isDryRun ? { dryRun: ["All"] } : {}),
    ...(options.fieldManager === "" ? {} : { fieldManager: options.fieldManager }),
    ...(options.fieldValidation === "Warn" ? {} : { fieldValidation: options.fieldValidation }),
  };
}

function fieldValidationErrors(value: string): readonly FieldError[] {
  return (VALIDATION_LEVELS as readonly string[]).includes(value)
    ? []
    : [
        {
          type: "FieldValueNotSupported",
          field: "fieldValidation",
          badValue: value,
          detail: `supported values: ${VALIDATION_LEVELS.map((level) => `"${level}"`).join(", ")}`,
        },
      ];
}

function fieldManagerErrors(value: string): readonly FieldError[] {
  if (Buffer.byteLength(value) > 128) {
    return [
      { type: "FieldValueTooLong", field: "fieldManager", badValue: value, detail: "may not be more than 128 bytes" },
    ];
  }
  return /\p{C}/u.test(value)
    ? [
        {
          type: "FieldValueInvalid",
          field: "fieldManager",
          badValue: value,
          detail: "should only contain printable characters",
        },
      ]
    : [];
}

function forceErrors(query: URLSearchParams, kind: OptionsKind): readonly FieldError[] {
  return kind === "PatchOptions" && query.has("force")
    ? [{ type: "FieldValueForbidden", field: "force", detail: "may not be specified for non-apply patch" }]
    : [];
}

/** Options of server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes fields from other owners. */
  readonly force: boolean;
}

/**
 * Reads the options of server-side apply from the query.
 *
 * Fails: with 422 when nobody is named who applies, or when a value is not one of those that exist.
 */
export function parseApplyOptions(query: URLSearchParams): ApplyOptions {
  const force = query.get("force");
  const options = readWriteOptions(query, "PatchOptions", []);
  throwIfInvalid(
    "PatchOptions",
    options.fieldManager === "" ? [requiredField("fieldManager", "is required for apply patch")] : [],
  );
  return { force: force !== null && force !== "false" && force !== "0", ...options };
}

/** A write that is submitted to admission. */
interface AdmissionRequest {
  readonly context: RequestContext;
  readonly type: ResourceType;
  readonly operation: AdmissionOperation;
  readonly name: string;
  readonly object?: ApiObject | undefined;
  readonly oldObject?: ApiObject | undefined;
  readonly isDryRun: boolean;
  readonly options: JsonObject | null;
  /** The kind of the object, where it is not the resource's. */
  readonly kind?: GroupVersionKind;
  readonly subresource?: string;
}

/** Assembles what admission plugins see of a write, or of a later form of its object. */
export function admissionAttributes(
  input: Omit<AdmissionRequest, "object" | "name">,
  { object, name }: Pick<AdmissionRequest, "object" | "name">,
): AdmissionAttributes {
  const { context, type, operation, oldObject, isDryRun, options } = input;
  const { group, version, resource } = type;
  return {
    operation,
    kind: input.kind ?? { group, version, kind: type.kind },
    resource: { group, version, resource },
    subresource: input.subresource ?? context.info.subresource,
    isNamespaced: type.isNamespaced,
    namespace: context.info.namespace,
    name,
    requestName: context.info.name,
    object,
    oldObject,
    user: context.user,
    isDryRun,
    options,
    warn: (text) => {
      context.warnings.push(text);
    },
    annotate: (key, value, level) => context.audit?.annotate(key, value, level),
    observeWebhook: context.observeWebhook,
    normalize: (changed, decoding = {}) => {
      const strategy = admittedStrategy(type, input.kind);
      return strategy.readmit?.(changed) ?? strategy.decode(changed, { unknownFields: [], ...decoding });
    },
  };
}

// Objects of subresources have kinds of their own, such as Scale.
function admittedStrategy(type: ResourceType, kind: GroupVersionKind = type): Pick<Strategy, "decode" | "readmit"> {
  if (kind.kind === type.kind) return type.strategy();
  return type.strategyOf?.(kind) ?? { decode: (object) => object };
}

/** Fails once the client has received a timeout response, or has disconnected: nothing is stored that it does not know of. */
export function refuseWhenOver({ deadline, request }: RequestContext): void {
  if (deadline.isOver || request.isAborted()) throw timedOut();
}

/** Returns a stored object in the version of a resource, with the fields that its status alone shows. */
export function wholeView(type: ResourceType, stored: ApiObject): ApiObject | Promise<ApiObject> {
  return type.strategy().shown === undefined ? storedView(type, stored) : stored;
}

/** Returns a stored object in the version of a resource, after asking what converts it; without any wait where nothing does. */
export function storedView(type: ResourceType, stored: ApiObject): ApiObject | Promise<ApiObject> {
  const strategy = type.strategy();
  const asking = strategy.prepareRead?.([stored], { reuses: false });
  return asking === undefined ? strategy.fromStored(stored) : asking.then(() => strategy.fromStored(stored));
}
