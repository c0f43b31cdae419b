import type { InProcessController, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound } from "@kubescaffold/k8s";
import type { ValidatingAdmissionPolicy } from "@kubescaffold/k8s/admissionregistration/v1";

import { controllerUser, storeController } from "../store-controller.ts";
import { POLICY_STATUS_CONTROLLER, VALIDATING_POLICIES } from "./policy-status.ts";
import { checkPolicyTypes } from "./type-checker.ts";

/** Checks the types of the expressions of policies, and writes warnings to their status. */
export function policyStatusController(context: ServerContext): InProcessController {
  return storeController({
    name: POLICY_STATUS_CONTROLLER,
    context,
    watches: [VALIDATING_POLICIES],
    keysOf: ({ kind, object }) => (kind === "deleted" ? [] : [object.metadata.name ?? ""]),
    initialKeys: () => context.objects.list(VALIDATING_POLICIES).map(({ metadata }) => metadata.name ?? ""),
    work: async (name) => await check(context, name),
  });
}

async function check(context: ServerContext, name: string): Promise<void> {
  const policy = context.objects.get(VALIDATING_POLICIES, { namespace: "", name }) as
    | ValidatingAdmissionPolicy
    | undefined;
  if (policy === undefined) return;
  const { generation = 0 } = policy.metadata;
  if (generation <= (policy.status?.observedGeneration ?? 0)) return;
  const expressionWarnings = checkPolicyTypes(context, policy);
  const hadWarnings = (policy.status?.typeChecking?.expressionWarnings ?? []).length > 0;
  const status = {
    observedGeneration: generation,
    // Server-side apply, which upstream uses, removes the parent with its last field.
    typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : hadWarnings ? null : {},
  };
  const target = { ...VALIDATING_POLICIES, namespace: "", name, subresource: "status" };
  try {
    await context
      .clientFor(controllerUser(POLICY_STATUS_CONTROLLER))
      .patch(target, { contentType: "application/merge-patch+json", body: { status } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
