import { objectIn, setAbsent } from "../../../fields.ts";
import type { BuiltInRules } from "../built-in-rules.ts";
import { storedAsBeta } from "./alpha-version.ts";
import { setMatchResourceDefaults } from "./match-resource-defaults.ts";

/** Rules of ValidatingAdmissionPolicyBindings beyond their schema. */
export const policyBindingRules: BuiltInRules = {
  generationFields: ["spec"],
  allowsUnconditionalUpdate: false,
  checksEveryField: true,
  setDefaults: (binding) => setMatchResourceDefaults(objectIn(objectIn(binding, "spec"), "matchResources")),
  loadChecks: async () => {
    const { policyBindingChecks } = await import("./binding-checks.ts");
    return policyBindingChecks;
  },
};

/** Rules of MutatingAdmissionPolicyBindings beyond their schema. */
export const mutatingBindingRules: BuiltInRules = {
  ...policyBindingRules,
  loadChecks: async () => {
    const { mutatingBindingChecks } = await import("./binding-checks.ts");
    return mutatingBindingChecks;
  },
};

/** Rules of MutatingAdmissionPolicyBindings of `v1alpha1`, the only version with a default for absent parameters. */
export const mutatingBindingAlphaRules: BuiltInRules = {
  ...mutatingBindingRules,
  ...storedAsBeta,
  setDefaults: (binding) => {
    mutatingBindingRules.setDefaults?.(binding);
    setAbsent(objectIn(objectIn(binding, "spec"), "paramRef"), { parameterNotFoundAction: "Deny" });
  },
};
