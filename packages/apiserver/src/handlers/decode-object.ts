import { apiVersionOf, goQuote, goUnmarshalError, invalidField, type GroupVersionKind } from "@kubescaffold/k8s";
import { definitionNameOf } from "@kubescaffold/k8s/tables";

import { decodeBody, statedGvk, type DecodedBody } from "../request/decode-body.ts";
import { keyOrder } from "../request/duplicate-keys.ts";
import { badRequest, invalid } from "../request/failures.ts";
import { isJsonObject } from "../request/json.ts";
import type { WriteOptions } from "../request/options.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Reads the body of a create or update as an object of the resource, which then belongs to the request. */
export async function decodeObject(
  context: RequestContext,
  { type, options }: { readonly type: ResourceType; readonly options: WriteOptions },
): Promise<ApiObject> {
  const body = await decodeBody(context.request, type.kind);
  checkGvk(type, body);
  const problems: string[] = [];
  const object = type.strategy().decode(asApiObject(type, body.value), { unknownFields: problems });
  reportStrictProblems({
    problems: type.isCustom ? strictTexts(body.duplicateFields, problems) : textsInOrder(body, problems),
    options,
    context,
    refuse: (texts) =>
      badRequest(
        `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: strict decoding error: ${texts}`,
      ),
  });
  return object;
}

/** Returns the sentences about fields stated twice and fields that the kind does not have. */
export function strictTexts(duplicates: readonly string[], unknownFields: readonly string[]): readonly string[] {
  return [
    ...duplicates.map((path) => `duplicate field ${goQuote(path)}`),
    ...unknownFields.map((path) => `unknown field ${goQuote(path)}`),
  ];
}

// Built-in kinds report in the order of the text.
function textsInOrder({ duplicateFields, text }: DecodedBody, unknownFields: readonly string[]): readonly string[] {
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
  context.warnings.push(...problems);
}

/** Turns a decoded JSON object into an object of a kind: `kind` and `apiVersion` first, with metadata. */
export function asApiObject(type: ResourceType, value: Record<string, unknown>): ApiObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = value;
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) {
    throw badRequest(
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${goUnmarshalError(metadata, "v1.ObjectMeta", `struct field ${type.kind}.metadata`)}`,
    );
  }
  return { kind: type.kind, apiVersion: apiVersionOf(type), metadata: metadata ?? {}, ...rest };
}

function checkGvk(type: ResourceType, body: DecodedBody): void {
  const { kind, apiVersion } = body.value;
  // What a body does not state is what the URL means, for built-in kinds alone.
  const isSilent = !type.isCustom && (kind ?? "") === "" && (apiVersion ?? "") === "";
  if (!isSilent) {
    checkStatedGvk(type, body);
  }
}

function checkStatedGvk(type: ResourceType, body: DecodedBody): void {
  const stated = statedGvk(body, type.kind);
  const given = apiVersionOf(stated);
  const expected = apiVersionOf(type);
  if (!type.isCustom && (stated.kind !== type.kind || given !== expected) && definitionNameOf(stated) === undefined) {
    throw badRequest(
      `${stated.kind} in version ${goQuote(stated.version)} cannot be handled as a ${type.kind}: no kind ${goQuote(stated.kind)} is registered for version ${goQuote(given)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (given !== expected) {
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
  }
  if (stated.kind !== type.kind) {
    throw wrongKind(type, stated, body);
  }
}

function wrongKind(type: ResourceType, stated: GroupVersionKind, body: DecodedBody): Error {
  if (!type.isCustom) {
    return badRequest(
      `${stated.kind} in version ${goQuote(stated.version)} cannot be handled as a ${type.kind}: converting (${stated.version}.${stated.kind}) to (${type.kind}): unknown conversion`,
    );
  }
  const { metadata } = body.value;
  const name = isJsonObject(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
  return invalid({ groupKind: { group: type.group, kind: stated.kind }, name }, [
    invalidField("kind", stated.kind, `must be ${type.kind}`),
  ]);
}
