import type { GroupResource } from "@kubescaffold/k8s";

import { isAccessReview } from "../../resources/access-reviews.ts";

const group = "admissionregistration.k8s.io";

/** Where validating policies are stored. */
export const VALIDATING_POLICIES: GroupResource = { group, resource: "validatingadmissionpolicies" };
/** Where mutating policies are stored. */
export const MUTATING_POLICIES: GroupResource = { group, resource: "mutatingadmissionpolicies" };
/** Where bindings of mutating policies are stored. */
export const MUTATING_BINDINGS: GroupResource = { group, resource: "mutatingadmissionpolicybindings" };
/** Where bindings of validating policies are stored. */
export const VALIDATING_BINDINGS: GroupResource = { group, resource: "validatingadmissionpolicybindings" };

// Policies over these could keep everyone out.
const EXEMPT: ReadonlySet<string> = new Set([
  `${group}/mutatingadmissionpolicies`,
  `${group}/mutatingadmissionpolicybindings`,
  `${group}/validatingadmissionpolicies`,
  `${group}/validatingadmissionpolicybindings`,
]);

/** Reports whether no policy concerns a resource. */
export function isExemptFromPolicies(concerned: GroupResource): boolean {
  return EXEMPT.has(`${concerned.group}/${concerned.resource}`) || isAccessReview(concerned);
}
