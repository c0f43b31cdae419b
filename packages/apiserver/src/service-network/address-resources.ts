import { familyOf } from "../resources/built-in/rules/core/service-ranges.ts";

/** Where Services are stored and served. */
export const SERVICES = { group: "", version: "v1", resource: "services" } as const;

/** Where IPAddresses are stored and served. */
export const IP_ADDRESSES = { group: "networking.k8s.io", version: "v1", resource: "ipaddresses" } as const;

/** Where ServiceCIDRs are stored and served. */
export const SERVICE_RANGES = { group: "networking.k8s.io", version: "v1", resource: "servicecidrs" } as const;

/** Labels of IPAddresses that the server creates for Services. */
export function addressLabels(address: string): Readonly<Record<string, string>> {
  return {
    "ipaddress.kubernetes.io/ip-family": familyOf(address),
    "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
  };
}
