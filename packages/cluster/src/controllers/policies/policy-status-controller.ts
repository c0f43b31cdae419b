import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound } from "@kubescaffold/k8s";
import type { ValidatingAdmissionPolicy } from "@kubescaffold/k8s/admissionregistration/v1";

import { VALIDATING_POLICIES } from "./policy-resources.ts";
import { checkPolicyTypes } from "./type-checker.ts";

/** Checks the types of the expressions of policies, and writes warnings to their status. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [VALIDATING_POLICIES],
    keysOf: ({ kind, object }) => (kind === "deleted" ? [] : [object.metadata.name ?? ""]),
    initialKeys: () => context.objects.list(VALIDATING_POLICIES).map(({ metadata }) => metadata.name ?? ""),
    work: async (name) => await check(context, client, name),
  });
}

async function check(context: ServerContext, client: InternalClient, name: string): Promise<void> {
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
    await client.patch(target, { contentType: "application/merge-patch+json", body: { status } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
