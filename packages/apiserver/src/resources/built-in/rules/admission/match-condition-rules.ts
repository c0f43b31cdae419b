import {
  duplicateField,
  type FieldError,
  internalFieldError,
  invalidField,
  qualifiedNameErrors,
  requiredField,
  tooManyField,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectsIn, textIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { ruleEngine } from "../../../rule-engine.ts";

const MOST_CONDITIONS = 64;

/** Returns what is wrong with the match conditions of a webhook or policy, which have parameters if its policy has. */
export function matchConditionErrors(
  owner: MutableJsonObject | undefined,
  { path, hasParams }: { readonly path: string; readonly hasParams: boolean },
): readonly FieldError[] {
  const conditions = objectsIn(owner, "matchConditions");
  const duplicateErrors = duplicatesIn(conditions.map((condition) => textIn(condition, "name")));
  const at = `${path}.matchConditions`;
  return [
    ...(conditions.length > MOST_CONDITIONS ? [tooManyField(at, conditions.length, MOST_CONDITIONS)] : []),
    ...conditions.flatMap((condition, index) => [
      ...conditionErrors(condition, `${at}[${String(index)}]`, hasParams),
      ...duplicateErrors(index, `${at}[${String(index)}].name`),
    ]),
  ];
}

function conditionErrors(condition: MutableJsonObject, path: string, hasParams: boolean): readonly FieldError[] {
  const expression = textIn(condition, "expression").trim();
  const name = textIn(condition, "name");
  return [
    ...(expression === "" ? [requiredField(`${path}.expression`)] : []),
    ...(expression === "" ? [] : compileErrors(expression, `${path}.expression`, hasParams)),
    ...(name === "" ? [requiredField(`${path}.name`)] : []),
    ...(name === "" ? [] : qualifiedNameErrors(name).map((problem) => invalidField(`${path}.name`, name, problem))),
  ];
}

function compileErrors(expression: string, path: string, hasParams: boolean): readonly FieldError[] {
  const compiler = new (ruleEngine().PolicyCompiler)({ hasVariables: false });
  return expressionErrors(compiler.compile(expression, { hasParams, hasAuthorizer: true }, ["bool"]), path);
}

/** Returns the error of an expression that is rejected; `value` is the text that the error shows. */
export function expressionErrors(
  expression: ReturnType<InstanceType<typeof import("@kubescaffold/schema/cel").PolicyCompiler>["compile"]>,
  path: string,
  value: string = expression.text,
): readonly FieldError[] {
  if (expression.kind === "compiled") return [];
  return [
    expression.isInternal ? internalFieldError(path, expression.detail) : invalidField(path, value, expression.detail),
  ];
}

/** Returns a function that returns an error for the index of a text that the list contains before. */
export function duplicatesIn(texts: readonly string[]): (index: number, path: string) => readonly FieldError[] {
  const repeated = repeatedIndexes(texts);
  return (index, path) => {
    const text = texts[index] ?? "";
    return text !== "" && repeated.has(index) ? [duplicateField(path, text)] : [];
  };
}
