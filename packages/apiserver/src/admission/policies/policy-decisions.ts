import type { ValidatingAdmissionPolicy, Validation } from "@kubescaffold/k8s/admissionregistration/v1";
import { evaluatePolicy, POLICY_BUDGET, type PolicyEvaluation, type PolicyValue } from "@kubescaffold/schema/cel";

import { evaluationTurns } from "../../resources/rule-engine.ts";
import type { ExpressionValues } from "./expression-input.ts";
import { evaluateConditions } from "./match-conditions.ts";
import type { PolicyProgram } from "./policy-program.ts";

/** One reason to deny a write. */
export interface PolicyDenial {
  readonly message: string;
  /** Absent for errors. */
  readonly reason?: string;
  /** Whether the binding's actions apply; errors of audit annotations deny regardless. */
  readonly obeysActions: boolean;
  /** The position of the validation. */
  readonly index: number;
}

/** The outcome of a policy. */
export interface PolicyOutcome {
  readonly denials: readonly PolicyDenial[];
  /** The values of audit annotations by their key. */
  readonly annotations: readonly (readonly [string, string])[];
}

/** Evaluates a policy for one write and parameter. */
export async function policyOutcome(
  { spec = {} }: ValidatingAdmissionPolicy,
  program: PolicyProgram,
  values: ExpressionValues,
): Promise<PolicyOutcome> {
  const isStrict = spec.failurePolicy !== "Ignore";
  const onError = (message: string, index: number = 0): readonly PolicyDenial[] =>
    isStrict ? [{ message, obeysActions: true, index }] : [];
  const failed = (message: string): PolicyOutcome => ({ denials: onError(message), annotations: [] });
  const turns = evaluationTurns();
  const options = program.variables === undefined ? { turns } : { turns, variables: program.variables };
  const conditions = await evaluateConditions(program.conditions, values, program.variables);
  if (conditions.kind === "failed") return failed(conditions.message);
  if (conditions.kind === "unmet") return { denials: [], annotations: [] };
  const results = await evaluatePolicy(program.validations, values, { ...options, budget: POLICY_BUDGET });
  if (results.kind === "exhausted") return failed(results.message);
  const withoutAuthorizer = new Map([...values].filter(([name]) => !name.startsWith("authorizer")));
  const messages = await evaluatePolicy(program.messages, withoutAuthorizer, {
    ...options,
    budget: results.remaining,
  });
  const annotations = await evaluatePolicy(program.annotations, withoutAuthorizer, {
    ...options,
    budget: POLICY_BUDGET,
  });
  if (annotations.kind === "exhausted") return failed(annotations.message);
  const denials = [
    ...(spec.validations ?? []).flatMap((validation, index) =>
      validationDenials(validation, { index, result: results.values[index], messages, onError }),
    ),
    ...annotations.values.flatMap((value) =>
      value.kind === "error" && isStrict ? [{ message: value.message, obeysActions: false, index: 0 }] : [],
    ),
  ];
  return {
    denials,
    annotations: (spec.auditAnnotations ?? []).flatMap(({ key }, index) => annotation(key, annotations.values[index])),
  };
}

// Null and empty texts are no annotations.
function annotation(key: string, value: PolicyValue | undefined): readonly (readonly [string, string])[] {
  const text = value?.kind === "value" && typeof value.value === "string" ? value.value.trim() : "";
  return text === "" ? [] : [[key, text]];
}

interface ValidationResult {
  readonly index: number;
  readonly result: PolicyValue | undefined;
  readonly messages: PolicyEvaluation;
  readonly onError: (message: string, index: number) => readonly PolicyDenial[];
}

function validationDenials(
  validation: Validation,
  { index, result, messages, onError }: ValidationResult,
): readonly PolicyDenial[] {
  if (result?.kind === "error") return onError(result.message, index);
  // Where messages are too expensive, even what holds is refused.
  if (messages.kind === "exhausted") return onError(`failed messageExpression: ${messages.message}`, index);
  if (result?.kind === "value" && result.value === true) return [];
  const message = denialMessage(validation, messages.values[index]);
  return [{ message, reason: validation.reason ?? "Invalid", obeysActions: true, index }];
}

const LONGEST_MESSAGE_BYTES = 5 * 1024;

function denialMessage({ expression, message = "" }: Validation, evaluated: PolicyValue | undefined): string {
  const text = evaluated?.kind === "value" && typeof evaluated.value === "string" ? evaluated.value.trim() : "";
  const isUsable = text !== "" && !text.includes("\n") && Buffer.byteLength(text) <= LONGEST_MESSAGE_BYTES;
  if (isUsable) return text;
  return message.trim() === "" ? `failed expression: ${expression.trim()}` : message.trim();
}
