import type { GroupResource } from "@kubescaffold/k8s";

const group = "admissionregistration.k8s.io";

/** Where validating policies are stored. */
export const VALIDATING_POLICIES: GroupResource = { group, resource: "validatingadmissionpolicies" };
/** Where bindings of validating policies are stored. */
export const VALIDATING_BINDINGS: GroupResource = { group, resource: "validatingadmissionpolicybindings" };
