import { compareQuantities, quantityToBigInt } from "@kubescaffold/k8s";
import type { Container, Node, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import type { StorageClass } from "@kubescaffold/k8s/storage/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { type AdmissionAttributes, type AdmissionPlugin, refusal } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { forbidden } from "../request/failures.ts";
import { podAmounts } from "./limit-ranger/pod-resources.ts";

const STORAGE_CLASSES = { group: "storage.k8s.io", resource: "storageclasses" } as const;
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const NOT_ALLOWED =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

/** Refuses larger requests of claims whose StorageClass does not allow them; only bound claims are valid with other requests. */
export function claimResize({ objects }: Pick<ServerContext, "objects">): AdmissionPlugin {
  const allows = (name: string): boolean => {
    const found = name === "" ? undefined : objects.get(STORAGE_CLASSES, { namespace: "", name });
    return (found as StorageClass | undefined)?.allowVolumeExpansion === true;
  };
  return {
    name: "PersistentVolumeClaimResize",
    validate: (attributes) => {
      const { resource, subresource } = attributes;
      if (resource.group !== "" || resource.resource !== "persistentvolumeclaims" || subresource !== "") return;
      const claim = attributes.object as PersistentVolumeClaim | undefined;
      const old = attributes.oldObject as PersistentVolumeClaim | undefined;
      if (claim === undefined || old === undefined) return;
      if (compareQuantities(requestedSize(claim), requestedSize(old)) <= 0) return;
      if (classOf(claim) !== classOf(old) || !allows(classOf(claim))) throw refusal(attributes, NOT_ALLOWED);
    },
  };
}

/** Returns the size that a claim requests. */
export function requestedSize({ spec }: PersistentVolumeClaim): string {
  return spec?.resources?.requests?.["storage"] ?? "0";
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? "";
}

type Context = Pick<ServerContext, "objects" | "release">;

const NODES = { group: "", resource: "nodes" } as const;
const OS_LABEL = "kubernetes.io/os";

/** Refuses updates of a bound Pod that take features which its Node does not declare. */
export function nodeDeclaredFeatures(context: Context): AdmissionPlugin {
  return {
    name: "NodeDeclaredFeatureValidator",
    validate: (attributes) => {
      if (!context.release.isEnabled("NodeDeclaredFeatures")) return;
      const update = boundUpdate(attributes);
      if (update === undefined || (attributes.subresource !== "" && attributes.subresource !== "resize")) return;
      const features = featuresOf(update);
      if (features.length === 0) return;
      const node = nodeOf(context, attributes, update.pod);
      const declared: readonly string[] = node.status?.declaredFeatures ?? [];
      const missing = features.filter((feature) => !declared.includes(feature));
      if (missing.length === 0) return;
      throw refusal(
        attributes,
        `pod update requires features ${missing.join(", ")} which are not available on node ${JSON.stringify(node.metadata.name)}`,
      );
    },
  };
}

/** Refuses the resize of a bound Pod whose Node cannot resize it, or is too small for it. */
export function podResize(context: Context): AdmissionPlugin {
  return {
    name: "PodResizeValidator",
    validate: (attributes) => {
      const { release } = context;
      if (!release.since("1.36") || !release.isEnabled("InPlacePodVerticalScaling")) return;
      const update = attributes.subresource === "resize" ? boundUpdate(attributes) : undefined;
      if (update === undefined) return;
      const node = nodeOf(context, attributes, update.pod);
      const system = node.metadata.labels?.[OS_LABEL] ?? "linux";
      if (system !== "linux") {
        const message = `pod resize is only supported on linux nodes, node ${JSON.stringify(node.metadata.name)} is ${JSON.stringify(system)}`;
        throw unresizable(attributes, message, "UnsupportedPlatform");
      }
      const missing = missingAmounts(update.pod, node);
      if (missing.length === 0) return;
      const message = `node didn't have enough allocatable resources: ${missing.join("; ")}`;
      throw unresizable(attributes, message, "NodeCapacity");
    },
  };
}

interface PodUpdate {
  readonly pod: Pod;
  readonly old: Pod;
}

// Updates of other fields than those of the specification concern no Node.
function boundUpdate(attributes: AdmissionAttributes): PodUpdate | undefined {
  const { resource, operation, object, oldObject } = attributes;
  if (operation !== "UPDATE" || resource.group !== "" || resource.resource !== "pods") return undefined;
  const [pod, old] = [object as Pod | undefined, oldObject as Pod | undefined];
  if (pod?.spec === undefined || old === undefined || (pod.spec.nodeName ?? "") === "") return undefined;
  return deepEqual(pod.spec, old.spec) ? undefined : { pod, old };
}

function nodeOf({ objects }: Context, attributes: AdmissionAttributes, { spec }: Pod): Node {
  const name = spec?.nodeName ?? "";
  const node = objects.get(NODES, { namespace: "", name });
  if (node === undefined) throw refusal(attributes, `node ${JSON.stringify(name)} not found`);
  return node;
}

function featuresOf({ pod, old }: PodUpdate): readonly string[] {
  return [
    ...(deepEqual(pod.spec?.resources ?? {}, old.spec?.resources ?? {})
      ? []
      : ["InPlacePodLevelResourcesVerticalScaling"]),
    ...(hasResizedInit(pod, old) ? ["InPlacePodVerticalScalingInitContainers"] : []),
  ];
}

function hasResizedInit(pod: Pod, old: Pod): boolean {
  const containers: readonly Container[] = pod.spec?.initContainers ?? [];
  return (old.spec?.initContainers ?? []).some(
    ({ restartPolicy, resources }, index) =>
      restartPolicy !== "Always" && !deepEqual(resources ?? {}, containers[index]?.resources ?? {}),
  );
}

function missingAmounts({ spec }: Pod, { status }: Node): readonly string[] {
  const requests = spec === undefined ? {} : podAmounts(spec, "requests");
  return [
    { name: "cpu", scale: -3 },
    { name: "memory", scale: 0 },
  ].flatMap(({ name, scale }) => {
    const [requested = "0", allocatable = "0"] = [requests[name], status?.allocatable?.[name]];
    if (compareQuantities(requested, allocatable) <= 0) return [];
    const [wanted, there] = [requested, allocatable].map((amount) => quantityToBigInt(amount, scale));
    return [`${name}, requested: ${wanted}, allocatable: ${there}`];
  });
}

function unresizable({ resource, name }: AdmissionAttributes, message: string, reason: string): Error {
  return forbidden({ groupResource: resource, name }, message, [{ reason }]);
}
