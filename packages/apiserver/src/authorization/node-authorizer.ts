import { parseFieldSelector, requiredFieldValue } from "@kubescaffold/k8s";
import type { PersistentVolume, Pod } from "@kubescaffold/k8s/core/v1";

import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { nodeOfKubelet } from "../request/kubelet-names.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { nodeRules } from "./bootstrap-policy.ts";
import { type ReferencedKind, refersTo, volumeRefersTo } from "./node-references.ts";
import { type PolicyRule, ruleAllows } from "./rbac-authorizer.ts";

/** Authorizes kubelets: by rules that all nodes have, and by the Pods on their node for what these Pods refer to. */
export function nodeAuthorizer(context: ServerContext): Authorizer {
  let rules: readonly PolicyRule[] | undefined;
  const rulesOfNodes = (): readonly PolicyRule[] => (rules ??= nodeRules(context.release));
  return { authorize: (attributes) => decide(context, attributes, rulesOfNodes) };
}

function decide(
  context: ServerContext,
  attributes: AuthorizationAttributes,
  rulesOfNodes: () => readonly PolicyRule[],
): AuthorizationDecision {
  const node = nodeOfKubelet(attributes.user);
  if (node === undefined) return NO_OPINION;
  if (node === "") return refused(`unknown node for user ${JSON.stringify(attributes.user.name)}`);
  const check = attributes.isResourceRequest ? CHECKS[resourceOf(attributes)] : undefined;
  if (check !== undefined) return check({ context, node, attributes });
  return rulesOfNodes().some((rule) => ruleAllows(rule, attributes)) ? ALLOWED : NO_OPINION;
}

const ALLOWED: AuthorizationDecision = { allowed: true, reason: "" };
const NO_OPINION: AuthorizationDecision = { allowed: false, reason: "" };
const refused = (reason: string): AuthorizationDecision => ({ allowed: false, reason });

interface NodeRequest {
  readonly context: ServerContext;
  readonly node: string;
  readonly attributes: AuthorizationAttributes;
}

type Check = (request: NodeRequest) => AuthorizationDecision;

const resourceOf = ({ group, resource }: AuthorizationAttributes): string =>
  group === "" ? resource : `${resource}.${group}`;

const CHECKS: Readonly<Record<string, Check>> = {
  secrets: (request) => readNamespaced(request, () => isReferenced(request, "secrets") || isSecretOfVolume(request)),
  configmaps: (request) => readNamespaced(request, () => isReferenced(request, "configmaps")),
  persistentvolumeclaims: (request) => claim(request),
  persistentvolumes: (request) => getOne(request, () => isVolumeOfNode(request)),
  "resourceclaims.resource.k8s.io": (request) => getOne(request, () => isReferenced(request, "resourceclaims")),
  "volumeattachments.storage.k8s.io": (request) => getOne(request, () => isBoundTo(request, ATTACHMENTS)),
  serviceaccounts: (request) => serviceAccount(request),
  "leases.coordination.k8s.io": (request) => lease(request),
  "csinodes.storage.k8s.io": (request) => csiNode(request),
  "resourceslices.resource.k8s.io": (request) => resourceSlice(request),
  nodes: (request) => nodeObject(request),
  pods: (request) => pod(request),
  "podcertificaterequests.certificates.k8s.io": () => NO_OPINION,
};

const OBJECT_VERBS: ReadonlySet<string> = new Set(["get", "create", "update", "patch", "delete"]);
const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

function readNamespaced(request: NodeRequest, isRelated: () => boolean): AuthorizationDecision {
  const { verb, subresource, namespace } = request.attributes;
  if (!READS.has(verb)) return refused("can only read resources of this type");
  if (subresource !== "") return refused("cannot read subresource");
  if (namespace === "") return refused("can only read namespaced object of this type");
  return related(request, isRelated);
}

function getOne(request: NodeRequest, isRelated: () => boolean): AuthorizationDecision {
  const { verb, subresource } = request.attributes;
  if (verb !== "get") return refused("can only get individual resources of this type");
  if (subresource !== "") return refused("cannot get subresource");
  return related(request, isRelated);
}

function related({ node, attributes }: NodeRequest, isRelated: () => boolean): AuthorizationDecision {
  if (attributes.name === "") return refused("No Object name found");
  return isRelated() ? ALLOWED : unrelated(node);
}

function unrelated(node: string): AuthorizationDecision {
  return refused(`no relationship found between node '${node}' and this object`);
}

function claim(request: NodeRequest): AuthorizationDecision {
  const isRelated = (): boolean => isReferenced(request, "persistentvolumeclaims");
  const { verb, subresource } = request.attributes;
  if (subresource !== "status") return getOne(request, isRelated);
  if (verb !== "update" && verb !== "patch") return refused("can only get/update/patch this type");
  return related(request, isRelated);
}

function serviceAccount(request: NodeRequest): AuthorizationDecision {
  const { verb, subresource, name } = request.attributes;
  const isRelated = (): boolean => isReferenced(request, "serviceaccounts");
  if (verb === "get" && subresource === "") return readNamespaced(request, isRelated);
  if (verb !== "create" || name === "") return refused("can only create tokens for individual service accounts");
  if (subresource !== "token") return refused("can only create token subresource of serviceaccount");
  return isRelated() ? ALLOWED : unrelated(request.node);
}

const LEASE_NAMESPACE = "kube-node-lease";

