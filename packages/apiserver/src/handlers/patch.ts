import {
  goJson,
  goQuote,
  goValue,
  invalidField,
  type GroupVersionKind,
  type JSONValue,
  deepClone,
  JsonDepthError,
  newRequestEntityTooLarge,
  parseJson,
} from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import {
  applyJsonMergePatch,
  applyStrategicMergePatch,
  InvalidPatchError,
  PatchNotApplicableError,
  PatchTooLargeError,
  PatchTypeError,
} from "@kubescaffold/schema/patches";
import {
  applyJsonPatch,
  isJsonObject,
  unfold,
  unknownJsonPatchFields,
  type JsonObject as SchemaJsonObject,
} from "@kubescaffold/schema/values";

import { duplicateKeys, jsonProblem } from "../request/body.ts";
import { decodingProblem } from "../request/decoding-problem.ts";
import {
  invalid,
  unroutableMediaType,
  unsupportedMediaType,
  badRequest,
  plainError,
  unprocessable,
} from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { builtInJsonSchema } from "../resources/built-in/built-in-json-schema.ts";
import { conversionProblem } from "../resources/built-in/conversion-problem.ts";
import { matchName, matchNamespace } from "../resources/object-meta.ts";
import { once, type ResourceType } from "../resources/registry.ts";
import type { ApiObject, MutableJsonObject } from "../storage/api-object.ts";
import { printPatched } from "./printed-object.ts";
import {
  admissionOptions,
  APPLY,
  APPLY_CBOR,
  parseWriteOptions,
  patchMediaType,
  type WriteOptions,
  asApiObject,
  reportStrictProblems,
  strictTexts,
  type HandlerEnvironment,
} from "./write-request.ts";
import { writeUpdate } from "./write-update.ts";

interface PatchInput {
  readonly context: RequestContext;
  readonly type: ResourceType;
}

/** A patch that has been read and not applied yet. */
interface ReadPatch {
  readonly patchType: PatchType;
  readonly text: string;
  /** Returns the value of the text. Fails: with 400 when it is not JSON. */
  readonly parsed: () => JSONValue;
  readonly options: WriteOptions;
}

/** Patches an object, or one subresource of it; returns it as stored. */
export async function handlePatch(environment: HandlerEnvironment, input: PatchInput): Promise<ApiObject> {
  const { context, type } = input;
  const patch = await readPatch(input);
  let isReported = false;
  return writeUpdate(environment, {
    context,
    type,
    isDryRun: patch.options.isDryRun,
    options: admissionOptions("UpdateOptions", patch.options),
    retriesConflicts: true,
    change: (old) => {
      const object = patchedObject(input, patch, old, isReported);
      isReported = true;
      return object;
    },
  });
}

/** Reads the patch of a request; fails with 415 when its type is not read. */
export async function readPatch({ context, type }: PatchInput): Promise<ReadPatch> {
  const mediaType = patchMediaType(context);
  const accepted = Object.keys(PATCH_TYPES).filter(
    (name) => PATCH_TYPES[name] !== "strategic" || type.strategy().takesStrategicPatches,
  );
  const patchType = accepted.includes(mediaType) ? PATCH_TYPES[mediaType] : undefined;
  if (patchType === undefined) {
    const applied = context.hasCbor ? [APPLY, APPLY_CBOR] : [APPLY];
    throw type.isCustom ? unsupportedMediaType([...accepted, ...applied]) : unroutableMediaType();
  }
  context.output();
  const options = parseWriteOptions(context.request.query, "PatchOptions");
  const text = await context.request.body();
  const parsed = once(() => parsePatch(text, patchType));
  if (type.release.since("1.37")) requireJson(parsed);
  context.audit?.notePatch(() => text);
  return { patchType, options, text, parsed };
}

function parsePatch(text: string, patchType: PatchType): JSONValue {
  try {
    return parseJson(text) as JSONValue;
  } catch (error) {
    throw badRequest(`${patchType === "strategic" ? "" : "error decoding patch: "}${jsonProblem(text, error)}`);
  }
}

// Since 1.37, what is not JSON is refused before its object is looked up.
function requireJson(parsed: () => JSONValue): void {
  try {
    parsed();
  } catch {
    throw badRequest("invalid JSON patch");
  }
}

function patchedObject(input: PatchInput, patch: ReadPatch, old: ApiObject, isReported: boolean): ApiObject {
  const { context, type } = input;
  const { value, duplicateFields, strangeMembers } = applyPatch({ ...patch, schemaOf: type, target: old });
  const unknownFields: string[] = [];
  // Decoding changes the object, so it is patched once more where it is shown.
  const shown = (): string => quoted(patch, type, () => applyPatch({ ...patch, schemaOf: type, target: old }).value);
  const isConverted = patch.patchType === "strategic";
  if (isConverted) checkConvertible(value, shown);
  const complete = isConverted ? value : checkedTypeMeta(value, old, { ...input, shown });
  const object = decodePatched(type, asApiObject(type, complete), { unknownFields, shown, isConverted });
  // The patched object has its fields in the order of their names; the metadata of custom resources is read first.
  unknownFields.sort();
  if (type.isCustom) unknownFields.sort((left, right) => Number(isOfMetadata(right)) - Number(isOfMetadata(left)));
  if (!isReported) {
    reportStrictProblems({
      problems: [...strangeMembers, ...strictTexts(duplicateFields, unknownFields)],
      options: patch.options,
      context,
      refuse: (texts) => invalidPatch(shown(), `strict decoding error: ${texts}`),
    });
  }
  matchNamespace(object, type, context.info.namespace);
  matchName(object, context.info.name);
  return object;
}

