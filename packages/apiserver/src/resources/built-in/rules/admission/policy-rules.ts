import { ensureObject, objectIn, setAbsent } from "../../../fields.ts";
import { loadExpressionEngine } from "../../../rule-engine.ts";
import type { BuiltInRules } from "../built-in-rules.ts";
import { storedAsBeta } from "./alpha-version.ts";
import { setMatchResourceDefaults } from "./match-resource-defaults.ts";

// What the kinds of policies have in common.
const commonRules: BuiltInRules = {
  generationFields: ["spec"],
  allowsUnconditionalUpdate: false,
  checksEveryField: true,
  setDefaults: (policy) => {
    const spec = ensureObject(policy, "spec");
    setAbsent(spec, { failurePolicy: "Fail" });
    setMatchResourceDefaults(objectIn(spec, "matchConstraints"));
  },
  prepareChecks: () => loadExpressionEngine(true),
};

/** Rules of ValidatingAdmissionPolicies beyond their schema. */
export const policyRules: BuiltInRules = {
  ...commonRules,
  keepsMetadataForStatus: true,
  loadChecks: async () => {
    const { policyChecks } = await import("./policy-checks.ts");
    return policyChecks;
  },
};

/** Rules of MutatingAdmissionPolicies beyond their schema. */
export const mutatingPolicyRules: BuiltInRules = {
  ...commonRules,
  loadChecks: async () => {
    const { mutatingPolicyChecks } = await import("./mutating-policy-checks.ts");
    return mutatingPolicyChecks;
  },
};

/** Rules of MutatingAdmissionPolicies of `v1alpha1`. */
export const mutatingPolicyAlphaRules: BuiltInRules = { ...mutatingPolicyRules, ...storedAsBeta };