// The name of a new object is not known here: admission compares it.
function lease({ node, attributes }: NodeRequest): AuthorizationDecision {
  const { verb, namespace, name } = attributes;
  if (!OBJECT_VERBS.has(verb)) return refused("can only get, create, update, patch, or delete a node lease");
  if (namespace !== LEASE_NAMESPACE) {
    return refused(`can only access leases in the ${JSON.stringify(LEASE_NAMESPACE)} system namespace`);
  }
  if (verb === "create" || name === node) return ALLOWED;
  return refused("can only access node lease with the same name as the requesting node");
}

function csiNode({ node, attributes }: NodeRequest): AuthorizationDecision {
  const { verb, subresource, name } = attributes;
  if (!OBJECT_VERBS.has(verb)) return refused("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return refused("cannot authorize CSINode subresources");
  if (verb === "create" || name === node) return ALLOWED;
  return refused("can only access CSINode with the same name as the requesting node");
}

function resourceSlice(request: NodeRequest): AuthorizationDecision {
  const { verb, subresource } = request.attributes;
  if (subresource !== "") return refused("cannot authorize ResourceSlice subresources");
  switch (verb) {
    case "create":
      return ALLOWED;
    case "get":
    case "update":
    case "patch":
    case "delete":
      return related(request, () => isBoundTo(request, SLICES));
    case "watch":
    case "list":
    case "deletecollection":
      return selects(request, "spec.nodeName")
        ? ALLOWED
        : refused("can only list/watch/deletecollection resourceslices with nodeName field selector");
    default:
      return refused(
        "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
      );
  }
}

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch"]);

function nodeObject({ node, attributes }: NodeRequest): AuthorizationDecision {
  const { verb, subresource, name } = attributes;
  if (subresource === "status") return verb === "update" || verb === "patch" ? ALLOWED : NO_OPINION;
  if (subresource !== "") return NO_OPINION;
  if (WRITES.has(verb)) return ALLOWED;
  if (!READS.has(verb)) return NO_OPINION;
  if (name === node) return ALLOWED;
  return refused(
    name === ""
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

function pod(request: NodeRequest): AuthorizationDecision {
  const { verb, subresource, name } = request.attributes;
  if (subresource === "status") return verb === "update" || verb === "patch" ? ALLOWED : NO_OPINION;
  if (subresource === "eviction") return verb === "create" ? ALLOWED : NO_OPINION;
  if (subresource !== "") return NO_OPINION;
  switch (verb) {
    case "get":
      return getOne(request, () => isPodOfNode(request));
    case "list":
    case "watch":
      if (selects(request, "spec.nodeName")) return ALLOWED;
      if (name !== "") return related(request, () => isPodOfNode(request));
      return refused("can only list/watch pods with spec.nodeName field selector");
    case "create":
    case "delete":
      return ALLOWED;
    default:
      return NO_OPINION;
  }
}

// Reports whether a field selector requires the node of the request.
function selects({ node, attributes }: NodeRequest, field: string): boolean {
  const { fieldSelector = "" } = attributes;
  if (!fieldSelector.includes(field)) return false;
  try {
    return requiredFieldValue(parseFieldSelector(fieldSelector), field) === node;
  } catch {
    // The handler answers what is wrong with it.
    return false;
  }
}

const PODS = { group: "", resource: "pods" } as const;
const VOLUMES = { group: "", resource: "persistentvolumes" } as const;
const ATTACHMENTS = { group: "storage.k8s.io", resource: "volumeattachments" } as const;
const SLICES = { group: "resource.k8s.io", resource: "resourceslices" } as const;

function podsOf({ context, node }: NodeRequest, namespace: string): readonly Pod[] {
  const pods = context.objects.list(PODS, namespace) as readonly unknown[] as readonly Pod[];
  return pods.filter(({ spec }) => spec?.nodeName === node);
}

function isReferenced(request: NodeRequest, kind: ReferencedKind): boolean {
  const { namespace, name } = request.attributes;
  return podsOf(request, namespace).some((each) => refersTo(each, kind, name));
}

function isPodOfNode(request: NodeRequest): boolean {
  const { namespace, name } = request.attributes;
  return podsOf(request, namespace).some(({ metadata }) => metadata.name === name);
}

function isVolumeOfNode(request: NodeRequest): boolean {
  const { name } = request.attributes;
  const volume = request.context.objects.get(VOLUMES, { namespace: "", name });
  return volume !== undefined && isClaimedOnNode(request, volume);
}

function isSecretOfVolume(request: NodeRequest): boolean {
  const { namespace, name } = request.attributes;
  const volumes = request.context.objects.list(VOLUMES) as readonly unknown[] as readonly PersistentVolume[];
  return volumes.some((volume) => volumeRefersTo(volume, namespace, name) && isClaimedOnNode(request, volume));
}

function isClaimedOnNode(request: NodeRequest, { spec }: PersistentVolume): boolean {
  const { namespace = "", name = "" } = spec?.claimRef ?? {};
  return podsOf(request, namespace).some((each) => refersTo(each, "persistentvolumeclaims", name));
}

function isBoundTo({ context, node, attributes }: NodeRequest, resource: typeof ATTACHMENTS | typeof SLICES): boolean {
  const object: ApiObject | undefined = context.objects.get(resource, { namespace: "", name: attributes.name });
  return object !== undefined && (object["spec"] as { readonly nodeName?: string } | undefined)?.nodeName === node;
}
