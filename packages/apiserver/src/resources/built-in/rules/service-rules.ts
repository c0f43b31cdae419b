import type { FieldError } from "@kubescaffold/k8s";

import { invalid } from "../../../request/failures.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import type { ObjectReader } from "../../../storage/object-reader.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { StrategyContext } from "../../strategy.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { balancerPoints } from "./checks/balancer-points.ts";
import { needsHealthCheck } from "./core/health-checks.ts";
import { allocateHealthPort, allocateNodePorts, NodePorts } from "./core/node-ports.ts";
import { settleFamilies, stateAddresses } from "./core/service-addresses.ts";
import { allocateAddresses } from "./core/service-allocation.ts";
import { familyOf } from "./core/service-ranges.ts";
import { dropFieldsOfOldType } from "./service-type-changes.ts";

/** Rules of Services beyond their schema: they get addresses and ports. */
export const serviceRules: BuiltInRules = {
  nameRule: "label-1035",
  allowsCreateOnUpdate: true,
  returnsDeletedObject: true,
  selectableFields: {
    "spec.clusterIP": (service) => textIn(objectIn(service, "spec"), "clusterIP"),
    "spec.type": (service) => textIn(objectIn(service, "spec"), "type"),
  },
  setDefaults: (service) => {
    setDefaults(ensureObject(service, "spec"));
    if (specOf(service)["type"] === "LoadBalancer") setAddressModes(service);
  },
  prepareForCreate: (service, context) => allocate(service, context, undefined),
  prepareForUpdate: (service, old, context) => {
    if (context.subresource !== "") return;
    allocate(service, context, old);
    dropFieldsOfOldType(service, old);
  },
  shown: withoutUnusedPolicy,
  checksEveryField: true,
  loadChecks: async () => {
    const { serviceChecks } = await import("./service-checks.ts");
    return serviceChecks;
  },
};

// Earlier versions set the policy of Services that do not use it: it stays stored, and is not shown.
function withoutUnusedPolicy(service: ApiObject): ApiObject {
  const spec = objectIn(service, "spec");
  if (spec?.["type"] !== "ExternalName" || spec["internalTrafficPolicy"] === undefined) return service;
  const { internalTrafficPolicy: _unused, ...shown } = spec;
  return { ...service, spec: shown };
}

function setAddressModes(service: ApiObject): void {
  for (const point of balancerPoints(service)) if (textIn(point, "ip") !== "") setAbsent(point, { ipMode: "VIP" });
}

/**
 * Gives a Service the addresses and node ports that it needs and does not have.
 *
 * Fails: with 422 when it cannot have what it states, before the rest is checked.
 */
function allocate(service: ApiObject, context: StrategyContext, old: ApiObject | undefined): void {
  const spec = specOf(service);
  const before = objectIn(old, "spec");
  stateAddresses(spec, before);
  if (before !== undefined) keepPorts(spec, before);
  refuse(service, settleFamilies(spec, before, context.serviceRanges.map(familyOf)));
  refuse(service, allocateAddresses(spec, before, { ...context, name: service.metadata.name ?? "" }));
  const nodePorts = new NodePorts(takenPorts(context.objects), context);
  refuse(service, allocateNodePorts(spec, before, nodePorts));
  allocateHealthPort(spec, before, nodePorts);
}

function refuse(service: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw invalid({ groupKind: { group: "", kind: "Service" }, name: service.metadata.name ?? "" }, errors);
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

// Ports that the server chose stay when a client omits them.
function keepPorts(spec: MutableJsonObject, before: MutableJsonObject): void {
  keepNodePorts(spec, before);
  if (needsHealthCheck(spec) && needsHealthCheck(before) && (spec["healthCheckNodePort"] ?? 0) === 0)
    spec["healthCheckNodePort"] = before["healthCheckNodePort"];
}

function keepNodePorts(spec: MutableJsonObject, old: MutableJsonObject): void {
  if (![spec, old].every(needsNodePorts)) return;
  // Ports that other ports have already are not given twice.
  const former = objectsIn(old, "ports");
  const used = new Set(nodePortsIn(former).filter((port) => nodePortsIn(objectsIn(spec, "ports")).includes(port)));
  for (const port of objectsIn(spec, "ports")) {
    const before = former.findLast((candidate) => textIn(candidate, "name") === textIn(port, "name"))?.["nodePort"];
    if (before === undefined || (port["nodePort"] ?? 0) !== 0 || used.has(before)) continue;
    port["nodePort"] = before;
  }
}

function nodePortsIn(ports: readonly MutableJsonObject[]): readonly unknown[] {
  return ports.map(({ nodePort }) => nodePort).filter((port) => (port ?? 0) !== 0);
}

function needsNodePorts(spec: MutableJsonObject): boolean {
  const type = textIn(spec, "type");
  return type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
}

const SERVICES = { group: "", resource: "services" } as const;

// Also those of the Service itself, as stored: it releases ports only with the write.
function takenPorts(objects: ObjectReader): ReadonlySet<number> {
  const specs = objects.list(SERVICES).map((service) => objectIn(service, "spec"));
  const ports = specs.flatMap((spec) => [
    ...objectsIn(spec, "ports").map((port) => numberIn(port, "nodePort") ?? 0),
    numberIn(spec, "healthCheckNodePort") ?? 0,
  ]);
  return new Set(ports.filter((port) => port !== 0));
}
