import type { GroupVersionKind, JSONValue } from "@kubescaffold/k8s";
import {
  applyJsonMergePatch,
  applyJsonPatch,
  applyStrategicMergePatch,
  InvalidPatchError,
  PatchNotApplicableError,
  PatchTooLargeError,
  PatchTypeError,
  unknownJsonPatchFields,
  type JsonObject as SchemaJsonObject,
} from "@kubescaffold/schema";

import { duplicateKeys } from "../request/duplicate-keys.ts";
import { badRequest, failure, plainError, unprocessable } from "../request/failures.ts";
import { jsonProblem } from "../request/json-problem.ts";
import { isJsonObject, type MutableJsonObject } from "../request/json.ts";
import { builtInJsonSchema } from "../resources/built-in/built-in-json-schema.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { deepClone } from "../storage/deep-clone.ts";

/** The ways in which a patch may be written. */
export type PatchType = "json" | "merge" | "strategic";

/** The media types of patches. */
export const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
};

/** A patch and what it is applied to. */
export interface PatchApplication {
  readonly patchType: PatchType;
  readonly text: string;
  /** The kind whose schema says how lists merge. */
  readonly schemaOf: GroupVersionKind;
  readonly target: ApiObject;
}

/** The result of a patch, which belongs to the caller. */
export interface PatchedValue {
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
  const patch = parsePatch(application.text);
  const patched = withStatusErrors(() => applyParsed(application, patch));
  if (!isJsonObject(patched)) {
    throw unprocessable();
  }
  return {
    value: deepClone(patched),
    duplicateFields: application.patchType === "json" ? [] : duplicateKeys(application.text, patch),
    strangeMembers: application.patchType === "json" ? unknownJsonPatchFields(patch) : [],
  };
}

function parsePatch(text: string): JSONValue {
  try {
    return JSON.parse(text) as JSONValue;
  } catch (error) {
    throw badRequest(`error decoding patch: ${jsonProblem(text, error)}`);
  }
}

function applyParsed({ patchType, schemaOf, target }: PatchApplication, patch: JSONValue): JSONValue {
  const document = target as unknown as SchemaJsonObject;
  switch (patchType) {
    case "json":
      return applyJsonPatch(document, patch);
    case "merge":
      return applyJsonMergePatch(document, patch);
    case "strategic":
      return applyStrategicMergePatch(document, patch, builtInJsonSchema(schemaOf));
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
  if (error instanceof InvalidPatchError) {
    return badRequest(error.message);
  }
  if (error instanceof PatchTypeError) {
    return plainError(error.message);
  }
  if (error instanceof PatchNotApplicableError) {
    return unprocessable();
  }
  if (error instanceof PatchTooLargeError) {
    return failure({ code: 413, reason: "RequestEntityTooLarge", message: error.message });
  }
  return error;
}