function isOfMetadata(path: string): boolean {
  return path.startsWith("metadata.");
}

function checkedTypeMeta(
  value: Record<string, unknown>,
  old: ApiObject,
  { type, context, shown }: PatchInput & { readonly shown: () => string },
): Record<string, unknown> {
  const { kind, apiVersion } = value;
  if (kind === old.kind && apiVersion === old.apiVersion) {
    return value;
  }
  if (!type.isCustom) {
    throw invalidPatch(
      shown(),
      `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const isKind = kind !== old.kind;
  throw invalid({ groupKind: { group: type.group, kind: String(kind) }, name: context.info.name }, [
    isKind
      ? invalidField("kind", kind, `must be ${old.kind}`)
      : invalidField("apiVersion", apiVersion, `must be ${old.apiVersion}`),
  ]);
}

// The endpoint decides the kind of what a strategic merge patch results in.
function checkConvertible({ kind, apiVersion, metadata }: Record<string, unknown>, shown: () => string): void {
  for (const text of [kind, apiVersion]) {
    if (text !== undefined && text !== null && typeof text !== "string")
      throw invalidPatch(shown(), conversionProblem(text, "string"));
  }
  if (metadata !== undefined && metadata !== null && !isRecord(metadata))
    throw invalidPatch(shown(), conversionProblem(metadata, "v1.ObjectMeta", "struct"));
}

function decodePatched(
  type: ResourceType,
  object: ApiObject,
  {
    unknownFields,
    shown,
    isConverted,
  }: { readonly unknownFields: string[]; readonly shown: () => string; readonly isConverted: boolean },
): ApiObject {
  try {
    return type.strategy().decode(object, { unknownFields, isConverted });
  } catch (error) {
    throw invalidPatch(shown(), decodingProblem(error as Error));
  }
}

// A strategic merge patch is shown itself, as Go prints it; of others the object that they result in.
function quoted(
  { patchType, parsed }: ReadPatch,
  { isCustom }: ResourceType,
  patched: () => Record<string, unknown>,
): string {
  if (patchType === "strategic") return goValue(withoutOrders(parsed()));
  return isCustom ? goJson(patched()) : printPatched(patched(), parsed());
}

const ORDER = "$setElementOrder/";

// While it is applied, upstream removes from a patch the directives, and the lists whose order they state.
function withoutOrders(patch: JSONValue): JSONValue | undefined {
  return unfold(patch, (value) => {
    if (!isJsonObject(value)) return { kind: "value", value };
    const ordered = Object.keys(value).filter((name) => name.startsWith(ORDER));
    const removed = new Set(["$retainKeys", ...ordered, ...ordered.map((name) => name.slice(ORDER.length))]);
    const members = Object.entries(value).filter(([name]) => !removed.has(name));
    return { kind: "object", members, isOptional: false };
  });
}

// Kind and name are empty, as the object could not be made.
function invalidPatch(shown: string, detail: string): Error {
  return invalid({ groupKind: { group: "", kind: "" }, name: "" }, [invalidField("patch", shown, detail)]);
}

/** The ways in which a patch may be written. */
type PatchType = "json" | "merge" | "strategic";

/** The media types of patches. */
const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
};

/** A patch and what it is applied to. */
interface PatchApplication extends Pick<ReadPatch, "patchType" | "text" | "parsed"> {
  /** The kind whose schema says how lists merge. */
  readonly schemaOf: GroupVersionKind & Pick<ResourceType, "release">;
  readonly target: ApiObject;
}

/** The result of a patch, which belongs to the caller. */
interface PatchedValue {
  readonly value: MutableJsonObject;
  /** Paths of fields that the patch states twice. */
  readonly duplicateFields: readonly string[];
  /** Sentences about members of JSON patch operations that mean nothing. */
  readonly strangeMembers: readonly string[];
}

/**
 * Applies a patch to an object.
 *
 * Fails: with 400 when it is no patch, with 422 when it does not fit, with 413 when it is too long.
 */
export function applyPatch(application: PatchApplication): PatchedValue {
  const patch = application.parsed();
  const patched = withStatusErrors(() => applyParsed(application, patch));
  if (!isRecord(patched)) {
    throw unprocessable();
  }
  return {
    value: deepClone(patched),
    duplicateFields: application.patchType === "json" ? [] : duplicateKeys(application.text, patch),
    strangeMembers: application.patchType === "json" ? unknownJsonPatchFields(patch) : [],
  };
}

function applyParsed({ patchType, schemaOf, target }: PatchApplication, patch: JSONValue): JSONValue {
  const document = target as unknown as SchemaJsonObject;
  switch (patchType) {
    case "json":
      return applyJsonPatch(document, patch);
    case "merge":
      return applyJsonMergePatch(document, patch);
    case "strategic":
      return applyStrategicMergePatch(document, patch, builtInJsonSchema(schemaOf.release.api, schemaOf));
  }
}

function withStatusErrors(apply: () => JSONValue): JSONValue {
  try {
    return apply();
  } catch (error) {
    throw asStatusError(error);
  }
}

function asStatusError(error: unknown): unknown {
  if (error instanceof InvalidPatchError || error instanceof JsonDepthError) {
    return badRequest(error.message);
  }
  if (error instanceof PatchTypeError) {
    return plainError(error.message);
  }
  if (error instanceof PatchNotApplicableError) {
    return unprocessable();
  }
  if (error instanceof PatchTooLargeError) {
    return newRequestEntityTooLarge(error.message);
  }
  return error;
}
