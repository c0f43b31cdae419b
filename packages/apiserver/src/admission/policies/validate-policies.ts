import { StatusError } from "@kubescaffold/k8s";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@kubescaffold/k8s/admissionregistration/v1";

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden } from "../../request/failures.ts";
import type { ServedResource } from "../../resources/registry.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { RuleMatch } from "../rule-matching.ts";
import { versionedAttributes } from "../versioned-attributes.ts";
import { Decisions } from "./authority.ts";
import { expressionValues } from "./expression-input.ts";
import { type PolicyDenial, policyOutcome } from "./policy-decisions.ts";
import { matchResources, namespaceOf, policiesInUse } from "./policy-matching.ts";
import { collectParams, paramResource, PolicyConfigurationError, usable } from "./policy-params.ts";
import { policyProgram } from "./policy-program.ts";
import { VALIDATING_BINDINGS, VALIDATING_POLICIES } from "./policy-resources.ts";

/**
 * Evaluates all policies with bindings for a write, in the order of their names.
 *
 * Fails: with the first denial, in the status of its reason.
 */
export async function validatePolicies(context: ServerContext, attributes: AdmissionAttributes): Promise<void> {
  const decisions = new Decisions(context);
  const denials: NamedDenial[] = [];
  const storage = { policies: VALIDATING_POLICIES, bindings: VALIDATING_BINDINGS };
  const inUse = policiesInUse<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>(context, storage);
  for (const [policy, bindings] of inUse) {
    const annotations = new Map<string, Set<string>>();
    denials.push(...(await denialsOf({ context, attributes, decisions, policy, annotations }, bindings)));
    for (const [key, values] of annotations) {
      attributes.annotate(`${policy.metadata.name ?? ""}/${key}`, () => [...values].join(", "));
    }
  }
  const [first] = denials;
  if (first !== undefined) throw denialStatus(attributes, first);
}

interface Evaluation {
  readonly context: ServerContext;
  readonly attributes: AdmissionAttributes;
  readonly decisions: Decisions;
  readonly policy: ValidatingAdmissionPolicy;
  /** Distinct values of audit annotations. */
  readonly annotations: Map<string, Set<string>>;
}

interface NamedDenial extends PolicyDenial {
  readonly policy: string;
  /** Absent where the policy itself cannot be used. */
  readonly binding?: string;
}

async function denialsOf(
  evaluation: Evaluation,
  bindings: readonly ValidatingAdmissionPolicyBinding[],
): Promise<readonly NamedDenial[]> {
  const { context, attributes, policy } = evaluation;
  const match = matchResources(context, policy.spec?.matchConstraints ?? {}, attributes);
  if (match === undefined) return [];
  const paramKind = policy.spec?.paramKind;
  const params = usable(() => (paramKind === undefined ? undefined : paramResource(context, paramKind)));
  if (params instanceof PolicyConfigurationError) {
    return configurationDenial(evaluation, `failed to configure policy: ${params.message}`);
  }
  const denials: NamedDenial[] = [];
  for (const binding of bindings) {
    const resources = binding.spec?.matchResources;
    if (resources !== undefined && matchResources(context, resources, attributes) === undefined) continue;
    denials.push(...(await bindingDenials(evaluation, { binding, match, params })));
  }
  return denials;
}

function configurationDenial(
  { policy }: Evaluation,
  message: string,
  binding?: ValidatingAdmissionPolicyBinding,
): readonly NamedDenial[] {
  if (policy.spec?.failurePolicy === "Ignore") return [];
  const name = binding === undefined ? {} : { binding: binding.metadata.name ?? "" };
  return [{ policy: policy.metadata.name ?? "", ...name, message, obeysActions: false, index: 0 }];
}

interface BoundPolicy {
  readonly binding: ValidatingAdmissionPolicyBinding;
  readonly match: RuleMatch;
  readonly params: ServedResource | undefined;
}

async function bindingDenials(
  evaluation: Evaluation,
  { binding, match, params: resource }: BoundPolicy,
): Promise<readonly NamedDenial[]> {
  const { context, attributes, policy } = evaluation;
  try {
    const { namespace } = attributes;
    const params = await collectParams(context, resource, { paramRef: binding.spec?.paramRef, namespace });
    if (params.length === 0) return [];
    const seen = await versionedAttributes(context, attributes, match).catch(conversionError);
    const denials: NamedDenial[] = [];
    for (const each of params) {
      denials.push(...(await evaluate(evaluation, { attributes: seen, match, binding, params: each })));
    }
    return denials;
  } catch (error) {
    if (!(error instanceof PolicyConfigurationError)) throw error;
    return configurationDenial({ ...evaluation, policy }, `failed to configure binding: ${error.message}`, binding);
  }
}

function conversionError(error: unknown): never {
  if (!(error instanceof StatusError)) throw error;
  throw new PolicyConfigurationError(`failed to convert object version: ${error.message}`, { cause: error });
}

interface Subject {
  readonly attributes: AdmissionAttributes;
  readonly match: RuleMatch;
  readonly binding: ValidatingAdmissionPolicyBinding;
  readonly params: ApiObject | undefined;
}

async function evaluate(
  { context, decisions, policy, annotations }: Evaluation,
  { attributes, match, binding, params }: Subject,
): Promise<readonly NamedDenial[]> {
  const namespace = namespaceOf(context, attributes);
  const values = expressionValues({ attributes, ...match, decisions, namespace, params });
  const program = policyProgram(policy);
  const outcome = await decisions.evaluate(() => policyOutcome(policy, program, values));
  for (const [key, value] of outcome.annotations) {
    annotations.set(key, (annotations.get(key) ?? new Set()).add(value.slice(0, LONGEST_ANNOTATION)));
  }
  const names = { policy: policy.metadata.name ?? "", binding: binding.metadata.name ?? "" };
  const actions = binding.spec?.validationActions ?? [];
  return outcome.denials.flatMap((denial) => {
    const { policy: policyName, binding: bindingName } = names;
    if (denial.obeysActions && actions.includes("Warn")) {
      attributes.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policyName}' with binding '${bindingName}': ${denial.message}`,
      );
    }
    if (denial.obeysActions && actions.includes("Audit")) {
      const { message, index: expressionIndex } = denial;
      const failure = { message, ...names, expressionIndex, validationActions: actions };
      attributes.annotate("validation.policy.admission.k8s.io/validation_failure", () => JSON.stringify([failure]));
    }
    return !denial.obeysActions || actions.includes("Deny") ? [{ ...denial, ...names }] : [];
  });
}

const LONGEST_ANNOTATION = 10 * 1024;

const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function denialStatus({ resource, name }: AdmissionAttributes, denial: NamedDenial): StatusError {
  const binding = denial.binding === undefined ? "" : ` with binding '${denial.binding}'`;
  const message = `ValidatingAdmissionPolicy '${denial.policy}'${binding} denied request: ${denial.message}`;
  const reason = denial.reason ?? "Invalid";
  const { status } = forbidden({ groupResource: resource, name }, message, [{ message }]);
  return new StatusError({ ...status, reason, code: CODES[reason] ?? 422 });
}
