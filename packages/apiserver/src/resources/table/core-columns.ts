import { since } from "../../release/rule-release.ts";
import type { MutableJsonObject } from "../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../fields.ts";
import { selectorText } from "../selection.ts";
import {
  AGE,
  column,
  containerColumns,
  count,
  CREATED_AT,
  joined,
  NAME,
  wide,
  type Column,
  printAge,
  scalarText,
} from "./columns.ts";
import { summarizePod } from "./pod-status.ts";

type Object = MutableJsonObject;
const spec = (object: Object): Object | undefined => objectIn(object, "spec");
const status = (object: Object): Object | undefined => objectIn(object, "status");
const sizeOf = (value: Object | undefined): number => Object.keys(value ?? {}).length;
const orNone = (text: string, none: string = "<none>"): string => (text === "" ? none : text);

/** The columns of the kinds of the core group. */
export const CORE_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  ConfigMap: [
    NAME,
    column("Data", (object) => sizeOf(objectIn(object, "data")) + sizeOf(objectIn(object, "binaryData"))),
    AGE,
  ],
  Endpoints: [NAME, column("Endpoints", endpointsText), AGE],
  Event: eventColumns({ object: "involvedObject", message: "message", source: "source" }),
  Namespace: [NAME, column("Status", (object) => textIn(status(object), "phase")), AGE],
  Node: [
    NAME,
    column("Status", nodeStatus),
    column("Roles", nodeRoles),
    AGE,
    column("Version", (node) => nodeInfo(node, "kubeletVersion")),
    wide("Internal-IP", (node) => nodeAddress(node, "InternalIP")),
    wide("External-IP", (node) => nodeAddress(node, "ExternalIP")),
    wide("OS-Image", (node) => orNone(nodeInfo(node, "osImage"), "<unknown>")),
    wide("Kernel-Version", kernelVersion),
    wide("Container-Runtime", (node) => orNone(nodeInfo(node, "containerRuntimeVersion"), "<unknown>")),
  ],
  ResourceQuota: [
    NAME,
    column("Request", (quota) => usageText(quota, (resource) => !resource.startsWith("limits."))),
    column("Limit", (quota) => usageText(quota, (resource) => resource.startsWith("limits."))),
    AGE,
  ],
  PersistentVolumeClaim: [
    NAME,
    column("Status", (claim) => textIn(status(claim), "phase")),
    column("Volume", (claim) => textIn(spec(claim), "volumeName")),
    column("Capacity", (claim) => textIn(objectIn(status(claim), "capacity"), "storage")),
    column("Access Modes", (claim) => accessModes(textsIn(status(claim), "accessModes"))),
    column("StorageClass", (claim) => textIn(spec(claim), "storageClassName")),
    column("VolumeAttributesClass", (claim) => orNone(textIn(spec(claim), "volumeAttributesClassName"), "<unset>")),
    AGE,
    wide("VolumeMode", (claim) => orNone(textIn(spec(claim), "volumeMode"), "<unset>")),
  ],
  PersistentVolume: [
    NAME,
    column("Capacity", (volume) => textIn(objectIn(spec(volume), "capacity"), "storage")),
    column("Access Modes", (volume) => accessModes(textsIn(spec(volume), "accessModes"))),
    column("Reclaim Policy", (volume) => textIn(spec(volume), "persistentVolumeReclaimPolicy")),
    column("Status", (volume) => textIn(status(volume), "phase")),
    column("Claim", (volume) => claimText(objectIn(spec(volume), "claimRef"))),
    column("StorageClass", (volume) => textIn(spec(volume), "storageClassName")),
    column("VolumeAttributesClass", (volume) => orNone(textIn(spec(volume), "volumeAttributesClassName"), "<unset>")),
    column("Reason", (volume) => textIn(status(volume), "reason")),
    AGE,
    wide("VolumeMode", (volume) => orNone(textIn(spec(volume), "volumeMode"), "<unset>")),
  ],
  Pod: [
    NAME,
    column("Ready", (pod, nowMs) => summarizePod(pod, nowMs).ready),
    column("Status", (pod, nowMs) => summarizePod(pod, nowMs).status),
    column("Restarts", (pod, nowMs) => summarizePod(pod, nowMs).restarts),
    AGE,
    wide("IP", (pod) => orNone(textIn(status(pod), "podIP"))),
    wide("Node", (pod) => orNone(textIn(spec(pod), "nodeName"))),
    wide("Nominated Node", (pod) => orNone(textIn(status(pod), "nominatedNodeName"))),
    wide("Readiness Gates", readinessGates),
  ],
  PodTemplate: [
    NAME,
    column("Containers", (template) =>
      joined(
        objectsIn(templateSpec(template), "containers").map((each) => textIn(each, "name")),
        "",
      ),
    ),
    column("Images", (template) =>
      joined(
        objectsIn(templateSpec(template), "containers").map((each) => textIn(each, "image")),
        "",
      ),
    ),
    column("Pod Labels", (template) =>
      orNone(selectorText(objectIn(objectIn(objectIn(template, "template"), "metadata"), "labels"))),
    ),
  ],
  ReplicationController: [
    NAME,
    count("Desired", (object) => numberIn(spec(object), "replicas") ?? 0),
    count("Current", (object) => numberIn(status(object), "replicas") ?? 0),
    count("Ready", (object) => numberIn(status(object), "readyReplicas") ?? 0),
    AGE,
    ...containerColumns((object) => objectIn(objectIn(spec(object), "template"), "spec")),
    wide("Selector", (object) => orNone(selectorText(objectIn(spec(object), "selector")))),
  ],
  Secret: [
    NAME,
    column("Type", (secret) => textIn(secret, "type")),
    column("Data", (secret) => sizeOf(objectIn(secret, "data"))),
    AGE,
  ],
  Service: [
    NAME,
    column("Type", (service) => textIn(spec(service), "type")),
    column("Cluster-IP", (service) => orNone(textIn(spec(service), "clusterIP"))),
    column("External-IP", externalAddress),
    column("Port(s)", servicePorts),
    AGE,
    wide("Selector", (service) => orNone(selectorText(objectIn(spec(service), "selector")))),
  ],
  ServiceAccount: [NAME, AGE],
  LimitRange: [NAME, CREATED_AT],
};

