import { newNotFound } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { refusal } from "../../pipeline/extension-points.ts";
import type { NodeWrite } from "./node-write.ts";
import { referencedObjects } from "./pod-references.ts";

const PODS = { group: "", resource: "pods" } as const;
const NODES = { group: "", resource: "nodes" } as const;
const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

/** Admits the creation of a mirror Pod, and the deletion of a Pod of the node. */
export function admitPod(write: NodeWrite): void {
  const { attributes, node } = write;
  switch (attributes.operation) {
    case "CREATE":
      return admitMirrorPod(write);
    case "DELETE":
      if (storedPod(write, attributes.name).spec?.nodeName === node) return;
      throw refusal(attributes, `node ${quote(node)} can only delete pods with spec.nodeName set to itself`);
    default:
      throw refusal(
        attributes,
        `unexpected operation ${quote(attributes.operation)}, node ${quote(node)} can only create and delete mirror pods`,
      );
  }
}

const quote = (text: string): string => JSON.stringify(text);

function storedPod({ context, attributes }: NodeWrite, name: string): Pod {
  const found = context.objects.get(PODS, { namespace: attributes.namespace, name }) as Pod | undefined;
  if (found === undefined) throw newNotFound(PODS, name);
  return found;
}

function admitMirrorPod(write: NodeWrite): void {
  const { attributes, node } = write;
  const pod = attributes.object as unknown as Pod;
  const { annotations = {}, ownerReferences = [] } = pod.metadata;
  const refuse = (message: string): never => {
    throw refusal(attributes, message);
  };
  if (annotations[MIRROR_ANNOTATION] === undefined) {
    refuse(`pod does not have ${quote(MIRROR_ANNOTATION)} annotation, node ${quote(node)} can only create mirror pods`);
  }
  const may = `node ${quote(node)} can only create pods with`;
  if (pod.spec?.nodeName !== node) refuse(`${may} spec.nodeName set to itself`);
  const [owner, ...others] = ownerReferences;
  if (others.length > 0) refuse(`${may} a single owner reference set to itself`);
  if (owner === undefined) refuse(`${may} an owner reference set to itself`);
  else checkOwner(write, owner, refuse);
  const referenced = referencedObjects(pod);
  if (referenced !== undefined) refuse(`node ${quote(node)} can not create pods that reference ${referenced}`);
}

function checkOwner({ context, node }: NodeWrite, owner: OwnerReference, refuse: (message: string) => never): void {
  const may = `node ${quote(node)} can only create pods with`;
  if (owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node) {
    refuse(`${may} an owner reference set to itself`);
  }
  if (owner.controller !== true) refuse(`${may} a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true) {
    refuse(`node ${quote(node)} must not set blockOwnerDeletion on an owner reference`);
  }
  const stored = context.objects.get(NODES, { namespace: "", name: node });
  if (stored === undefined) throw newNotFound({ group: "", resource: "node" }, node);
  const { uid = "" } = stored.metadata;
  if (owner.uid !== uid) refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
}

/** Admits the status of a Pod of the node, without other changes. */
export function admitPodStatus({ attributes, node }: NodeWrite): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== "UPDATE") throw refusal(attributes, `unexpected operation ${quote(operation)}`);
  const [pod, old] = [object, oldObject] as unknown as readonly [Pod, Pod];
  if (old.spec?.nodeName !== node) {
    throw refusal(
      attributes,
      `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`,
    );
  }
  if (!deepEqual(pod.metadata.labels ?? {}, old.metadata.labels ?? {})) {
    throw refusal(attributes, `node ${quote(node)} cannot update labels through pod status`);
  }
  if (!deepEqual(pod.status?.resourceClaimStatuses ?? [], old.status?.resourceClaimStatuses ?? [])) {
    throw refusal(attributes, `node ${quote(node)} cannot update resource claim statues`);
  }
  if (!deepEqual(pod.status?.extendedResourceClaimStatus, old.status?.extendedResourceClaimStatus)) {
    throw refusal(attributes, `node ${quote(node)} cannot update extended resource claim status`);
  }
}

/** Admits the eviction of a Pod of the node. */
export function admitPodEviction(write: NodeWrite): void {
  const { attributes, node } = write;
  if (attributes.operation !== "CREATE") throw refusal(attributes, `unexpected operation ${attributes.operation}`);
  const name = attributes.name === "" ? (attributes.object?.metadata.name ?? "") : attributes.name;
  if (name === "") throw refusal(attributes, "could not determine pod from request data");
  if (storedPod(write, name).spec?.nodeName === node) return;
  throw refusal(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
