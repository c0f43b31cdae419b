import type { MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textIn } from "../../fields.ts";

const FILE_MODE = 0o644;

/** Sets the defaults of a pod's spec, in a pod or in a template. */
export function setPodSpecDefaults(spec: MutableJsonObject): void {
  setEmpty(spec, { restartPolicy: "Always", dnsPolicy: "ClusterFirst", schedulerName: "default-scheduler" });
  setAbsent(spec, { terminationGracePeriodSeconds: 30, securityContext: {} });
  setServiceAccount(spec);
  const containers = [...objectsIn(spec, "initContainers"), ...objectsIn(spec, "containers")];
  containers.forEach((container) => setContainerDefaults(container));
  objectsIn(spec, "ephemeralContainers").forEach((container) => setContainerDefaults(container));
  objectsIn(spec, "volumes").forEach((volume) => setVolumeDefaults(volume));
  if (spec["hostNetwork"] === true) {
    containers
      .flatMap((container) => objectsIn(container, "ports"))
      .forEach((port) => setAbsent(port, { hostPort: port["containerPort"] }));
  }
}

/** Sets the defaults of a pod's spec in the template of a workload, if it has one. */
export function setTemplateDefaults(workload: MutableJsonObject | undefined): void {
  if (workload !== undefined) {
    setPodSpecDefaults(ensureObject(ensureObject(workload, "template"), "spec"));
  }
}

// The older name of the field always says the same.
function setServiceAccount(spec: MutableJsonObject): void {
  const name = textIn(spec, "serviceAccountName") || textIn(spec, "serviceAccount");
  if (name !== "") {
    spec["serviceAccountName"] = name;
    spec["serviceAccount"] = name;
  }
}

function setContainerDefaults(container: MutableJsonObject): void {
  setEmpty(container, {
    imagePullPolicy: pullPolicyOf(textIn(container, "image")),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
  objectsIn(container, "ports").forEach((port) => setEmpty(port, { protocol: "TCP" }));
  for (const variable of objectsIn(container, "env")) {
    setEmpty(objectIn(objectIn(variable, "valueFrom"), "fieldRef"), { apiVersion: "v1" });
  }
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    setProbeDefaults(objectIn(container, probe));
  }
  for (const hook of ["postStart", "preStop"]) {
    const handler = objectIn(objectIn(container, "lifecycle"), hook);
    setEmpty(objectIn(handler, "httpGet"), { path: "/", scheme: "HTTP" });
  }
}

function pullPolicyOf(image: string): string {
  const tag = /:([^/:@]+)$/.exec(image)?.[1];
  return image.includes("@") || (tag !== undefined && tag !== "latest") ? "IfNotPresent" : "Always";
}

function setProbeDefaults(probe: MutableJsonObject | undefined): void {
  setAbsent(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  setEmpty(objectIn(probe, "httpGet"), { path: "/", scheme: "HTTP" });
  setAbsent(objectIn(probe, "grpc"), { service: "" });
}

/** Sets what only pods get, not templates: what a container may use at most it also asks for, unless it says otherwise. */
export function setPodRequests(spec: MutableJsonObject): void {
  const containers = [...objectsIn(spec, "initContainers"), ...objectsIn(spec, "containers")];
  containers.forEach((container) => setRequests(objectIn(container, "resources")));
}

function setRequests(resources: MutableJsonObject | undefined): void {
  const limits = objectIn(resources, "limits");
  if (resources !== undefined && limits !== undefined && Object.keys(limits).length > 0) {
    setAbsent(ensureObject(resources, "requests"), limits);
  }
}

const FILE_SOURCES = ["configMap", "secret", "projected", "downwardAPI"] as const;

function setVolumeDefaults(volume: MutableJsonObject): void {
  const sources = Object.keys(volume).filter((key) => key !== "name");
  if (sources.length === 0) {
    volume["emptyDir"] = {};
  }
  for (const source of FILE_SOURCES) {
    setAbsent(objectIn(volume, source), { defaultMode: FILE_MODE });
  }
  setAbsent(objectIn(volume, "hostPath"), { type: "" });
  setDownwardDefaults(objectIn(volume, "downwardAPI"));
  for (const source of objectsIn(objectIn(volume, "projected"), "sources")) {
    setAbsent(objectIn(source, "serviceAccountToken"), { expirationSeconds: 3600 });
    setDownwardDefaults(objectIn(source, "downwardAPI"));
  }
  setClaimDefaults(objectIn(objectIn(objectIn(volume, "ephemeral"), "volumeClaimTemplate"), "spec"));
}

function setDownwardDefaults(downward: MutableJsonObject | undefined): void {
  for (const item of objectsIn(downward, "items")) {
    setEmpty(objectIn(item, "fieldRef"), { apiVersion: "v1" });
  }
}

/** Sets the defaults of a claim's spec. */
export function setClaimDefaults(spec: MutableJsonObject | undefined): void {
  setAbsent(spec, { volumeMode: "Filesystem" });
}
