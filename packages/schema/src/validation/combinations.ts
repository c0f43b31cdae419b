import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema } from "../json-schema.ts";
import { failedCombination } from "./failures.ts";
import { addFailure, emptyResult, mergeResult, type SchemaResult } from "./schema-result.ts";
import type { Step } from "./validation-step.ts";

/** Checks `anyOf`, `oneOf`, `allOf` and `not`; a failed choice is explained by its most promising branch. */
export function checkCombinations(schema: JsonSchema, value: JSONValue, step: Step): SchemaResult {
  const result = emptyResult();
  checkAnyOf(result, schema.anyOf ?? [], { value, step });
  checkOneOf(result, schema.oneOf ?? [], { value, step });
  checkAllOf(result, schema.allOf ?? [], { value, step });
  if (schema.not !== undefined && isValid(step.visit(schema.not, value, step))) {
    addFailure(result, failedCombination(step.place, "must not validate the schema (not)"));
  }
  result.matchCount++;
  return result;
}

interface Checked {
  readonly value: JSONValue;
  readonly step: Step;
}

function checkAnyOf(result: SchemaResult, branches: readonly JsonSchema[], { value, step }: Checked): void {
  if (branches.length === 0) {
    return;
  }
  let best: SchemaResult | undefined;
  for (const branch of branches) {
    const outcome = step.visit(branch, value, step);
    if (isValid(outcome)) {
      mergeResult(result, outcome);
      return;
    }
    best = betterOf(best, outcome);
  }
  addFailure(result, failedCombination(step.place, "must validate at least one schema (anyOf)"));
  mergeResult(result, best ?? emptyResult());
}

function checkOneOf(result: SchemaResult, branches: readonly JsonSchema[], { value, step }: Checked): void {
  if (branches.length === 0) {
    return;
  }
  const outcomes = branches.map((branch) => step.visit(branch, value, step));
  const valid = outcomes.filter(isValid);
  const [onlyValid] = valid;
  if (valid.length === 1 && onlyValid !== undefined) {
    mergeResult(result, onlyValid);
    return;
  }
  const found = valid.length === 0 ? "Found none valid" : `Found ${String(valid.length)} valid alternatives`;
  addFailure(result, failedCombination(step.place, `must validate one and only one schema (oneOf). ${found}`));
  if (valid.length === 0) {
    mergeResult(result, outcomes.reduce<SchemaResult | undefined>(betterOf, undefined) ?? emptyResult());
  }
}

function checkAllOf(result: SchemaResult, branches: readonly JsonSchema[], { value, step }: Checked): void {
  const outcomes = branches.map((branch) => step.visit(branch, value, step));
  outcomes.forEach((outcome) => mergeResult(result, outcome));
  const validCount = outcomes.filter(isValid).length;
  if (validCount !== branches.length) {
    const remark = validCount === 0 ? ". None validated" : "";
    addFailure(result, failedCombination(step.place, `must validate all the schemas (allOf)${remark}`));
  }
}

function betterOf(best: SchemaResult | undefined, outcome: SchemaResult): SchemaResult {
  return best === undefined || outcome.matchCount > best.matchCount ? outcome : best;
}

function isValid(result: SchemaResult): boolean {
  return result.failures.length === 0;
}
