import type { ControllerRule } from "../store-controller.ts";

/** The name of this controller's service account. */
export const POLICY_STATUS_CONTROLLER = "validatingadmissionpolicy-status-controller";

/** Where validating policies are stored and served. */
export const VALIDATING_POLICIES = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingadmissionpolicies",
} as const;

/** Permissions of this controller. */
export const POLICY_STATUS_CONTROLLER_RULES: readonly ControllerRule[] = [
  {
    apiGroups: ["admissionregistration.k8s.io"],
    resources: ["validatingadmissionpolicies"],
    verbs: ["get", "list", "watch"],
  },
  {
    apiGroups: ["admissionregistration.k8s.io"],
    resources: ["validatingadmissionpolicies/status"],
    verbs: ["get", "patch", "update"],
  },
  { apiGroups: ["", "events.k8s.io"], resources: ["events"], verbs: ["create", "patch", "update"] },
];
