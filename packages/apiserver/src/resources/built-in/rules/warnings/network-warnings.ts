import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { addressWarnings, rangeWarnings } from "./address-warnings.ts";

/** Returns the warnings about a NetworkPolicy. */
export function networkPolicyWarnings(policy: ApiObject): readonly string[] {
  const spec = objectIn(policy, "spec");
  return [["ingress", "from"] as const, ["egress", "to"] as const].flatMap(([direction, peers]) =>
    objectsIn(spec, direction).flatMap((rule, index) =>
      objectsIn(rule, peers).flatMap((peer, position) =>
        blockWarnings(objectIn(peer, "ipBlock"), `spec.${direction}[${index}].${peers}[${position}].ipBlock`),
      ),
    ),
  );
}

function blockWarnings(block: MutableJsonObject | undefined, at: string): readonly string[] {
  return [
    ...rangeWarnings(`${at}.cidr`, textIn(block, "cidr")),
    ...textsIn(block, "except").flatMap((range, index) => rangeWarnings(`${at}.except[${index}]`, range)),
  ];
}

/** Returns the warnings about an EndpointSlice. */
export function endpointSliceWarnings(slice: ApiObject, old: ApiObject | undefined): readonly string[] {
  const isOfNames = old === undefined && textIn(slice, "addressType") === "FQDN";
  const manager = slice.metadata.labels?.["endpointslice.kubernetes.io/managed-by"] ?? "";
  return [
    ...(isOfNames ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...(SLICE_CONTROLLERS.includes(manager) ? [] : objectsIn(slice, "endpoints")).flatMap((endpoint, index) =>
      textsIn(endpoint, "addresses").flatMap((address, position) =>
        addressWarnings(`endpoints[${index}].addresses[${position}]`, address),
      ),
    ),
  ];
}

// These write canonical addresses.
const SLICE_CONTROLLERS: readonly string[] = [
  "endpointslice-controller.k8s.io",
  "endpointslicemirroring-controller.k8s.io",
];

/** Returns the warnings about Endpoints. */
export function endpointsWarnings(endpoints: ApiObject): readonly string[] {
  if (endpoints.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") return [];
  return objectsIn(endpoints, "subsets").flatMap((subset, index) =>
    ["addresses", "notReadyAddresses"].flatMap((list) =>
      objectsIn(subset, list).flatMap((address, position) =>
        addressWarnings(`subsets[${index}].${list}[${position}].ip`, textIn(address, "ip")),
      ),
    ),
  );
}
