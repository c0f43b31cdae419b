import { ensureObject, objectIn, setEmpty } from "../../../fields.ts";
import { loadExpressionEngine } from "../../../rule-engine.ts";
import type { BuiltInRules } from "../built-in-rules.ts";
import { setMatchResourceDefaults } from "./match-resource-defaults.ts";

/** Rules of ValidatingAdmissionPolicies beyond their schema. */
export const policyRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  generationFields: ["spec"],
  allowsUnconditionalUpdate: false,
  checksEveryField: true,
  setDefaults: (policy) => {
    const spec = ensureObject(policy, "spec");
    setEmpty(spec, { failurePolicy: "Fail" });
    setMatchResourceDefaults(objectIn(spec, "matchConstraints"));
  },
  prepareChecks: () => loadExpressionEngine(true),
  loadChecks: async () => {
    const { policyChecks } = await import("./policy-checks.ts");
    return policyChecks;
  },
};
