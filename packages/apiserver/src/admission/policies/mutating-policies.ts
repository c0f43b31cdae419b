import type { AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { isExemptFromPolicies, MUTATING_BINDINGS } from "./policy-resources.ts";

/** Mutates writes as MutatingAdmissionPolicies state, where the feature is on; the evaluator is loaded when there is a binding. */
export function mutatingPolicies(context: ServerContext): AdmissionPlugin {
  const isOn = context.release.isEnabled("MutatingAdmissionPolicy");
  return {
    name: "MutatingAdmissionPolicy",
    mutate: async (attributes, reinvocation) => {
      // A delete has no object to mutate.
      if (attributes.operation === "DELETE" || isExemptFromPolicies(attributes.resource)) return undefined;
      if (!isOn || context.objects.list(MUTATING_BINDINGS).length === 0) return undefined;
      const { mutatePolicies } = await import("./mutate-policies.ts");
      return await mutatePolicies(context, attributes, reinvocation);
    },
  };
}
