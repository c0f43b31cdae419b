import type { AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { isExemptFromPolicies, VALIDATING_BINDINGS } from "./policy-resources.ts";

/** Denies writes that violate a ValidatingAdmissionPolicy; the evaluator is loaded when there is a binding. */
export function validatingPolicies(context: ServerContext): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionPolicy",
    validate: async (attributes) => {
      if (isExemptFromPolicies(attributes.resource)) return;
      if (context.objects.list(VALIDATING_BINDINGS).length === 0) return;
      const { validatePolicies } = await import("./validate-policies.ts");
      await validatePolicies(context, attributes);
    },
  };
}
