import { type FieldError, invalidField } from "@kubescaffold/k8s";

import { childPath } from "../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";
import { isSet } from "./set-values.ts";

// The keywords that may stand at the root, by the names that upstream's message gives them.
const ALLOWED = new Map([
  ["description", "Description"],
  ["type", "Type"],
  ["format", "Format"],
  ["title", "Title"],
  ["maximum", "Maximum"],
  ["exclusiveMaximum", "ExclusiveMaximum"],
  ["minimum", "Minimum"],
  ["exclusiveMinimum", "ExclusiveMinimum"],
  ["maxLength", "MaxLength"],
  ["minLength", "MinLength"],
  ["pattern", "Pattern"],
  ["maxItems", "MaxItems"],
  ["minItems", "MinItems"],
  ["uniqueItems", "UniqueItems"],
  ["multipleOf", "MultipleOf"],
  ["required", "Required"],
  ["items", "Items"],
  ["properties", "Properties"],
  ["externalDocs", "ExternalDocs"],
  ["example", "Example"],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"],
  ["x-kubernetes-validations", "XValidations"],
]);

/** Checks the root of a schema with the status subresource, whose objects are validated by `properties.status` alone. */
export function checkStatusRoot(schema: JsonSchema, path: string): readonly FieldError[] {
  const type = schema.type ?? "";
  if (type !== "" && type !== "object") {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidField(childPath(path, "type"), type, detail)];
  }
  const isOffending = Object.entries(schema).some(([name, value]) => isStated(name, value) && !ALLOWED.has(name));
  const names = [...ALLOWED.values()].join(" ");
  const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return isOffending ? [invalidField(path, schema, detail)] : [];
}

// These are pointers upstream, so that even their empty values count as stated.
function isStated(name: string, value: unknown): boolean {
  return name === "default" || name === "additionalProperties" || name === "not" ? value !== undefined : isSet(value);
}
