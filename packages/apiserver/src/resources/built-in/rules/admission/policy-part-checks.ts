import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import type { ruleEngine } from "../../../rule-engine.ts";
import { expressionErrors, matchConditionErrors } from "./match-condition-rules.ts";
import { choiceErrors, matchResourceErrors } from "./match-resource-rules.ts";

// The compiler of the expressions of a policy.
type PolicyCompiler = InstanceType<ReturnType<typeof ruleEngine>["PolicyCompiler"]>;

const FAILURE_POLICIES = ["Fail", "Ignore"] as const;

/** Returns what is wrong with the failure policy and the kind of parameters of a policy. */
export function policyHeadErrors(spec: MutableJsonObject): readonly FieldError[] {
  const paramKind = objectIn(spec, "paramKind");
  return [
    ...choiceErrors(textIn(spec, "failurePolicy"), FAILURE_POLICIES, "spec.failurePolicy"),
    ...(paramKind === undefined ? [] : paramKindErrors(paramKind)),
  ];
}

/** Returns what is wrong with the match conditions of a policy; those that an update keeps are not checked. */
export function policyConditionErrors(
  spec: MutableJsonObject,
  oldSpec: MutableJsonObject | undefined,
): readonly FieldError[] {
  const keepsConditions =
    oldSpec !== undefined &&
    deepEqual(spec["paramKind"], oldSpec["paramKind"]) &&
    deepEqual(spec["matchConditions"] ?? [], oldSpec["matchConditions"] ?? []);
  const hasParams = objectIn(spec, "paramKind") !== undefined;
  return keepsConditions ? [] : matchConditionErrors(spec, { path: "spec", hasParams });
}

/** Returns what is wrong with the match constraints of a policy. */
export function constraintErrors(constraints: MutableJsonObject | undefined): readonly FieldError[] {
  if (constraints === undefined) return [requiredField("spec.matchConstraints")];
  return [
    ...matchResourceErrors(constraints, "spec.matchConstraints"),
    ...(objectsIn(constraints, "resourceRules").length === 0
      ? [requiredField("spec.matchConstraints.resourceRules")]
      : []),
  ];
}

function paramKindErrors(paramKind: MutableJsonObject): readonly FieldError[] {
  const kind = textIn(paramKind, "kind");
  return [
    ...apiVersionErrors(textIn(paramKind, "apiVersion"), "spec.paramKind.apiVersion"),
    ...(kind === "" ? [requiredField("spec.paramKind.kind")] : []),
    ...(kind === ""
      ? []
      : joinedErrors("spec.paramKind.kind", kind, dns1035LabelErrors(kind.toLowerCase()), KIND_HINT)),
  ];
}

const KIND_HINT = "may have mixed case, but should otherwise match: ";

function joinedErrors(path: string, value: string, problems: readonly string[], hint = ""): readonly FieldError[] {
  return problems.length === 0 ? [] : [invalidField(path, value, `${hint}${problems.join(",")}`)];
}

function apiVersionErrors(apiVersion: string, path: string): readonly FieldError[] {
  if (apiVersion === "") return [requiredField(path)];
  const parts = apiVersion === "/" ? ["", ""] : apiVersion.split("/");
  if (parts.length > 2) return [invalidField(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const version = parts.at(-1) ?? "";
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  return [
    ...(group === "" ? [] : joinedErrors(path, group, dns1123SubdomainErrors(group))),
    ...(version === "" ? [invalidField(path, apiVersion, "version must be specified")] : []),
    ...(version === "" ? [] : joinedErrors(path, version, dns1035LabelErrors(version))),
  ];
}

/** The compiler of the expressions of a policy, and whether it has parameters. */
export interface ExpressionContext {
  readonly compiler: PolicyCompiler;
  readonly hasParams: boolean;
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED: ReadonlySet<string> = new Set([
  "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
  "package", "namespace", "return", "var", "void", "while",
]); // prettier-ignore

/** Returns what is wrong with a variable, which is declared for the expressions that follow. */
export function variableErrors(
  variable: MutableJsonObject,
  path: string,
  { compiler, hasParams }: ExpressionContext,
): readonly FieldError[] {
  const name = textIn(variable, "name");
  const expression = textIn(variable, "expression");
  const isIdentifier = IDENTIFIER.test(name) && !RESERVED.has(name);
  return [
    ...(name.trim() === "" ? [requiredField(`${path}.name`, "name is not specified")] : []),
    ...(name.trim() === "" || isIdentifier
      ? []
      : [invalidField(`${path}.name`, name, "must be a valid CEL identifier")]),
    ...(expression.trim() === ""
      ? [requiredField(`${path}.expression`, "expression is not specified")]
      : expressionErrors(compiler.declare(name, expression, { hasParams, hasAuthorizer: true }), `${path}.expression`)),
  ];
}
