import type { BuiltInChecks } from "./checks/built-in-checks.ts";
import { addressChangeErrors, balancerChangeErrors } from "./core/service-address-errors.ts";
import { serviceErrors } from "./core/service-errors.ts";
import { serviceStatusErrors } from "./networking/load-balancer-errors.ts";
import { balancerWarnings, serviceWarnings } from "./warnings/service-warnings.ts";

/** Checks of Services. */
export const serviceChecks: BuiltInChecks = {
  validate: (service, _context, old) => serviceErrors(service, old),
  validateUpdate: (service, old, { subresource }) =>
    subresource === "" ? [...addressChangeErrors(service, old), ...balancerChangeErrors(service, old)] : [],
  validateStatus: (service, old) => serviceStatusErrors(service, old),
  warnings: (service) => serviceWarnings(service),
  statusWarnings: (service) => balancerWarnings(service),
};
