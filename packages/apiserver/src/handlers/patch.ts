import { mediaTypeOf } from "../negotiation/content-type.ts";
import { applyPatch, PATCH_TYPES, type PatchType } from "../patching/apply-patch.ts";
import type { ResourceType } from "../registry/resource-type.ts";
import { admissionOptions, parseWriteOptions, type WriteOptions } from "../request/options.ts";
import type { RequestContext } from "../request/request-context.ts";
import { invalid, unsupportedMediaType } from "../response/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { throwNotBuilt } from "../unsupported.ts";
import { asApiObject, reportStrictProblems, strictTexts } from "./decode-object.ts";
import type { HandlerEnvironment } from "./handler-environment.ts";
import { matchName, matchNamespace } from "./object-metadata.ts";
import { writeUpdate } from "./write-update.ts";

interface PatchInput {
  readonly context: RequestContext;
  readonly type: ResourceType;
}

/** A patch that has been read and not applied yet. */
export interface ReadPatch {
  readonly patchType: PatchType;
  readonly text: string;
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
      const object = patchedObject({ input, patch, old, isReported });
      isReported = true;
      return object;
    },
  });
}

/** Reads the patch of a request; fails with 415 when its type is not read, with 501 for apply. */
export async function readPatch({ context, type }: PatchInput): Promise<ReadPatch> {
  const mediaType = mediaTypeOf(context.request.header("content-type"));
  if (mediaType === "application/apply-patch+yaml") {
    throwNotBuilt("server-side-apply");
  }
  const accepted = Object.keys(PATCH_TYPES).filter(
    (name) => PATCH_TYPES[name] !== "strategic" || type.strategy().takesStrategicPatches,
  );
  const patchType = accepted.includes(mediaType) ? PATCH_TYPES[mediaType] : undefined;
  if (patchType === undefined) {
    throw unsupportedMediaType([...accepted, "application/apply-patch+yaml"]);
  }
  context.output();
  const options = parseWriteOptions(context.request.query, "PatchOptions");
  return { patchType, options, text: await context.request.body() };
}

function patchedObject({
  input,
  patch,
  old,
  isReported,
}: {
  readonly input: PatchInput;
  readonly patch: ReadPatch;
  readonly old: ApiObject;
  readonly isReported: boolean;
}): ApiObject {
  const { context, type } = input;
  const { value, duplicateFields, strangeMembers } = applyPatch({ ...patch, schemaOf: type, target: old });
  const unknownFields: string[] = [];
  const object = decodePatched({
    input,
    object: asApiObject(type, checkedTypeMeta(value, old, input)),
    unknownFields,
  });
  if (!isReported) {
    reportStrictProblems({
      problems: [...strangeMembers, ...strictTexts(duplicateFields, unknownFields)],
      options: patch.options,
      context,
      refuse: (texts) => invalidPatch(input, value, `strict decoding error: ${texts}`),
    });
  }
  matchNamespace(object, type, context.info.namespace);
  matchName(object, context.info.name);
  return object;
}

function checkedTypeMeta(value: Record<string, unknown>, old: ApiObject, input: PatchInput): Record<string, unknown> {
  if (value["kind"] !== old.kind) {
    throw invalidPatch(input, value, `kind: Invalid value: ${JSON.stringify(value["kind"])}: must be ${old.kind}`);
  }
  if (value["apiVersion"] !== old.apiVersion) {
    throw invalidPatch(
      input,
      value,
      `apiVersion: Invalid value: ${JSON.stringify(value["apiVersion"])}: must be ${old.apiVersion}`,
    );
  }
  return value;
}

function decodePatched({
  input,
  object,
  unknownFields,
}: {
  readonly input: PatchInput;
  readonly object: ApiObject;
  readonly unknownFields: string[];
}): ApiObject {
  try {
    return input.type.strategy().decode(object, { unknownFields });
  } catch (error) {
    throw invalidPatch(input, object, (error as Error).message);
  }
}

// The kind is empty, as the object could not be made.
function invalidPatch({ context, type }: PatchInput, patched: unknown, detail: string): Error {
  return invalid({ groupKind: { group: type.isCustom ? type.group : "", kind: "" }, name: context.info.name }, [
    { type: "FieldValueInvalid", field: "patch", badValue: JSON.stringify(patched), detail },
  ]);
}
