import { goJson, goQuote, invalidField } from "@kubescaffold/k8s";

import { mediaTypeOf } from "../request/content-type.ts";
import { invalid, unroutableMediaType, unsupportedMediaType } from "../request/failures.ts";
import { admissionOptions, parseWriteOptions, type WriteOptions } from "../request/options.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { applyPatch, PATCH_TYPES, type PatchType } from "./apply-patch.ts";
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

const APPLY = "application/apply-patch+yaml";

/** Says whether a patch is a server-side apply. */
export function isApply(context: RequestContext): boolean {
  return mediaTypeOf(context.request.header("content-type")) === APPLY;
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

/** Reads the patch of a request; fails with 415 when its type is not read. */
export async function readPatch({ context, type }: PatchInput): Promise<ReadPatch> {
  const mediaType = mediaTypeOf(context.request.header("content-type"));
  const accepted = Object.keys(PATCH_TYPES).filter(
    (name) => PATCH_TYPES[name] !== "strategic" || type.strategy().takesStrategicPatches,
  );
  const patchType = accepted.includes(mediaType) ? PATCH_TYPES[mediaType] : undefined;
  if (patchType === undefined) {
    throw type.isCustom ? unsupportedMediaType([...accepted, APPLY]) : unroutableMediaType();
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
      refuse: (texts) => invalidPatch(value, `strict decoding error: ${texts}`),
    });
  }
  matchNamespace(object, type, context.info.namespace);
  matchName(object, context.info.name);
  return object;
}

function checkedTypeMeta(
  value: Record<string, unknown>,
  old: ApiObject,
  { type, context }: PatchInput,
): Record<string, unknown> {
  const { kind, apiVersion } = value;
  if (kind === old.kind && apiVersion === old.apiVersion) {
    return value;
  }
  if (!type.isCustom) {
    throw invalidPatch(
      value,
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
    // The reason stands behind the sentence that names the kind.
    throw invalidPatch(object, (error as Error).message.replace(/^.*? cannot be handled as a \w+: /, ""));
  }
}

// Kind and name are empty, as the object could not be made.
function invalidPatch(patched: unknown, detail: string): Error {
  return invalid({ groupKind: { group: "", kind: "" }, name: "" }, [invalidField("patch", goJson(patched), detail)]);
}
