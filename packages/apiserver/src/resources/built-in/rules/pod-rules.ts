import { deepClone } from "@kubescaffold/k8s";

import { isEnabled } from "../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, objectsIn, setAbsent, textIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { setAppArmorProfiles } from "./containers/app-armor.ts";
import { completePodLevelResources, setPodLevelResources } from "./pod-level-defaults.ts";
import {
  completePodSpec,
  setHostPorts,
  setPodRequests,
  setPodSpecDefaults,
  setTemplateDefaults,
} from "./pod-spec-defaults.ts";
import { keepAllButEphemeral, keepUnchanged } from "./pod/kept-fields.ts";
import { mergeLabelKeys } from "./pod/label-keys.ts";
import { preparePodStatus } from "./pod/prepare-pod-status.ts";
import { qosClassOf } from "./pod/quality-of-service.ts";

/** Rules of pods beyond their schema. */
export const podRules: BuiltInRules = {
  generationFields: ["spec"],
  returnsDeletedObject: true,
  selectableFields: {
    "spec.nodeName": (pod) => textIn(specOf(pod), "nodeName"),
    "spec.restartPolicy": (pod) => textIn(specOf(pod), "restartPolicy"),
    "spec.schedulerName": (pod) => textIn(specOf(pod), "schedulerName"),
    "spec.serviceAccountName": (pod) => textIn(specOf(pod), "serviceAccountName"),
    "spec.hostNetwork": (pod) => String(specOf(pod)?.["hostNetwork"] === true),
    "status.phase": (pod) => textIn(statusOf(pod), "phase"),
    "status.podIP": (pod) => textIn(statusOf(pod), "podIP"),
    "status.podIPs": (pod) =>
      objectsIn(statusOf(pod), "podIPs")
        .map((ip) => textIn(ip, "ip"))
        .join(","),
    "status.nominatedNodeName": (pod) => textIn(statusOf(pod), "nominatedNodeName"),
  },
  setDefaults: (pod) => {
    const spec = ensureObject(pod, "spec");
    if ((numberIn(spec, "terminationGracePeriodSeconds") ?? 0) < 0) spec["terminationGracePeriodSeconds"] = 1;
    setPodSpecDefaults(spec);
    setPodRequests(spec);
    // Webhooks may add containers.
    if (!isEnabled("PodLevelResourcesFixDefaulting")) setPodLevelResources(spec);
    setHostPorts(spec);
    setAbsent(spec, { enableServiceLinks: true });
    setAddresses(statusOf(pod));
  },
  complete: (pod) => completePodSpec(specOf(pod)),
  prepareForCreate: (pod, { warn }) => {
    const spec = specOf(pod);
    // Set by admission plugins of every server: no priority, and patience with nodes that fail.
    setAbsent(spec, { priority: 0, preemptionPolicy: "PreemptLowerPriority" });
    addTolerations(spec);
    if (spec !== undefined && isEnabled("PodLevelResourcesFixDefaulting")) completePodLevelResources(spec);
    const isGated = objectsIn(spec, "schedulingGates").length > 0;
    pod["status"] = {
      phase: "Pending",
      ...(isGated
        ? {
            conditions: [{ ...GATED, lastProbeTime: null, lastTransitionTime: pod.metadata.creationTimestamp ?? null }],
          }
        : {}),
      qosClass: qosClassOf(spec),
    };
    mergeLabelKeys(pod);
    setAppArmorProfiles(pod, warn);
  },
  prepareForUpdate: (pod, old, { subresource }) => {
    if (subresource === "resize") keepUnchanged(pod, old);
    if (isEnabled("PodLevelResourcesFixDefaulting") && subresource !== "status")
      keepPodLevelResources(pod, old, subresource);
    if (subresource === "ephemeralcontainers") keepAllButEphemeral(pod, old);
    if (subresource === "") {
      keepPriority(specOf(pod), specOf(old));
      dropEmptyOverhead(specOf(pod));
      addTolerations(specOf(pod));
    }
    if (subresource === "status") preparePodStatus(pod, old);
    const status = statusOf(pod);
    if (subresource === "" && status !== undefined && status["qosClass"] === undefined) {
      pod["status"] = { ...status, qosClass: qosClassOf(specOf(old)) };
    }
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { podChecks } = await import("./pod-kind/pod-checks.ts");
    return podChecks;
  },
  gracePeriod: (pod, requestedSeconds) => gracePeriodOf(pod, requestedSeconds),
};