/** Returns the columns of events, whose fields have other names in `events.k8s.io`. */
export function eventColumns(names: {
  readonly object: string;
  readonly message: string;
  readonly source: string;
}): readonly Column[] {
  return [
    column("Last Seen", lastSeen),
    column("Type", (event) => textIn(event, "type")),
    column("Reason", (event) => textIn(event, "reason")),
    column("Object", (event) => {
      const reference = objectIn(event, names.object);
      return `${textIn(reference, "kind").toLowerCase()}/${textIn(reference, "name")}`;
    }),
    wide("Subobject", (event) => textIn(objectIn(event, names.object), "fieldPath")),
    wide("Source", (event) => eventSource(event, names.source)),
    column("Message", (event) => textIn(event, names.message).trim()),
    wide("First Seen", firstSeen),
    wide("Count", eventCount),
    column("Name", NAME.cell, { format: "name", priority: 1 }),
  ];
}

function eventTime(event: Object, names: readonly string[]): string {
  return names.map((name) => textIn(event, name)).find((time) => time !== "") ?? "";
}

function lastSeen(event: Object, nowMs: number): string {
  const series = textIn(objectIn(event, "series"), "lastObservedTime");
  const time = series || eventTime(event, ["lastTimestamp", "deprecatedLastTimestamp", "eventTime", "firstTimestamp"]);
  return printAge(time, nowMs);
}

function firstSeen(event: Object, nowMs: number): string {
  return printAge(eventTime(event, ["firstTimestamp", "deprecatedFirstTimestamp", "eventTime"]), nowMs);
}

function eventCount(event: Object): number {
  return (
    numberIn(objectIn(event, "series"), "count") ?? numberIn(event, "count") ?? numberIn(event, "deprecatedCount") ?? 1
  );
}

function eventSource(event: Object, name: string): string {
  const source = objectIn(event, name) ?? objectIn(event, "deprecatedSource");
  const component =
    textIn(source, "component") || textIn(event, "reportingComponent") || textIn(event, "reportingController");
  const host = textIn(source, "host") || textIn(event, "reportingInstance");
  return joined(
    [component, host].filter((part) => part !== ""),
    "",
  ).replace(",", ", ");
}

