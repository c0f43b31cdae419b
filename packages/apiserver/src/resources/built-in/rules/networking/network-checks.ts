import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { endpointsErrors } from "../core/endpoints-errors.ts";
import { endpointSliceWarnings, endpointsWarnings, networkPolicyWarnings } from "../warnings/network-warnings.ts";
import { endpointSliceErrors } from "./endpoint-slice-errors.ts";
import { networkPolicyErrors } from "./network-policy-errors.ts";

/** Checks of NetworkPolicies. */
export const networkPolicyChecks: BuiltInChecks = {
  validate: (policy, _context, old) => networkPolicyErrors(policy, old),
  warnings: (policy) => networkPolicyWarnings(policy),
};

/** Checks of EndpointSlices. */
export const endpointSliceChecks: BuiltInChecks = {
  validate: (slice, _context, old) => endpointSliceErrors(slice, old),
  warnings: (slice, old) => endpointSliceWarnings(slice, old),
};

/** Checks of Endpoints. */
export const endpointsChecks: BuiltInChecks = {
  validate: (endpoints, _context, old) => endpointsErrors(endpoints, old),
  warnings: (endpoints) => endpointsWarnings(endpoints),
};
