import { StatusError } from "@kubescaffold/k8s";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from "@kubescaffold/k8s/admissionregistration/v1beta1";
import { deepEqual } from "@kubescaffold/schema/values";

import type { AdmissionAttributes, Reinvocation } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden } from "../../request/failures.ts";
import type { ServedResource } from "../../resources/registry.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { InvocationRecord } from "../invocation-record.ts";
import type { RuleMatch } from "../rule-matching.ts";
import { versionedAttributes } from "../versioned-attributes.ts";
import { applyMutation, MutationError } from "./apply-mutation.ts";
import { Decisions } from "./authority.ts";
import { expressionValues } from "./expression-input.ts";
import { evaluateConditions } from "./match-conditions.ts";
import { MutatedView } from "./mutated-view.ts";
import { mutationProgram } from "./mutation-program.ts";
import { matchResources, namespaceOf, policiesInUse } from "./policy-matching.ts";
import { collectParams, paramResource, PolicyConfigurationError, usable } from "./policy-params.ts";
import { MUTATING_BINDINGS, MUTATING_POLICIES } from "./policy-resources.ts";

/**
 * Mutates an object as all policies with bindings state, in the order of their names; undefined without a change.
 *
 * Fails: with 403 and the first error of a policy whose failures count, or with the status of a patch that cannot be applied.
 */
export async function mutatePolicies(
  context: ServerContext,
  attributes: AdmissionAttributes,
  reinvocation: Reinvocation,
): Promise<ApiObject | undefined> {
  const run: Run = { context, attributes, decisions: new Decisions(context), views: new Map(), errors: [] };
  const invocations = await collectInvocations(run);
  const object = invocations.length === 0 ? undefined : await invoke(run, invocations, reinvocation);
  const [first] = run.errors;
  if (first !== undefined) throw refusal(attributes, run.errors);
  return object;
}

/** The evaluation of all policies for a write. */
interface Run {
  readonly context: ServerContext;
  readonly attributes: AdmissionAttributes;
  readonly decisions: Decisions;
  /** The object in each version that policies see, by the kind. */
  readonly views: Map<string, MutatedView>;
  /** Errors of policies whose failures count. */
  readonly errors: PolicyFailure[];
}

interface PolicyFailure {
  readonly message: string;
  readonly reason?: "Invalid";
}

/** A policy with one binding and one parameter. */
interface Invocation {
  readonly policy: MutatingAdmissionPolicy;
  readonly binding: MutatingAdmissionPolicyBinding;
  readonly match: RuleMatch;
  readonly view: MutatedView;
  readonly params: ApiObject | undefined;
}

// All matching is about the object before the first mutation.
async function collectInvocations(run: Run): Promise<readonly Invocation[]> {
  const { context, attributes } = run;
  const storage = { policies: MUTATING_POLICIES, bindings: MUTATING_BINDINGS };
  const invocations: Invocation[] = [];
  for (const [policy, bindings] of policiesInUse<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>(
    context,
    storage,
  )) {
    const match = matchResources(context, policy.spec?.matchConstraints ?? {}, attributes);
    if (match === undefined) continue;
    const params = usable(() => paramsOf(context, policy));
    if (params instanceof PolicyConfigurationError) {
      fail(run, { policy }, { message: `failed to configure policy: ${params.message}` });
      continue;
    }
    for (const binding of bindings) {
      const resources = binding.spec?.matchResources;
      if (resources !== undefined && matchResources(context, resources, attributes) === undefined) continue;
      invocations.push(...(await bindingInvocations(run, { policy, binding, match }, params)));
    }
  }
  return invocations;
}

function paramsOf(context: ServerContext, { spec }: MutatingAdmissionPolicy): ServedResource | undefined {
  return spec?.paramKind === undefined ? undefined : paramResource(context, spec.paramKind);
}

async function bindingInvocations(
  run: Run,
  bound: Pick<Invocation, "policy" | "binding" | "match">,
  resource: ServedResource | undefined,
): Promise<readonly Invocation[]> {
  const { context, attributes } = run;
  const { policy, binding, match } = bound;
  const { namespace } = attributes;
  const view = await viewOf(run, match);
  if (view instanceof StatusError) {
    fail(run, { policy }, { message: `failed to configure policy: ${view.message}` });
    return [];
  }
  try {
    const params = await collectParams(context, resource, { paramRef: binding.spec?.paramRef, namespace });
    return params.map((each) => ({ ...bound, view, params: each }));
  } catch (error) {
    if (!(error instanceof PolicyConfigurationError)) throw error;
    fail(run, bound, { message: `failed to configure binding: ${error.message}` });
    return [];
  }
}