const templateSpec = (template: Object): Object | undefined => objectIn(objectIn(template, "template"), "spec");

const MOST_ENDPOINTS = 3;

function endpointsText(endpoints: Object): string {
  const all = objectsIn(endpoints, "subsets").flatMap((subset) => {
    const addresses = objectsIn(subset, "addresses").map((address) => textIn(address, "ip"));
    const ports = objectsIn(subset, "ports").map((port) => numberIn(port, "port") ?? 0);
    return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((address) => `${address}:${port}`));
  });
  const rest = all.length - MOST_ENDPOINTS;
  return rest > 0 ? `${all.slice(0, MOST_ENDPOINTS).join(",")} + ${rest} more...` : joined(all);
}

function nodeStatus(node: Object): string {
  const ready = objectsIn(status(node), "conditions").find((condition) => condition["type"] === "Ready");
  const state = ready === undefined ? "Unknown" : ready["status"] === "True" ? "Ready" : "NotReady";
  return spec(node)?.["unschedulable"] === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles(node: Object): string {
  const labels = objectIn(objectIn(node, "metadata"), "labels") ?? {};
  const prefix = "node-role.kubernetes.io/";
  const roles = Object.keys(labels)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
  return joined(roles.sort());
}

const nodeInfo = (node: Object, name: string): string => textIn(objectIn(status(node), "nodeInfo"), name);

function nodeAddress(node: Object, type: string): string {
  const address = objectsIn(status(node), "addresses").find((each) => each["type"] === type);
  return orNone(textIn(address, "address"));
}

const ACCESS_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

const accessModes = (modes: readonly string[]): string => modes.map((mode) => ACCESS_MODES[mode] ?? mode).join(",");

function claimText(reference: Object | undefined): string {
  return reference === undefined ? "" : `${textIn(reference, "namespace")}/${textIn(reference, "name")}`;
}

function readinessGates(pod: Object): string {
  const gates = objectsIn(spec(pod), "readinessGates");
  const conditions = objectsIn(status(pod), "conditions");
  const met = gates.filter((gate) =>
    conditions.some((condition) => condition["type"] === gate["conditionType"] && condition["status"] === "True"),
  );
  return gates.length === 0 ? "<none>" : `${met.length}/${gates.length}`;
}

function externalAddress(service: Object): string {
  const own = spec(service);
  const listed = textsIn(own, "externalIPs");
  switch (textIn(own, "type")) {
    case "ExternalName":
      return textIn(own, "externalName");
    case "LoadBalancer": {
      const ingress = objectsIn(objectIn(status(service), "loadBalancer"), "ingress");
      const addresses = [...ingress.map((each) => textIn(each, "ip") || textIn(each, "hostname")), ...listed];
      return joined(addresses, "<pending>");
    }
    default:
      return joined(listed);
  }
}

function servicePorts(service: Object): string {
  const ports = objectsIn(spec(service), "ports").map((port) => {
    const nodePort = numberIn(port, "nodePort") ?? 0;
    const numbers = nodePort === 0 ? String(numberIn(port, "port")) : `${numberIn(port, "port") ?? 0}:${nodePort}`;
    return `${numbers}/${textIn(port, "protocol")}`;
  });
  return joined(ports);
}

/** Returns what is used of what a quota allows, as its status tells. */
function usageText(quota: Object, isShown: (resource: string) => boolean): string {
  const hard = objectIn(status(quota), "hard") ?? {};
  const used = objectIn(status(quota), "used") ?? {};
  return Object.keys(hard)
    .filter((resource) => isShown(resource))
    .toSorted()
    .map((resource) => `${resource}: ${scalarText(used[resource], "0")}/${scalarText(hard[resource], "0")}`)
    .join(", ");
}

function kernelVersion(node: Object): string {
  const [version, architecture] = [
    orNone(nodeInfo(node, "kernelVersion"), "<unknown>"),
    nodeInfo(node, "architecture"),
  ];
  return architecture !== "" && since("1.36") ? `${version} (${architecture})` : version;
}
