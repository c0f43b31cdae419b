import { duplicateField, dns1123LabelErrors, invalidField, requiredField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import type { ObjectReader } from "../../../storage/object-reader.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { StrategyContext } from "../../strategy.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
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
    setFamilies(specOf(service));
    allocate(service, context);
  },
  prepareForUpdate: (service, old, context) => {
    if (context.subresource === "") {
      keepAllocated(specOf(service), objectIn(old, "spec"));
      dropFieldsOfOldType(specOf(service), objectIn(old, "spec"));
      setFamilies(specOf(service));
      allocate(service, context);
    }
  },
  validate: (service, { objects, isDryRun }, old) => [
    ...serviceErrors(service),
    ...(isDryRun && textIn(specOf(service), "clusterIP") === DRY_RUN_ADDRESS
      ? []
      : requestedAddressError(service, objects)),
    ...requestedPortErrors(service, objects, old),
  ],
  validateUpdate: (service, old, { subresource }) => (subresource === "" ? addressChangeErrors(service, old) : []),
};

const specOf = (service: ApiObject): MutableJsonObject => ensureObject(service, "spec");

function setDefaults(spec: MutableJsonObject): void {
  setEmpty(spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (spec["sessionAffinity"] === "ClientIP") {
    setAbsent(ensureObject(ensureObject(spec, "sessionAffinityConfig"), "clientIP"), { timeoutSeconds: 10_800 });
  }
  const type = textIn(spec, "type");
  if (type === "NodePort" || type === "LoadBalancer") {
    setEmpty(spec, { externalTrafficPolicy: "Cluster" });
  }
  if (type === "LoadBalancer") {
    setAbsent(spec, { allocateLoadBalancerNodePorts: true });
  }
  if (type !== "ExternalName") {
    setEmpty(spec, { internalTrafficPolicy: "Cluster" });
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
  for (const port of objectsIn(spec, "ports")) {
    const before = objectsIn(old, "ports").find(
      (candidate) => candidate["port"] === port["port"] && candidate["protocol"] === port["protocol"],
    );
    if (before?.["nodePort"] !== undefined) {
      setAbsent(port, { nodePort: before["nodePort"] });
    }
  }
}

function serviceErrors(service: ApiObject): readonly FieldError[] {
  const spec = objectIn(service, "spec");
  const type = textIn(spec, "type");
  const ports = objectsIn(spec, "ports");
  const isHeadless = textIn(spec, "clusterIP") === "None";
  return [
    ...(ports.length === 0 && !isHeadless && type !== "ExternalName" ? [requiredField("spec.ports")] : []),
    ...(type === "ExternalName" && textIn(spec, "externalName") === "" ? [requiredField("spec.externalName")] : []),
    ...ports.flatMap((port, index) => portErrors(port, ports, index)),
    ...duplicatePortErrors(ports),
  ];
}

function portErrors(
  port: MutableJsonObject,
  ports: readonly MutableJsonObject[],
  index: number,
): readonly FieldError[] {
  const at = `spec.ports[${index}]`;
  const name = textIn(port, "name");
  const names = ports.map((each) => textIn(each, "name"));
  const number = port["port"];
  return [
    ...(name === "" && ports.length > 1 ? [requiredField(`${at}.name`)] : []),
    ...(name === "" ? [] : dns1123LabelErrors(name).map((detail) => invalidField(`${at}.name`, name, detail))),
    ...(name !== "" && names.indexOf(name) < index ? [duplicateField(`${at}.name`, name)] : []),
    ...(typeof number === "number" && (number < 1 || number > 65_535)
      ? [invalidField(`${at}.port`, number, "must be between 1 and 65535, inclusive")]
      : []),
  ];
}

function duplicatePortErrors(ports: readonly MutableJsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ port, protocol }, index) => {
    const key = `${String(protocol)}/${String(port)}`;
    const isTwice = seen.has(key);
    seen.add(key);
    return isTwice ? [duplicateField(`spec.ports[${index}]`, { protocol, port })] : [];
  });
}

function addressChangeErrors(service: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(service, "spec"), objectIn(old, "spec")];
  if (textIn(before, "type") === "ExternalName" || textIn(spec, "type") === "ExternalName") {
    return [];
  }
  const given = spec?.["clusterIPs"];
  return deepEqual(given, before?.["clusterIPs"]) && textIn(spec, "clusterIP") === textIn(before, "clusterIP")
    ? []
    : [invalidField("spec.clusterIPs[0]", given ?? [textIn(spec, "clusterIP")], "may not change once set")];
}

const SERVICES = { group: "", resource: "services" } as const;
// The name of the network of the server, which no Service has.
const DRY_RUN_ADDRESS = "10.0.0.0";
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
}

/** Returns an error when a service asks for an address that another has, or that the server does not give. */
function requestedAddressError(service: ApiObject, objects: ObjectReader): readonly FieldError[] {
  const address = textIn(objectIn(service, "spec"), "clusterIP");
  if (address === "" || address === "None") {
    return [];
  }
  const isTaken = others(service, objects).some((other) => textIn(objectIn(other, "spec"), "clusterIP") === address);
  const problem = isTaken
    ? "provided IP is already allocated"
    : isInRanges(serviceRanges(objects), address)
      ? undefined
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
  if (asked.every((port) => port === undefined || before.has(port))) {
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
  const given = textIn(spec, "clusterIP") || (textsIn(spec, "clusterIPs")[0] ?? "");
  // A dry run takes no address.
  const address = given === "" ? (isDryRun ? DRY_RUN_ADDRESS : nextAddress(objects)) : given;
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

function others(service: ApiObject, objects: ObjectReader): readonly ApiObject[] {
  const { name, namespace } = service.metadata;
  return objects
    .list(SERVICES)
    .filter((other) => other.metadata.name !== name || other.metadata.namespace !== namespace);
}
