import type { BuiltInRules } from "../built-in-rules.ts";

/** Rules of kinds of `admissionregistration.k8s.io/v1alpha1`, whose objects are stored as those of `v1beta1`, with the same fields. */
export const storedAsBeta: Pick<BuiltInRules, "toStored" | "fromStored"> = {
  toStored: (object) => ({ ...object, apiVersion: "admissionregistration.k8s.io/v1beta1" }),
  fromStored: (stored) => ({ ...stored, apiVersion: "admissionregistration.k8s.io/v1alpha1" }),
};