// The address, which older kubelets write alone, is the first of the addresses.
function setAddresses(status: MutableJsonObject | undefined): void {
  const [first] = objectsIn(status, "podIPs");
  const address = textIn(status, "podIP");
  if (status === undefined) return;
  if (address !== "" && address !== textIn(first, "ip")) status["podIPs"] = [{ ip: address }];
  else if (first?.["ip"] !== undefined) status["podIP"] = first["ip"];
}

const specOf = (pod: ApiObject): MutableJsonObject | undefined => objectIn(pod, "spec");
const statusOf = (pod: ApiObject): MutableJsonObject | undefined => objectIn(pod, "status");

// A client that does not know the resources of a Pod as a whole does not remove them.
function keepPodLevelResources(pod: ApiObject, old: ApiObject, subresource: string): void {
  const [spec, resources] = [specOf(pod), specOf(old)?.["resources"]];
  if (spec === undefined || subresource === "ephemeralcontainers") return;
  if (resources !== undefined) setAbsent(spec, { resources: deepClone(resources) });
  if (subresource === "resize") completePodLevelResources(spec);
}

// A client that does not know the fields does not remove them.
function keepPriority(spec: MutableJsonObject | undefined, former: MutableJsonObject | undefined): void {
  for (const field of ["priority", "preemptionPolicy"]) {
    if (former?.[field] !== undefined) setAbsent(spec, { [field]: former[field] });
  }
}

// Only new Pods are refused for it.
function dropEmptyOverhead(spec: MutableJsonObject | undefined): void {
  const overhead = objectIn(spec, "overhead");
  if (overhead !== undefined && Object.keys(overhead).length === 0) delete spec?.["overhead"];
}

const GATED = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
} as const;

const NODE_FAILURES = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] as const;
const TOLERATED_SECONDS = 300;

function addTolerations(spec: MutableJsonObject | undefined): void {
  if (spec !== undefined) spec["tolerations"] = withFailureTolerations(objectsIn(spec, "tolerations"));
}

/** Returns the tolerations of a Pod with those of nodes that fail for some minutes. */
export function withFailureTolerations(present: readonly MutableJsonObject[]): readonly MutableJsonObject[] {
  const missing = NODE_FAILURES.filter((key) => !present.some((toleration) => tolerates(toleration, key)));
  const effect = { operator: "Exists", effect: "NoExecute", tolerationSeconds: TOLERATED_SECONDS } as const;
  return [...present, ...missing.map((key) => ({ key, ...effect }))];
}

function tolerates(toleration: MutableJsonObject, key: string): boolean {
  const effect = textIn(toleration, "effect");
  // Upstream asks neither for the operator nor for the value.
  const isForKey = textIn(toleration, "key") === key || textIn(toleration, "key") === "";
  return isForKey && (effect === "" || effect === "NoExecute");
}

function gracePeriodOf(pod: ApiObject, requestedSeconds: number | undefined): number {
  const spec = specOf(pod);
  const phase = textIn(statusOf(pod), "phase");
  const wanted = requestedSeconds ?? numberIn(spec, "terminationGracePeriodSeconds") ?? 0;
  // Nobody is there to end what does not run.
  if (textIn(spec, "nodeName") === "" || phase === "Succeeded" || phase === "Failed") {
    return 0;
  }
  return wanted < 0 ? 1 : wanted;
}

/** Rules of PodTemplates beyond their schema. */
export const podTemplateRules: BuiltInRules = {
  generationFields: ["template"],
  returnsDeletedObject: true,
  setDefaults: (podTemplate) => setTemplateDefaults(podTemplate),
  complete: (podTemplate) => completePodSpec(objectIn(objectIn(podTemplate, "template"), "spec")),
  checksEveryField: true,
  loadChecks: async () => {
    const { podTemplateChecks } = await import("./pod-kind/pod-checks.ts");
    return podTemplateChecks;
  },
};
