import { invalidField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema";

import { invalid } from "../../../request/failures.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import type { ObjectReader } from "../../../storage/object-reader.ts";
import { addressFamily } from "../../address-ranges.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { StrategyContext } from "../../strategy.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import {
  addressChangeErrors,
  balancerChangeErrors,
  clusterAddressErrors,
  clusterFamilyErrors,
} from "./core/service-address-errors.ts";
import { needsHealthCheck, serviceErrors } from "./core/service-errors.ts";
import { freeAddress, isInRanges, serviceRanges } from "./service-ranges.ts";
import { dropFieldsOfOldType, needsNodePorts } from "./service-type-changes.ts";

/** Rules of Services beyond their schema: they get addresses and ports. */
export const serviceRules: BuiltInRules = {
  nameRule: "label-1035",
  returnsDeletedObject: true,
  selectableFields: {
    "spec.clusterIP": (service) => textIn(objectIn(service, "spec"), "clusterIP"),
    "spec.type": (service) => textIn(objectIn(service, "spec"), "type"),
  },
  setDefaults: (service) => setDefaults(ensureObject(service, "spec")),
  prepareForCreate: (service, context) => {
    stateAddresses(specOf(service));
    setFamilies(specOf(service));
    allocate(service, context);
    refuseAllocation(service, context, undefined);
  },
  prepareForUpdate: (service, old, context) => {
    if (context.subresource === "") {
      keepAllocated(specOf(service), objectIn(old, "spec"));
      stateAddresses(specOf(service));
      dropFieldsOfOldType(specOf(service), objectIn(old, "spec"));
      setFamilies(specOf(service));
      allocate(service, context);
      refuseAllocation(service, context, old);
    }
  },
  checksEveryField: true,
  validate: (service, _context, old) => {
    const errors = serviceErrors(service, old);
    // It is checked although it is not shown.
    dropPolicyOfNames(specOf(service));
    return errors;
  },
  validateUpdate: (service, old, context) =>
    context.subresource === ""
      ? [...addressChangeErrors(service, old), ...balancerChangeErrors(service, old, needsHealthCheck)]
      : [],
};

// Upstream allocates before it checks the rest, and refuses at once what it cannot allocate.
function refuseAllocation(service: ApiObject, context: StrategyContext, old: ApiObject | undefined): void {
  const errors = allocationErrors(service, context, old);
  if (errors.length > 0)
    throw invalid({ groupKind: { group: "", kind: "Service" }, name: service.metadata.name ?? "" }, errors);
}

// A dry run takes any port.
function allocationErrors(
  service: ApiObject,
  { objects, isDryRun }: StrategyContext,
  old: ApiObject | undefined,
): readonly FieldError[] {
  const spec = specOf(service);
  const addresses = clusterAddressErrors(spec, objectIn(old, "spec"));
  if (addresses.length > 0) return addresses;
  const families = clusterFamilyErrors(spec);
  if (families.length > 0) return families;
  const requested = requestedAddressError(service, { objects, isDryRun }, old);
  return requested.length > 0 || isDryRun ? requested : requestedPortErrors(service, objects, old);
}

function stateAddresses(spec: MutableJsonObject): void {
  const address = textIn(spec, "clusterIP");
  if (address !== "" && textsIn(spec, "clusterIPs").length === 0) spec["clusterIPs"] = [address];
}

function dropPolicyOfNames(spec: MutableJsonObject): void {
  if (textIn(spec, "type") === "ExternalName") delete spec["internalTrafficPolicy"];
}

const specOf = (service: ApiObject): MutableJsonObject => ensureObject(service, "spec");

function setDefaults(spec: MutableJsonObject): void {
  setEmpty(spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  if (spec["sessionAffinity"] === "ClientIP") {
    setAbsent(ensureObject(ensureObject(spec, "sessionAffinityConfig"), "clientIP"), { timeoutSeconds: 10_800 });
  }
  const type = textIn(spec, "type");
  if (
    type === "NodePort" ||
    type === "LoadBalancer" ||
    (type === "ClusterIP" && textsIn(spec, "externalIPs").length > 0)
  ) {
    setEmpty(spec, { externalTrafficPolicy: "Cluster" });
  }
  if (type === "LoadBalancer") {
    setAbsent(spec, { allocateLoadBalancerNodePorts: true });
  }
  if (type !== "ExternalName") {
    setAbsent(spec, { internalTrafficPolicy: "Cluster" });
  }
  for (const port of objectsIn(spec, "ports")) {
    setEmpty(port, { protocol: "TCP" });
    if (port["targetPort"] === undefined || port["targetPort"] === 0 || port["targetPort"] === "") {
      port["targetPort"] = port["port"];
    }
  }
}

function setFamilies(spec: MutableJsonObject): void {
  if (textIn(spec, "type") === "ExternalName") {
    return;
  }
  // A cluster has no addresses of other families.
  if (textsIn(spec, "clusterIPs").some((address) => addressFamily(address) === 6)) return;
  // Without addresses and without a selector, a service does not determine its families.
  const isOpen = textIn(spec, "clusterIP") === "None" && objectIn(spec, "selector") === undefined;
  setAbsent(
    spec,
    isOpen
      ? { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" }
      : { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
  );
}

// Values that the server chose stay when a client omits them.
function keepAllocated(spec: MutableJsonObject, old: MutableJsonObject | undefined): void {
  if (textIn(spec, "type") === "ExternalName" || textIn(old, "type") === "ExternalName") {
    return;
  }
  const given = textIn(spec, "clusterIP");
  const isNew = given !== "" && given !== textIn(old, "clusterIP");
  if (isNew && deepEqual(spec["clusterIPs"], old?.["clusterIPs"])) {
    spec["clusterIPs"] = [given];
  }
  if (given === "" && old?.["clusterIP"] !== undefined) {
    spec["clusterIP"] = old["clusterIP"];
    setAbsent(spec, { clusterIPs: old["clusterIPs"] });
  }
  setAbsent(spec, { ipFamilies: old?.["ipFamilies"], ipFamilyPolicy: old?.["ipFamilyPolicy"] });
  keepNodePorts(spec, old);
}

function keepNodePorts(spec: MutableJsonObject, old: MutableJsonObject | undefined): void {
  const type = textIn(spec, "type");
  if (type !== "NodePort" && type !== "LoadBalancer") {
    return;
  }
  // Ports that other ports have already are not given twice.
  const former = objectsIn(old, "ports");
  const used = new Set(nodePortsIn(former).filter((port) => nodePortsIn(objectsIn(spec, "ports")).includes(port)));
  for (const port of objectsIn(spec, "ports")) {
    const before = former.findLast((candidate) => textIn(candidate, "name") === textIn(port, "name"))?.["nodePort"];
    if (before === undefined || (port["nodePort"] ?? 0) !== 0 || used.has(before)) continue;
    port["nodePort"] = before;
    used.add(before);
  }
}

function nodePortsIn(ports: readonly MutableJsonObject[]): readonly unknown[] {
  return ports.map(({ nodePort }) => nodePort).filter((port) => (port ?? 0) !== 0);
}

const SERVICES = { group: "", resource: "services" } as const;
// The network of the server.
const NETWORK = "10.0.0.";
const FIRST_NODE_PORT = 30_000;
const LAST_NODE_PORT = 32_767;
const FIRST_FREE_NODE_PORT = FIRST_NODE_PORT + 86;

/** Gives a service the addresses and node ports that its type needs and that it does not have. */
function allocate(service: ApiObject, context: StrategyContext): void {
  const spec = ensureObject(service, "spec");
  const type = textIn(spec, "type");
  if (type === "ExternalName") {
    return;
  }
  allocateAddress(spec, context);
  if (needsNodePorts(spec)) {
    allocateNodePorts(spec, context.objects);
  }
  if (needsHealthCheck(spec) && (spec["healthCheckNodePort"] ?? 0) === 0) {
    allocateHealthPort(spec, context.objects);
  }
}

/** Returns an error when a service asks for an address that another has, or that the server does not give. */
function requestedAddressError(
  service: ApiObject,
  { objects, isDryRun }: Pick<StrategyContext, "objects" | "isDryRun">,
  old: ApiObject | undefined,
): readonly FieldError[] {
  const spec = objectIn(service, "spec");
  const address = textIn(spec, "clusterIP");
  const former = textIn(objectIn(old, "spec"), "clusterIP");
  if (address === "" || address === "None" || textIn(spec, "type") === "ExternalName" || former !== "") {
    return [];
  }
  // A dry run takes any address of the network.
  const isTaken =
    !isDryRun && others(service, objects).some((other) => textIn(objectIn(other, "spec"), "clusterIP") === address);
  const problem = isTaken
    ? "provided IP is already allocated"
    : (isDryRun && address.startsWith(NETWORK)) || isInRanges(serviceRanges(objects), address)
      ? undefined
      : isDryRun
        ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${NETWORK}0/24`
        : "the provided network does not match the current range";
  return problem === undefined
    ? []
    : [invalidField("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${problem}`)];
}

/** Returns an error for each port of the nodes that a service asks for, and that another has or that is not given. */
function requestedPortErrors(
  service: ApiObject,
  objects: ObjectReader,
  old: ApiObject | undefined,
): readonly FieldError[] {
  const before = new Set(nodePortsOf(old));
  const asked = nodePortsOf(service);
  const spec = objectIn(service, "spec") ?? {};
  if (!needsNodePorts(spec) || asked.every((port) => port === undefined || before.has(port))) {
    return [];
  }
  const taken = new Set(others(service, objects).flatMap(nodePortsOf));
  return asked.flatMap((port, index) => {
    if (typeof port !== "number" || port === 0 || before.has(port)) {
      return [];
    }
    const problem =
      port < FIRST_NODE_PORT || port > LAST_NODE_PORT
        ? `provided port is not in the valid range. The range of valid ports is ${FIRST_NODE_PORT}-${LAST_NODE_PORT}`
        : taken.has(port)
          ? "provided port is already allocated"
          : undefined;
    return problem === undefined ? [] : [invalidField(`spec.ports[${index}].nodePort`, port, problem)];
  });
}

function nodePortsOf(service: ApiObject | undefined): readonly unknown[] {
  return objectsIn(objectIn(service, "spec"), "ports").map(({ nodePort }) => nodePort);
}

function allocateAddress(spec: MutableJsonObject, { objects, isDryRun }: StrategyContext): void {
  const given = textIn(spec, "clusterIP");
  // Addresses without the first one are refused, and so are those of another family.
  if (given === "" && (textsIn(spec, "clusterIPs").length > 0 || textsIn(spec, "ipFamilies").includes("IPv6"))) return;
  // A dry run takes no address, and shows that of the network.
  const address = given === "" ? (isDryRun ? `${NETWORK}0` : nextAddress(objects)) : given;
  if (address !== undefined) {
    spec["clusterIP"] = address;
    spec["clusterIPs"] ??= [address];
  }
}

function nextAddress(objects: ObjectReader): string | undefined {
  const taken = objects.list(SERVICES).map((service) => textIn(objectIn(service, "spec"), "clusterIP"));
  return freeAddress(serviceRanges(objects), new Set(taken));
}

function allocateNodePorts(spec: MutableJsonObject, objects: ObjectReader): void {
  const taken = new Set(objects.list(SERVICES).flatMap(nodePortsOf));
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

function allocateHealthPort(spec: MutableJsonObject, objects: ObjectReader): void {
  const services = objects.list(SERVICES);
  const checks = services.map((service) => objectIn(service, "spec")?.["healthCheckNodePort"]);
  const taken = new Set([...services.flatMap(nodePortsOf), ...nodePortsOf({ spec } as never), ...checks]);
  let next = FIRST_FREE_NODE_PORT;
  while (taken.has(next) && next < LAST_NODE_PORT) next += 1;
  spec["healthCheckNodePort"] = next;
}

function others(service: ApiObject, objects: ObjectReader): readonly ApiObject[] {
  const { name, namespace } = service.metadata;
  return objects
    .list(SERVICES)
    .filter((other) => other.metadata.name !== name || other.metadata.namespace !== namespace);
}
