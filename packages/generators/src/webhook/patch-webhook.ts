import { isRecord } from "@kubescaffold/platform";

import type { FieldShape } from "./webhook-fields.ts";

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The patched webhook, or the reason why the patch cannot be applied. */
export type PatchOutcome =
  | { readonly kind: "patched"; readonly value: Json }
  | { readonly kind: "problem"; readonly message: string };

/**
 * Applies a strategic merge patch to a webhook: objects merge, null removes a field, lists are replaced,
 * except that match conditions merge by name. A patch that is null changes nothing.
 */
export function patchWebhook(webhook: Json, patchText: string, shape: FieldShape): PatchOutcome {
  const parsed = parseJson(patchText);
  // In place of the object, null leaves everything as it is.
  const patch = parsed === null ? {} : parsed;
  if (patch === undefined) return { kind: "problem", message: "is not valid JSON" };
  if (!isRecord(patch)) return { kind: "problem", message: "is not a JSON object" };
  const problem = checkValue(patch, shape, "");
  return problem === undefined
    ? { kind: "patched", value: mergeValue(webhook, patch, shape) }
    : { kind: "problem", message: problem };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function checkValue(value: Json, shape: FieldShape, path: string): string | undefined {
  if (value === null) return undefined;
  switch (shape.kind) {
    case "text":
      return typeof value === "string" ? undefined : `expects a string at ${path}`;
    case "bytes":
      return typeof value === "string" && BASE64.test(value.replaceAll(LINE_BREAKS, ""))
        ? undefined
        : `expects a base64 string at ${path}`;
    case "integer":
      return Number.isInteger(value) ? undefined : `expects an integer at ${path}`;
    case "texts":
      return Array.isArray(value) && value.every((each) => typeof each === "string")
        ? undefined
        : `expects a list of strings at ${path}`;
    case "map":
      return isRecord(value) && Object.values(value).every((each) => each === null || typeof each === "string")
        ? undefined
        : `expects a map of strings at ${path}`;
    case "object":
      return isRecord(value) ? checkFields(value, shape.fields, path) : `expects an object at ${path}`;
    default:
      return Array.isArray(value) ? checkItems(value, shape.fields, path) : `expects a list at ${path}`;
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;
const LINE_BREAKS = /[\r\n]/gu;

function checkFields(
  value: Readonly<Record<string, Json>>,
  fields: Readonly<Record<string, FieldShape>>,
  path: string,
): string | undefined {
  for (const [name, each] of Object.entries(value)) {
    const place = path === "" ? name : `${path}.${name}`;
    if (name === "$patch" && (each === "replace" || each === "delete")) continue;
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const problem = shape === undefined ? `names the unknown field ${place}` : checkValue(each, shape, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkItems(
  items: readonly Json[],
  fields: Readonly<Record<string, FieldShape>>,
  path: string,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = isRecord(item)
      ? checkFields(item, fields, `${path}[${index}]`)
      : `expects objects in the list at ${path}`;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mergeValue(target: Json | undefined, patch: Json, shape: FieldShape): Json {
  if (shape.kind === "objects" && shape.mergeKey !== undefined && Array.isArray(patch)) {
    return mergeItems(Array.isArray(target) ? target : [], patch, shape.mergeKey);
  }
  // Go decodes the bytes and encodes them again.
  if (shape.kind === "bytes" && typeof patch === "string") return Buffer.from(patch, "base64").toString("base64");
  if (!isRecord(patch) || (shape.kind !== "object" && shape.kind !== "map")) return patch;
  const { $patch: directive, ...fields } = patch;
  if (directive === "delete") return {};
  const merged: Record<string, Json> = isRecord(target) && directive !== "replace" ? { ...target } : {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete merged[name];
    else merged[name] = mergeValue(merged[name], value, shapeOf(shape, name));
  }
  return merged;
}

function shapeOf(shape: FieldShape, name: string): FieldShape {
  return (shape.kind === "object" ? shape.fields[name] : undefined) ?? { kind: "text" };
}

function mergeItems(target: readonly Json[], patch: readonly Json[], mergeKey: string): readonly Json[] {
  const merged = [...target];
  for (const item of patch) {
    if (!isRecord(item)) continue;
    const { $patch: directive, ...fields } = item;
    const index = merged.findIndex((each) => isRecord(each) && each[mergeKey] === fields[mergeKey]);
    const known = merged[index];
    if (directive === "delete") merged.splice(index === -1 ? merged.length : index, 1);
    else if (known !== undefined && isRecord(known)) merged[index] = { ...known, ...fields };
    else merged.push(fields);
  }
  return merged;
}
