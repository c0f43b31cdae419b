import { invalidField, type FieldError } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../request/json.ts";
import type { ApiObject } from "../../../storage/api-object.ts";
import type { ObjectReader } from "../../../storage/object-reader.ts";
import { ensureObject, objectIn, objectsIn, textIn, textsIn } from "../../fields.ts";

const SERVICES = { group: "", resource: "services" } as const;
const NETWORK = "10.0.0.";
// The first addresses are left to those who ask for one by number.
const FIRST_HOST = 17;
const LAST_HOST = 254;
const FIRST_NODE_PORT = 30_000;
const LAST_NODE_PORT = 32_767;
const FIRST_FREE_NODE_PORT = FIRST_NODE_PORT + 86;

/** Gives a service the addresses and node ports that its type needs and that it does not have. */
export function allocate(service: ApiObject, objects: ObjectReader): void {
  const spec = ensureObject(service, "spec");
  const type = textIn(spec, "type");
  if (type === "ExternalName") {
    return;
  }
  allocateAddress(spec, objects);
  const needsNodePorts =
    type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
  if (needsNodePorts) {
    allocateNodePorts(spec, objects);
  }
}

/** Returns an error when a service asks for an address that another has, or that the server does not give. */
export function requestedAddressError(service: ApiObject, objects: ObjectReader): readonly FieldError[] {
  const address = textIn(objectIn(service, "spec"), "clusterIP");
  if (address === "" || address === "None") {
    return [];
  }
  const isTaken = others(service, objects).some((other) => textIn(objectIn(other, "spec"), "clusterIP") === address);
  const problem = isTaken
    ? "provided IP is already allocated"
    : address.startsWith(NETWORK)
      ? undefined
      : `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${NETWORK}0/24`;
  return problem === undefined
    ? []
    : [invalidField("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${problem}`)];
}

function allocateAddress(spec: MutableJsonObject, objects: ObjectReader): void {
  const given = textIn(spec, "clusterIP") || (textsIn(spec, "clusterIPs")[0] ?? "");
  const address = given === "" ? freeAddress(objects) : given;
  if (address !== undefined) {
    spec["clusterIP"] = address;
    spec["clusterIPs"] ??= [address];
  }
}

function freeAddress(objects: ObjectReader): string | undefined {
  const taken = new Set(objects.list(SERVICES).map((service) => textIn(objectIn(service, "spec"), "clusterIP")));
  for (let host = FIRST_HOST; host <= LAST_HOST; host += 1) {
    if (!taken.has(`${NETWORK}${host}`)) {
      return `${NETWORK}${host}`;
    }
  }
  return undefined;
}

function allocateNodePorts(spec: MutableJsonObject, objects: ObjectReader): void {
  const taken = new Set(
    objects
      .list(SERVICES)
      .flatMap((service) => objectsIn(objectIn(service, "spec"), "ports").map(({ nodePort }) => nodePort)),
  );
  let next = FIRST_FREE_NODE_PORT;
  for (const port of objectsIn(spec, "ports")) {
    if (port["nodePort"] === undefined || port["nodePort"] === 0) {
      while (taken.has(next) && next < LAST_NODE_PORT) {
        next += 1;
      }
      port["nodePort"] = next;
    }
    taken.add(port["nodePort"]);
  }
}

function others(service: ApiObject, objects: ObjectReader): readonly ApiObject[] {
  const { name, namespace } = service.metadata;
  return objects
    .list(SERVICES)
    .filter((other) => other.metadata.name !== name || other.metadata.namespace !== namespace);
}
