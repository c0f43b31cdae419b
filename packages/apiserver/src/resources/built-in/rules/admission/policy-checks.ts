import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  qualifiedNameErrors,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { ruleEngine } from "../../../rule-engine.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { duplicateErrors, expressionErrors, matchConditionErrors } from "./match-condition-rules.ts";
import { choiceErrors, matchResourceErrors } from "./match-resource-rules.ts";
import { policyStatusErrors } from "./policy-status-errors.ts";

/** Checks of ValidatingAdmissionPolicies. */
export const policyChecks: BuiltInChecks = {
  validate: (policy, _context, old) => policyErrors(policy, old),
  validateStatus: (policy) => policyStatusErrors(policy),
};

type PolicyCompiler = InstanceType<ReturnType<typeof ruleEngine>["PolicyCompiler"]>;

const FAILURE_POLICIES = ["Fail", "Ignore"] as const;

function policyErrors(policy: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(policy, "spec") ?? {};
  const oldSpec = objectIn(old, "spec");
  const paramKind = objectIn(spec, "paramKind");
  const hasParams = paramKind !== undefined;
  const constraints = objectIn(spec, "matchConstraints");
  const keepsConditions =
    oldSpec !== undefined &&
    deepEqual(spec["paramKind"], oldSpec["paramKind"]) &&
    deepEqual(spec["matchConditions"] ?? [], oldSpec["matchConditions"] ?? []);
  return [
    ...choiceErrors(textIn(spec, "failurePolicy"), FAILURE_POLICIES, "spec.failurePolicy"),
    ...(paramKind === undefined ? [] : paramKindErrors(paramKind)),
    ...constraintErrors(constraints),
    ...(keepsConditions ? [] : matchConditionErrors(spec, { path: "spec", hasParams })),
    ...expressionListErrors(policy, spec, hasParams),
  ];
}

function constraintErrors(constraints: MutableJsonObject | undefined): readonly FieldError[] {
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

const MOST_ANNOTATIONS = 20;
const NOTHING_TO_DO = "validations or auditAnnotations must contain at least one item";

function expressionListErrors(policy: ApiObject, spec: MutableJsonObject, hasParams: boolean): readonly FieldError[] {
  const variables = objectsIn(spec, "variables");
  const validations = objectsIn(spec, "validations");
  const annotations = objectsIn(spec, "auditAnnotations");
  const compiler = new (ruleEngine().PolicyCompiler)({ hasVariables: variables.length > 0 });
  const context = { compiler, hasParams };
  const variableProblems = variables.flatMap((variable, index) =>
    variableErrors(variable, `spec.variables[${String(index)}]`, context),
  );
  if (validations.length === 0 && annotations.length === 0) {
    return [
      ...variableProblems,
      requiredField("spec.validations", NOTHING_TO_DO),
      requiredField("spec.auditAnnotations", NOTHING_TO_DO),
    ];
  }
  const keys = annotations.map((annotation) => textIn(annotation, "key"));
  return [
    ...variableProblems,
    ...validations.flatMap((validation, index) =>
      validationErrors(validation, `spec.validations[${String(index)}]`, context),
    ),
    ...(annotations.length > MOST_ANNOTATIONS ? [tooManyAnnotations(annotations)] : []),
    ...annotations.flatMap((annotation, index) => {
      const path = `spec.auditAnnotations[${String(index)}]`;
      const { name = "" } = policy.metadata;
      return [...annotationErrors(annotation, { path, name, context }), ...duplicateErrors(keys, index, `${path}.key`)];
    }),
  ];
}

// Upstream prints annotations with Go's names.
function tooManyAnnotations(annotations: readonly MutableJsonObject[]): FieldError {
  const shown = annotations.map((each) => ({
    Key: textIn(each, "key"),
    ValueExpression: textIn(each, "valueExpression"),
  }));
  const detail = `must not have more than ${String(MOST_ANNOTATIONS)} auditAnnotations`;
  return invalidField("spec.auditAnnotations", shown, detail);
}

interface ExpressionContext {
  readonly compiler: PolicyCompiler;
  readonly hasParams: boolean;
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED: ReadonlySet<string> = new Set([
  "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
  "package", "namespace", "return", "var", "void", "while",
]); // prettier-ignore

function variableErrors(
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

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"] as const;

function validationErrors(
  validation: MutableJsonObject,
  path: string,
  { compiler, hasParams }: ExpressionContext,
): readonly FieldError[] {
  const expression = textIn(validation, "expression");
  const messageExpression = textIn(validation, "messageExpression");
  const reason = validation["reason"];
  return [
    ...(expression.trim() === ""
      ? [requiredField(`${path}.expression`, "expression is not specified")]
      : expressionErrors(
          compiler.compile(expression, { hasParams, hasAuthorizer: true }, ["bool"]),
          `${path}.expression`,
        )),
    ...(messageExpression !== "" && messageExpression.trim() === ""
      ? [invalidField(`${path}.messageExpression`, messageExpression, "must be non-empty if specified")]
      : []),
    ...(messageExpression.trim() === ""
      ? []
      : expressionErrors(
          compiler.compile(messageExpression, { hasParams, hasAuthorizer: false }, ["string"]),
          `${path}.messageExpression`,
        )),
    ...messageErrors(textIn(validation, "message"), `${path}.message`),
    ...(typeof reason !== "string" || (REASONS as readonly string[]).includes(reason)
      ? []
      : [unsupportedField(`${path}.reason`, reason, REASONS)]),
  ];
}

function messageErrors(message: string, path: string): readonly FieldError[] {
  const trimmed = message.trim();
  if (message !== "" && trimmed === "") return [invalidField(path, message, "must be non-empty if specified")];
  return /[\n\r]/.test(trimmed) ? [invalidField(path, message, "must not contain line breaks")] : [];
}

const LONGEST_VALUE_EXPRESSION = 5 * 1024;

function annotationErrors(
  annotation: MutableJsonObject,
  { path, name, context }: { readonly path: string; readonly name: string; readonly context: ExpressionContext },
): readonly FieldError[] {
  const key = textIn(annotation, "key");
  const written = textIn(annotation, "valueExpression");
  const qualified = `${name}/${key}`;
  return [
    ...(name === ""
      ? [invalidField(`${path}.key`, key, "requires metadata.name be non-empty")]
      : qualifiedNameErrors(qualified).map((problem) => invalidField(`${path}.key`, qualified, problem))),
    ...valueErrors(written, `${path}.valueExpression`, context),
  ];
}

function valueErrors(written: string, path: string, { compiler, hasParams }: ExpressionContext): readonly FieldError[] {
  const expression = written.trim();
  if (expression === "") return [requiredField(path, "valueExpression is not specified")];
  if (Buffer.byteLength(expression) > LONGEST_VALUE_EXPRESSION) {
    return [requiredField(path, `must not exceed ${String(LONGEST_VALUE_EXPRESSION)} bytes in length`)];
  }
  const compiled = compiler.compile(expression, { hasParams, hasAuthorizer: true }, ["string", "null_type"]);
  return expressionErrors(compiled, path, written);
}
