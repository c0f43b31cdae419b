import { goJson, type JSONValue } from "@kubescaffold/k8s";

import { memberOf, type JsonObject } from "../json/json-value.ts";
import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema } from "../model/json-schema.ts";
import { correlateItem, correlateMember } from "./correlation.ts";
import {
  addFailure,
  brokenRule,
  emptyResult,
  forbiddenMember,
  mergeResult,
  missingMember,
  type SchemaResult,
  tooManyItems,
  tooManyMembers,
} from "./failures.ts";
import { visitRatcheting, type Step } from "./validation-step.ts";

/** Checks the items of a list, then how many there are. */
export function checkList(schema: JsonSchema, list: readonly JSONValue[], step: Step): SchemaResult {
  const result = emptyResult();
  const items = itemsOf(schema);
  if (items !== undefined) {
    list.forEach((item, index) => mergeResult(result, checkItem(items, item, { step, index })));
  }
  if (schema.minItems !== undefined && list.length < schema.minItems) {
    addFailure(result, brokenRule(step.place, list.length, `should have at least ${String(schema.minItems)} items`));
  }
  if (schema.maxItems !== undefined && list.length > schema.maxItems) {
    addFailure(result, tooManyItems(step.place, list.length, schema.maxItems));
  }
  if (schema.uniqueItems === true && hasDuplicates(list)) {
    addFailure(result, brokenRule(step.place, "", "shouldn't contain duplicates"));
  }
  result.matchCount++;
  return result;
}

function checkItem(
  items: JsonSchema,
  item: JSONValue,
  { step, index }: { readonly step: Step; readonly index: number },
): SchemaResult {
  const place = { parent: step.place.parent, name: `${step.place.name}[${String(index)}]` };
  const correlation = correlateItem(step.correlation, index);
  return visitRatcheting(items, item, { ...step, place, correlation });
}

function hasDuplicates(list: readonly JSONValue[]): boolean {
  return new Set(list.map((item) => goJson(item))).size < list.length;
}

/** Checks how many members an object has, then undeclared members, declared ones, and those required. */
export function checkObject(schema: JsonSchema, object: JsonObject, step: Step): SchemaResult {
  const result = emptyResult();
  checkMemberCount(result, schema, { step, count: Object.keys(object).length });
  checkUndeclaredMembers(result, schema, { step, object });
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const value = memberOf(object, name);
    if (value !== undefined) {
      const memberName = step.place.name === "" ? name : `${step.place.name}.${name}`;
      mergeResult(result, checkMember(member, value, { step, name, memberName }));
    }
  }
  for (const name of schema.required ?? []) {
    if (memberOf(object, name) === undefined) {
      addFailure(result, missingMember(step.place, name));
    }
  }
  return result;
}

function checkMemberCount(
  result: SchemaResult,
  schema: JsonSchema,
  { step, count }: { readonly step: Step; readonly count: number },
): void {
  if (schema.minProperties !== undefined && count < schema.minProperties) {
    addFailure(
      result,
      brokenRule(step.place, count, `should have at least ${String(schema.minProperties)} properties`),
    );
  }
  if (schema.maxProperties !== undefined && count > schema.maxProperties) {
    addFailure(result, tooManyMembers(step.place, count, schema.maxProperties));
  }
}

function checkUndeclaredMembers(
  result: SchemaResult,
  schema: JsonSchema,
  { step, object }: { readonly step: Step; readonly object: JsonObject },
): void {
  const additional = additionalSchemaOf(schema);
  if (additional === undefined && schema.additionalProperties !== false) {
    return;
  }
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || propertyOf(schema, name) !== undefined) {
      continue;
    }
    if (additional === undefined) {
      addFailure(result, forbiddenMember(step.place, name));
    } else {
      mergeResult(result, checkMember(additional, value, { step, name, memberName: `${step.place.name}.${name}` }));
    }
  }
}

interface MemberPlace {
  readonly step: Step;
  readonly name: string;
  readonly memberName: string;
}

function checkMember(schema: JsonSchema, value: JSONValue, { step, name, memberName }: MemberPlace): SchemaResult {
  const place = { parent: step.place.parent, name: memberName };
  // The version of an object is converted before it is compared, so its change cannot be seen.
  const isTypeMeta = step.place.name === "" && (name === "kind" || name === "apiVersion");
  const correlation = isTypeMeta ? undefined : correlateMember(step.correlation, name);
  return visitRatcheting(schema, value, { ...step, place, correlation });
}
