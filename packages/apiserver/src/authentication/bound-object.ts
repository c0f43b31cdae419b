import { newConflict, newNotFound } from "@kubescaffold/k8s";

import type { ServerContext } from "../pipeline/server-context.ts";
import { badRequest } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** The object that a token is valid with, at most one of Pod, Secret, and Node; the token of a Pod also names its Node. */
export interface BoundObjects {
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
}

/** An object in the claims of a token; the Node of a Pod has no UID if it does not exist. */
export interface ObjectClaim {
  readonly name: string;
  readonly uid?: string;
}

/** `spec.boundObjectRef` of a TokenRequest. */
export interface BoundObjectReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** A service account. */
interface Account {
  readonly namespace: string;
  readonly name: string;
}

const PODS = { group: "", resource: "pods" } as const;
const SECRETS = { group: "", resource: "secrets" } as const;
const NODES = { group: "", resource: "nodes" } as const;

/** Returns the claims of a token that is bound to an object. Fails: with a status as kube-apiserver, if the object does not exist or cannot be bound to. */
export function boundObjects(context: ServerContext, account: Account, ref: BoundObjectReference): BoundObjects {
  const { kind = "", apiVersion = "", name = "", uid = "" } = ref;
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
  const bound = group === "" ? claimsFor(context, account, kind, name) : undefined;
  if (bound === undefined)
    throw badRequest(`cannot bind token to object of type ${group ?? ""}/${version ?? ""}, Kind=${kind}`);
  const actual = (bound.pod ?? bound.secret ?? bound.node)?.uid;
  if (uid !== "" && uid !== actual) {
    const reason = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw newConflict({ group: "", resource: kind }, name, reason);
  }
  return bound;
}

function claimsFor(context: ServerContext, account: Account, kind: string, name: string): BoundObjects | undefined {
  const { namespace } = account;
  switch (kind) {
    case "Pod":
      return podClaims(context, account, found(context, PODS, { namespace, name }));
    case "Secret":
      return { secret: claimOf(found(context, SECRETS, { namespace, name })) };
    case "Node":
      return { node: claimOf(found(context, NODES, { namespace: "", name })) };
    default:
      return undefined;
  }
}

function podClaims(context: ServerContext, account: Account, pod: ApiObject): BoundObjects {
  const { serviceAccountName = "", nodeName = "" } = (pod["spec"] ?? {}) as {
    readonly serviceAccountName?: string;
    readonly nodeName?: string;
  };
  if (serviceAccountName !== account.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.name)} to pod running with different serviceaccount name.`,
    );
  }
  if (nodeName === "") return { pod: claimOf(pod) };
  const node = context.objects.get(NODES, { namespace: "", name: nodeName });
  return { pod: claimOf(pod), node: node === undefined ? { name: nodeName } : claimOf(node) };
}

type Resource = typeof PODS | typeof SECRETS | typeof NODES;

function found(context: ServerContext, resource: Resource, key: Account): ApiObject {
  const object = context.objects.get(resource, key);
  if (object === undefined) throw newNotFound(resource, key.name);
  return object;
}

function claimOf({ metadata: { name = "", uid } }: ApiObject): ObjectClaim {
  return { name, ...(uid === undefined ? {} : { uid }) };
}

const INVALIDATED = "service account token has been invalidated";
// As kube-apiserver, whose caches may lag behind.
const LEEWAY_MS = 60_000;

/** Returns why the token of an account is invalid, in the words of kube-apiserver, if its bound object is gone; undefined for a valid token. */
export function boundProblem(context: ServerContext, namespace: string, bound: BoundObjects): string | undefined {
  const { pod, secret, node } = bound;
  if (secret !== undefined) {
    return problemOf(context, SECRETS, { namespace, name: secret.name }, (uid) =>
      uid === secret.uid
        ? undefined
        : `secret UID (${uid}) does not match service account secret ref claim (${secret.uid ?? ""})`,
    );
  }
  if (pod !== undefined) {
    return problemOf(context, PODS, { namespace, name: pod.name }, (uid) =>
      uid === pod.uid ? undefined : `pod UID (${uid}) does not match service account pod ref claim (${pod.uid ?? ""})`,
    );
  }
  if (node === undefined) return undefined;
  return problemOf(context, NODES, { namespace: "", name: node.name }, (uid) =>
    uid === node.uid
      ? undefined
      : `node UID (${uid}) does not match service account node ref claim (${node.uid ?? ""})`,
  );
}

function problemOf(
  context: ServerContext,
  resource: Resource,
  key: Account,
  mismatch: (uid: string) => string | undefined,
): string | undefined {
  const object = context.objects.get(resource, key);
  if (object === undefined) return INVALIDATED;
  const { uid = "", deletionTimestamp } = object.metadata;
  const isDeleted = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < context.clock.now() - LEEWAY_MS;
  return mismatch(uid) ?? (isDeleted ? INVALIDATED : undefined);
}
