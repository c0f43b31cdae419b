import type { MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textIn } from "../../fields.ts";
import { dropGatedFields } from "./pod-gated-fields.ts";

const FILE_MODE = 0o644;

/** Sets the defaults of a pod's spec, in a pod or in a template. */
export function setPodSpecDefaults(spec: MutableJsonObject): void {
  setEmpty(spec, { restartPolicy: "Always", dnsPolicy: "ClusterFirst", schedulerName: "default-scheduler" });
  setAbsent(spec, { terminationGracePeriodSeconds: 30, securityContext: {} });
  setServiceAccount(spec);
  dropGatedFields(spec);
  allContainers(spec).forEach((container) => setContainerDefaults(container));
  objectsIn(spec, "volumes").forEach((volume) => setVolumeDefaults(volume));
}

/** Gives the containers of a pod in the network of its host the ports of the host; templates get none. */
export function setHostPorts(spec: MutableJsonObject): void {
  if (spec["hostNetwork"] !== true) return;
  const containers = [...objectsIn(spec, "initContainers"), ...objectsIn(spec, "containers")];
  containers
    .flatMap((container) => objectsIn(container, "ports"))
    .forEach((port) => setAbsent(port, { hostPort: port["containerPort"] }));
}

/** Adds the lists and amounts of a pod's spec that are shown although they are empty. */
export function completePodSpec(spec: MutableJsonObject | undefined): void {
  for (const volume of objectsIn(spec, "volumes")) {
    const projected = objectIn(volume, "projected");
    if (projected !== undefined) projected["sources"] ??= null;
    for (const source of [volume, ...objectsIn(projected, "sources")])
      objectsIn(objectIn(source, "downwardAPI"), "items").forEach((item) => setDivisor(item));
  }
  for (const container of allContainers(spec))
    objectsIn(container, "env").forEach((variable) => setDivisor(objectIn(variable, "valueFrom")));
}

function allContainers(spec: MutableJsonObject | undefined): readonly MutableJsonObject[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => objectsIn(spec, list));
}

function setDivisor(source: MutableJsonObject | undefined): void {
  setAbsent(objectIn(source, "resourceFieldRef"), { divisor: "0" });
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

const REPOSITORY = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const DOMAIN =
  "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*(?::\\d+)?";
const TAG = String.raw`[\w][\w.-]{0,127}`;
const IMAGE = new RegExp(
  `^(?:${DOMAIN}/)?${REPOSITORY}(?:/${REPOSITORY})*(?::(?<tag>${TAG}))?(?<digest>@[A-Za-z][A-Za-z0-9]*:[0-9a-fA-F]{32,})?$`,
);

// An image whose name cannot be read has no tag, which is not the latest one.
function pullPolicyOf(image: string): string {
  const name = IMAGE.exec(image)?.groups;
  const isLatest = name !== undefined && name["digest"] === undefined && (name["tag"] ?? "latest") === "latest";
  return isLatest && pathLength(image, name["tag"]) <= LONGEST_PATH ? "Always" : "IfNotPresent";
}

const LONGEST_PATH = 255;
const DEFAULT_FOLDER = "library/";

// Without the domain; an image without a folder is in one of the default registry.
function pathLength(image: string, tag: string | undefined): number {
  const name = tag === undefined ? image : image.slice(0, -(tag.length + 1));
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(0, slash));
  const path = /[.:]|^localhost$/u.test(first) ? name.slice(slash + 1) : name;
  const isDefault = path === name || first === "docker.io";
  return path.length + (isDefault && !path.includes("/") ? DEFAULT_FOLDER.length : 0);
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
  const image = objectIn(volume, "image");
  if (image !== undefined) setEmpty(image, { pullPolicy: pullPolicyOf(textIn(image, "reference")) });
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
