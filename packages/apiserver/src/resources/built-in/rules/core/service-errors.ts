import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  portNumberErrors,
  qualifiedNameErrors,
  requiredField,
} from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textOf, textsIn } from "../../../fields.ts";
import {
  addressRange,
  checkedText,
  eachItem,
  ipAddress,
  portNumberOrName,
  requiredChoice,
  supportedText,
} from "../checks/field-checks.ts";
import { labelErrors } from "../checks/template-meta-errors.ts";
import { needsHealthCheck } from "./health-checks.ts";
import { clusterAddressErrors, endpointAddressErrors } from "./service-address-errors.ts";

const RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";
const HINTS = "service.kubernetes.io/topology-aware-hints";
const MODE = "service.kubernetes.io/topology-mode";
const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"] as const;

/** Returns what is wrong with a Service, beyond what it asks of the network. */
export function serviceErrors(service: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(service, "spec") ?? {};
  const before = objectIn(old, "spec");
  const ports = objectsIn(spec, "ports");
  const type = textIn(spec, "type");
  return [
    ...topologyErrors(service),
    ...(ports.length === 0 && !isHeadless(spec) && type !== "ExternalName" ? [requiredField("spec.ports")] : []),
    ...typeErrors(spec, type),
    ...portErrors(ports, "spec.ports"),
    ...labelErrors(objectIn(spec, "selector"), "spec.selector"),
    ...affinityErrors(spec),
    ...clusterAddressErrors(spec, before),
    ...eachItem(textsIn(spec, "externalIPs"), "spec.externalIPs", (address, place) => {
      const errors = ipAddress(place, address, textsIn(before, "externalIPs"));
      return errors.length > 0 ? errors : endpointAddressErrors(address, place);
    }),
    ...requiredChoice("spec.type", type, TYPES),
    ...nodePortErrors(ports, type),
    ...duplicatePortErrors(ports),
    ...sourceRangeErrors(service, old),
    ...balancerErrors(spec, type),
    ...externalTrafficErrors(spec),
    ...internalTrafficErrors(spec, type),
    ...(typeof spec["trafficDistribution"] === "string"
      ? supportedText("spec.trafficDistribution", spec["trafficDistribution"], DISTRIBUTIONS)
      : []),
  ];
}

const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"] as const;

/** Reports whether a Service has no address. */
function isHeadless(spec: MutableJsonObject | undefined): boolean {
  const addresses = textsIn(spec, "clusterIPs");
  return addresses.length === 1 && addresses[0] === "None";
}

function topologyErrors({ metadata }: ApiObject): readonly FieldError[] {
  const [hints, mode] = [metadata.annotations?.[HINTS], metadata.annotations?.[MODE]];
  const detail = `must match annotations[${HINTS}] when both are specified`;
  return hints === undefined || mode === undefined || hints === mode
    ? []
    : [invalidField(`metadata.annotations[${MODE}]`, mode, detail)];
}

