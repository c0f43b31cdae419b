import type { AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { VALIDATING_BINDINGS } from "./policy-resources.ts";

// Policies over these could keep everyone out.
const EXCLUDED: ReadonlySet<string> = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);

/** Denies writes that violate a ValidatingAdmissionPolicy; the evaluator is loaded when there is a binding. */
export function validatingPolicies(context: ServerContext): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionPolicy",
    validate: async (attributes) => {
      const { group, resource } = attributes.resource;
      if (EXCLUDED.has(`${group}/${resource}`)) return;
      if (context.objects.list(VALIDATING_BINDINGS).length === 0) return;
      const { validatePolicies } = await import("./validate-policies.ts");
      await validatePolicies(context, attributes);
    },
  };
}