async function viewOf({ context, attributes, views }: Run, match: RuleMatch): Promise<MutatedView | StatusError> {
  const { group, version, kind } = match.kind;
  const key = `${group}/${version}/${kind}`;
  const known = views.get(key);
  if (known !== undefined) return known;
  try {
    const view = new MutatedView(context, await versionedAttributes(context, attributes, match), match);
    views.set(key, view);
    return view;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

async function invoke(
  run: Run,
  invocations: readonly Invocation[],
  reinvocation: Reinvocation,
): Promise<ApiObject | undefined> {
  const { attributes } = run;
  const record = reinvocation.stateOf("MutatingAdmissionPolicy", () => new InvocationRecord());
  if (reinvocation.isSecond) record.noteInput(attributes.object);
  let last: MutatedView | undefined;
  for (const invocation of invocations) {
    const { policy, view } = invocation;
    if (!(await meetsConditions(run, invocation))) continue;
    const key = keyOf(invocation);
    if (reinvocation.isSecond && !record.mustInvoke(key)) continue;
    const before = view.object;
    last = view;
    await applyMutations(run, invocation);
    if (before !== view.object && !deepEqual(before, view.object)) {
      record.noteChange();
      reinvocation.request();
    }
    if (policy.spec?.reinvocationPolicy === "IfNeeded") record.noteInvocation(key);
  }
  const isChanged = last?.isDirty === true;
  if (isChanged) {
    record.noteChange();
    reinvocation.request();
  }
  const object = isChanged ? await last?.requested() : undefined;
  record.noteOutput(object ?? attributes.object);
  return object;
}

function keyOf({ policy, binding, params }: Invocation): string {
  const { namespace = "", name = "" } = params?.metadata ?? {};
  return [policy.metadata.name, binding.metadata.name, namespace, name].join("/");
}

async function meetsConditions(run: Run, invocation: Invocation): Promise<boolean> {
  const { policy, view, match, params } = invocation;
  const { conditions, variables } = mutationProgram(policy);
  if (conditions.length === 0) return true;
  const { resource } = run.attributes;
  const values = expressionValues({
    attributes: view.attributes,
    resource,
    kind: match.kind,
    decisions: run.decisions,
    params,
  });
  const outcome = await run.decisions.evaluate(() => evaluateConditions(conditions, values, variables));
  if (outcome.kind !== "failed") return outcome.kind === "met";
  fail(run, invocation, { message: outcome.message, reason: "Invalid" });
  return false;
}

async function applyMutations(run: Run, invocation: Invocation): Promise<void> {
  const { context, attributes, decisions } = run;
  const { policy, view, match, params } = invocation;
  const { steps, variables } = mutationProgram(policy);
  const namespace = namespaceOf(context, attributes);
  for (const step of steps) {
    if (view.object === undefined) return;
    const values = expressionValues({ attributes: view.attributes, ...match, decisions, namespace, params });
    try {
      view.replace(await decisions.evaluate(() => applyMutation(step, { view, values, variables })));
    } catch (error) {
      if (!(error instanceof MutationError)) throw error;
      fail(run, invocation, { message: error.message, reason: "Invalid" });
    }
  }
}

function fail(
  { errors }: Run,
  { policy, binding }: { readonly policy: MutatingAdmissionPolicy; readonly binding?: MutatingAdmissionPolicyBinding },
  { message, ...others }: PolicyFailure,
): void {
  if (policy.spec?.failurePolicy === "Ignore") return;
  const name = policy.metadata.name ?? "";
  const source = binding === undefined ? `"${name}"` : `'${name}' with binding '${binding.metadata.name ?? ""}'`;
  errors.push({ message: `policy ${source} denied request: ${message}`, ...others });
}

// The code is that of a denial, whatever the reason.
function refusal({ resource, name }: AdmissionAttributes, errors: readonly PolicyFailure[]): StatusError {
  const causes = errors.map(({ message }) => ({ message }));
  const { status } = forbidden({ groupResource: resource, name }, "", causes);
  const [first] = errors;
  return new StatusError({
    ...status,
    message: first?.message ?? "",
    ...(first?.reason === undefined ? {} : { reason: first.reason }),
  });
}