function typeErrors(spec: MutableJsonObject, type: string): readonly FieldError[] {
  if (type === "LoadBalancer" || type === "NodePort") {
    return isHeadless(spec)
      ? [invalidField("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)]
      : [];
  }
  if (type !== "ExternalName") return [];
  const name = textIn(spec, "externalName").replace(/\.$/, "");
  const given = ["clusterIPs", "ipFamilies"].filter((field) => textsIn(spec, field).length > 0);
  const forbidden = [...given, ...(spec["ipFamilyPolicy"] === undefined ? [] : ["ipFamilyPolicy"])];
  return [
    ...forbidden.map((field) => forbiddenField(`spec.${field}`, "may not be set for ExternalName services")),
    ...(name === ""
      ? [requiredField("spec.externalName")]
      : checkedText("spec.externalName", name, dns1123SubdomainErrors)),
  ];
}

const PROTOCOLS = ["SCTP", "TCP", "UDP"] as const;

function portErrors(ports: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const names = new Set<string>();
  return eachItem(ports, at, (port, place) => {
    const name = textIn(port, "name");
    const isTaken = name !== "" && names.has(name);
    names.add(name);
    const number = numberIn(port, "port") ?? 0;
    return [
      ...(name === "" && ports.length > 1 ? [requiredField(`${place}.name`)] : []),
      ...(name === "" ? [] : checkedText(`${place}.name`, name, dns1123LabelErrors)),
      ...(isTaken ? [duplicateField(`${place}.name`, name)] : []),
      ...portNumberErrors(number).map((problem) => invalidField(`${place}.port`, number, problem)),
      ...requiredChoice(`${place}.protocol`, textIn(port, "protocol"), PROTOCOLS),
      ...portNumberOrName(`${place}.targetPort`, port["targetPort"]),
      ...(typeof port["appProtocol"] === "string"
        ? checkedText(`${place}.appProtocol`, port["appProtocol"], qualifiedNameErrors)
        : []),
    ];
  });
}

const MOST_SECONDS = 86_400;

function affinityErrors(spec: MutableJsonObject): readonly FieldError[] {
  const affinity = textIn(spec, "sessionAffinity");
  const config = objectIn(spec, "sessionAffinityConfig");
  const at = "spec.sessionAffinityConfig";
  const errors = requiredChoice("spec.sessionAffinity", affinity, ["ClientIP", "None"]);
  if (affinity === "None") {
    return config === undefined
      ? errors
      : [...errors, forbiddenField(at, "must not be set when session affinity is None")];
  }
  if (affinity !== "ClientIP") return errors;
  const missing = "when session affinity type is ClientIP";
  const client = objectIn(config, "clientIP");
  const seconds = numberIn(client, "timeoutSeconds");
  if (config === undefined) return [...errors, requiredField(at, missing)];
  if (client === undefined) return [...errors, requiredField(`${at}.clientIP`, missing)];
  const field = `${at}.clientIP.timeoutSeconds`;
  if (seconds === undefined) return [...errors, requiredField(field, missing)];
  return seconds > 0 && seconds <= MOST_SECONDS
    ? errors
    : [...errors, invalidField(field, seconds, `must be greater than 0 and less than ${MOST_SECONDS}`)];
}

function nodePortErrors(ports: readonly MutableJsonObject[], type: string): readonly FieldError[] {
  const taken = new Set<string>();
  return [
    ...(type === "ClusterIP"
      ? eachItem(ports, "spec.ports", (port, place) =>
          (numberIn(port, "nodePort") ?? 0) === 0
            ? []
            : [forbiddenField(`${place}.nodePort`, "may not be used when `type` is 'ClusterIP'")],
        )
      : []),
    ...eachItem(ports, "spec.ports", (port, place) => {
      const number = numberIn(port, "nodePort") ?? 0;
      const key = `${textIn(port, "protocol")}/${number}`;
      const isTaken = taken.has(key);
      taken.add(key);
      return number !== 0 && isTaken ? [duplicateField(`${place}.nodePort`, number)] : [];
    }),
  ];
}

function duplicatePortErrors(ports: readonly MutableJsonObject[]): readonly FieldError[] {
  const taken = new Set<string>();
  return eachItem(ports, "spec.ports", ({ port, protocol }, place) => {
    const key = `${String(protocol)}/${String(port)}`;
    const isTaken = taken.has(key);
    taken.add(key);
    return isTaken ? [duplicateField(place, { protocol, port })] : [];
  });
}

const BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";

function sourceRangeErrors(service: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(service, "spec");
  const isBalancer = textIn(spec, "type") === "LoadBalancer";
  const ranges = textsIn(spec, "loadBalancerSourceRanges");
  if (ranges.length > 0) {
    // Upstream writes this field as in Go.
    const at = "spec.LoadBalancerSourceRanges";
    const former = textsIn(objectIn(old, "spec"), "loadBalancerSourceRanges").map((range) => range.trim());
    return [
      ...(isBalancer ? [] : [forbiddenField(at, BALANCER_ONLY)]),
      ...eachItem(ranges, at, (range, place) => addressRange(place, range.trim(), former)),
    ];
  }
  const annotation = service.metadata.annotations?.[RANGES_ANNOTATION];
  if (annotation === undefined) return [];
  const at = `metadata.annotations[${RANGES_ANNOTATION}]`;
  const isNew = old === undefined || old.metadata.annotations?.[RANGES_ANNOTATION] !== annotation;
  const values = isNew && annotation.trim() !== "" ? annotation.trim().split(",") : [];
  return [
    ...(isBalancer ? [] : [forbiddenField(at, BALANCER_ONLY)]),
    ...values.flatMap((value) => addressRange(at, value.trim())),
  ];
}

function balancerErrors(spec: MutableJsonObject, type: string): readonly FieldError[] {
  const allocates = spec["allocateLoadBalancerNodePorts"];
  const className = spec["loadBalancerClass"];
  const isBalancer = type === "LoadBalancer";
  return [
    ...(allocates !== undefined && !isBalancer
      ? [forbiddenField("spec.allocateLoadBalancerNodePorts", BALANCER_ONLY)]
      : []),
    ...(allocates === undefined && isBalancer ? [requiredField("allocateLoadBalancerNodePorts")] : []),
    ...(typeof className !== "string"
      ? []
      : isBalancer
        ? checkedText("spec.loadBalancerClass", className, qualifiedNameErrors)
        : [forbiddenField("spec.loadBalancerClass", BALANCER_ONLY)]),
  ];
}

function externalTrafficErrors(spec: MutableJsonObject): readonly FieldError[] {
  const policy = textIn(spec, "externalTrafficPolicy");
  const type = textIn(spec, "type");
  const isExternal =
    type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && textsIn(spec, "externalIPs").length > 0);
  const field = "spec.externalTrafficPolicy";
  const errors = isExternal
    ? requiredChoice(field, policy, ["Cluster", "Local"])
    : policy === ""
      ? []
      : [invalidField(field, policy, "may only be set for externally-accessible services")];
  return [...errors, ...healthPortErrors(spec)];
}

function healthPortErrors(spec: MutableJsonObject): readonly FieldError[] {
  const port = numberIn(spec, "healthCheckNodePort") ?? 0;
  const field = "spec.healthCheckNodePort";
  const unused = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  if (!needsHealthCheck(spec)) return port === 0 ? [] : [invalidField(field, port, unused)];
  return port === 0
    ? [requiredField(field)]
    : portNumberErrors(port).map((problem) => invalidField(field, port, problem));
}

function internalTrafficErrors(spec: MutableJsonObject, type: string): readonly FieldError[] {
  const policy = spec["internalTrafficPolicy"];
  const field = "spec.internalTrafficPolicy";
  const isNeeded = type === "NodePort" || type === "LoadBalancer" || type === "ClusterIP";
  if (policy === undefined) return isNeeded ? [requiredField(field)] : [];
  return supportedText(field, textOf(policy), ["Cluster", "Local"]);
}
