/** Where validating policies are stored and served. */
export const VALIDATING_POLICIES = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingadmissionpolicies",
} as const;
