import { apiVersionOf, type GroupVersion, type GroupVersionKind } from "@kubescaffold/k8s";

import type { ResourceType, SubresourceType } from "../resources/registry.ts";

/** One operation of a resource. */
export interface ResourceOperation {
  readonly path: string;
  /** The HTTP method. */
  readonly method: string;
  readonly action: Action;
  /** The name by which code generators call it. */
  readonly id: string;
  /** The kind of the resource, or of the subresource. */
  readonly gvk: GroupVersionKind;
}

/** The value of `x-kubernetes-action`. */
export type Action =
  | "get"
  | "list"
  | "watch"
  | "watchlist"
  | "post"
  | "put"
  | "patch"
  | "delete"
  | "deletecollection"
  | "connect";

/** Returns the operations of a resource and its subresources. */
export function operationsOf(type: ResourceType): readonly ResourceOperation[] {
  return [
    ...ownOperations(type),
    ...type.subresourceTypes.flatMap((each) =>
      isConnect(each) ? connectOperations(type, each) : subresourceOperations(type, each),
    ),
  ];
}

/** Returns the path of a group-version, such as `/apis/apps/v1`. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  return group === "" ? `/api/${version}` : `/apis/${apiVersionOf({ group, version })}`;
}

/** Returns a group as names of operations contain it: `rbac.authorization.k8s.io` is `RbacAuthorization`. */
export function groupTitle(group: string): string {
  return group === ""
    ? "Core"
    : group
        .replace(/\.k8s\.io$/u, "")
        .split(/[^A-Za-z0-9]/u)
        .map(title)
        .join("");
}

/** Returns a group-version as names of operations contain it, such as `AppsV1`. */
export function versionTitle({ group, version }: GroupVersion): string {
  return `${groupTitle(group)}${title(version)}`;
}

const OWN_VERBS: Readonly<Record<string, { readonly method: string; readonly action: Action; readonly name: string }>> =
  {
    list: { method: "get", action: "list", name: "list" },
    create: { method: "post", action: "post", name: "create" },
    deletecollection: { method: "delete", action: "deletecollection", name: "delete" },
    get: { method: "get", action: "get", name: "read" },
    update: { method: "put", action: "put", name: "replace" },
    patch: { method: "patch", action: "patch", name: "patch" },
    delete: { method: "delete", action: "delete", name: "delete" },
  };

const ON_COLLECTION: ReadonlySet<string> = new Set(["list", "create", "deletecollection"]);

function ownOperations(type: ResourceType): readonly ResourceOperation[] {
  const { kind, resource, isNamespaced } = type;
  const [prefix, scope, gvk] = [groupVersionPath(type), scopeOf(type), gvkOf(type)];
  const version = versionTitle(type);
  const namespaced = isNamespaced ? "Namespaced" : "";
  const own = type.verbs.flatMap((verb): readonly ResourceOperation[] => {
    const { method, action, name } = OWN_VERBS[verb] ?? {};
    if (method === undefined || action === undefined) return [];
    const path = `${prefix}${scope}/${resource}${ON_COLLECTION.has(verb) ? "" : "/{name}"}`;
    const collection = verb === "deletecollection" ? "Collection" : "";
    return [{ path, method, action, id: `${name ?? ""}${version}${collection}${namespaced}${kind}`, gvk }];
  });
  const hasAll = isNamespaced && type.verbs.includes("list");
  const all: ResourceOperation = {
    path: `${prefix}/${resource}`,
    method: "get",
    action: "list",
    id: `list${version}${kind}ForAllNamespaces`,
    gvk,
  };
  return [...own, ...(hasAll ? [all] : []), ...(watchesByPath(type) ? watchOperations(type) : [])];
}

// Custom resources are watched by parameter alone.
function watchesByPath({ isCustom, verbs }: ResourceType): boolean {
  return !isCustom && verbs.includes("watch");
}

function watchOperations(type: ResourceType): readonly ResourceOperation[] {
  const { kind, resource, isNamespaced } = type;
  const gvk = gvkOf(type);
  const prefix = `${groupVersionPath(type)}/watch`;
  const collection = `${prefix}${scopeOf(type)}/${resource}`;
  const version = versionTitle(type);
  const id = `watch${version}${isNamespaced ? "Namespaced" : ""}${kind}`;
  const all: ResourceOperation = {
    path: `${prefix}/${resource}`,
    method: "get",
    action: "watchlist",
    id: `watch${version}${kind}ListForAllNamespaces`,
    gvk,
  };
  return [
    { path: collection, method: "get", action: "watchlist", id: `${id}List`, gvk },
    { path: `${collection}/{name}`, method: "get", action: "watch", id, gvk },
    ...(isNamespaced ? [all] : []),
  ];
}

function subresourceOperations(type: ResourceType, subresource: SubresourceType): readonly ResourceOperation[] {
  const path = `${groupVersionPath(type)}${scopeOf(type)}/${type.resource}/{name}/${subresource.name}`;
  return subresource.verbs.flatMap((verb): readonly ResourceOperation[] => {
    const { method, action, name } = OWN_VERBS[verb] ?? {};
    if (method === undefined || action === undefined) return [];
    const id = `${name ?? ""}${versionTitle(type)}${objectTitle(type)}${title(subresource.name)}`;
    return [{ path, method, action, id, gvk: gvkOf(subresource) }];
  });
}

// Kinds of connections carry the options of a stream.
function isConnect({ kind }: SubresourceType): boolean {
  return kind.endsWith("Options");
}

const STREAM_METHODS = ["get", "post"] as const;
const PROXY_METHODS = ["delete", "get", "head", "options", "patch", "post", "put"] as const;

function connectOperations(type: ResourceType, subresource: SubresourceType): readonly ResourceOperation[] {
  const path = `${groupVersionPath(type)}${scopeOf(type)}/${type.resource}/{name}/${subresource.name}`;
  const isProxy = subresource.verbs.includes("delete");
  return (isProxy ? PROXY_METHODS : STREAM_METHODS).flatMap((method): readonly ResourceOperation[] => {
    const id = `connect${versionTitle(type)}${title(method)}${objectTitle(type)}${title(subresource.name)}`;
    const direct: ResourceOperation = { path, method, action: "connect", id, gvk: gvkOf(subresource) };
    return isProxy ? [direct, { ...direct, path: `${path}/{path}`, id: `${id}WithPath` }] : [direct];
  });
}

function scopeOf({ isNamespaced }: ResourceType): string {
  return isNamespaced ? "/namespaces/{namespace}" : "";
}

function gvkOf({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

function objectTitle({ isNamespaced, kind }: ResourceType): string {
  return `${isNamespaced ? "Namespaced" : ""}${kind}`;
}

function title(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
