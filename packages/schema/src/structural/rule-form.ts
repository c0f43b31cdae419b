import { type FieldError, invalidField, requiredField, unsupportedField } from "@kubescaffold/k8s";

import { childPath, keyPath } from "../model/field-path.ts";
import type { JsonSchema, ValidationRule } from "../model/json-schema.ts";
import { readRuleFieldPath } from "./rule-field-path.ts";

const RULES = "x-kubernetes-validations";
const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Returns where a rule stands in a schema. */
export function rulePath(schemaPath: string, index: number): string {
  return keyPath(childPath(schemaPath, RULES), index);
}

/** Checks the rules of one schema as far as that needs no understanding of CEL, with upstream's messages. */
export function checkRuleForm(schema: JsonSchema, path: string): readonly FieldError[] {
  return (schema[RULES] ?? []).flatMap((rule, index) => {
    const at = rulePath(path, index);
    return [
      ...checkRuleAndMessage(rule, at),
      ...checkMessageExpression(rule, at),
      ...checkReason(rule, at),
      ...checkFieldPath(rule, schema, at),
    ];
  });
}

function checkRuleAndMessage({ rule, message = "" }: ValidationRule, at: string): readonly FieldError[] {
  if (rule.trim() === "") {
    return [requiredField(childPath(at, "rule"), "rule is not specified")];
  }
  const shown = message.trim();
  if (message !== "" && shown === "") {
    return [invalidField(childPath(at, "message"), message, "must be non-empty if specified")];
  }
  if (hasLineBreaks(shown)) {
    return [invalidField(childPath(at, "message"), message, "must not contain line breaks")];
  }
  return hasLineBreaks(rule.trim()) && shown === ""
    ? [requiredField(childPath(at, "message"), "message must be specified if rule contains line breaks")]
    : [];
}

function checkMessageExpression({ messageExpression = "" }: ValidationRule, at: string): readonly FieldError[] {
  return messageExpression !== "" && messageExpression.trim() === ""
    ? [requiredField(childPath(at, "messageExpression"), "messageExpression must be non-empty if specified")]
    : [];
}

function checkReason({ reason }: ValidationRule, at: string): readonly FieldError[] {
  return reason === undefined || reason === null || REASONS.includes(reason)
    ? []
    : [unsupportedField(childPath(at, "reason"), reason, REASONS)];
}

function checkFieldPath({ fieldPath = "" }: ValidationRule, schema: JsonSchema, at: string): readonly FieldError[] {
  const path = childPath(at, "fieldPath");
  if (fieldPath === "") {
    return [];
  }
  return [
    ...(fieldPath.trim() === "" ? [invalidField(path, fieldPath, "must be non-empty if specified")] : []),
    ...(hasLineBreaks(fieldPath) ? [invalidField(path, fieldPath, "must not contain line breaks")] : []),
    ...(readRuleFieldPath(fieldPath, schema) === undefined
      ? [invalidField(path, fieldPath, "must be a valid path")]
      : []),
  ];
}

function hasLineBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}
