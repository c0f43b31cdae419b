import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { asList, isRecord } from "@kubescaffold/platform";
import type { UnstructuredObject } from "@kubescaffold/runtime";

import type { WatchTarget } from "./object-watches.ts";
import type { LeaseHolder } from "./replicas.ts";

/** A resource, by its group and its plural name. */
export interface ResourceName {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The plural name, such as `guestbooks`. */
  readonly resource: string;
}

/** Where the operator and its objects are. */
export interface OperatorScope {
  /** The namespace of the manager. */
  readonly namespace: string;
  /** The labels of the manager's Pods. */
  readonly selector: string;
  /** The resources that the project defines. */
  readonly resources: readonly ResourceName[];
  /** The resources that the roles of the manager permit it to watch. */
  readonly watched: readonly ResourceName[];
  /** The namespaces of the objects; none for all. */
  readonly namespaces: readonly string[];
}

/** Receives the Pods and Leases of a manager. */
export interface OperatorObserver {
  readonly pod: (uid: string, pod: Pod | undefined) => void;
  readonly lease: (uid: string, lease: LeaseHolder | undefined) => void;
  /** Called when it is known which Pods there are. */
  readonly synced: () => void;
  /** Whether a Lease is one of the manager. */
  readonly isOwnLease: (lease: LeaseHolder) => boolean;
}

// What Deployments, and the controllers of Kubernetes behind them, create.
const WORKLOADS: readonly ResourceName[] = [
  { group: "apps", resource: "deployments" },
  { group: "apps", resource: "replicasets" },
  { group: "", resource: "pods" },
];
const JOBS: ResourceName = { group: "batch", resource: "jobs" };
const EVENTS: ResourceName = { group: "", resource: "events" };
const LEASES: ResourceName = { group: "coordination.k8s.io", resource: "leases" };

/** Returns what to watch: the operator in its namespace, the objects of its kinds, what they may own, and the Events about these. */
export function watchTargets(scope: OperatorScope, observer: OperatorObserver): readonly WatchTarget[] {
  const { namespace, selector, resources } = scope;
  const everywhere = scope.namespaces.length === 0 ? [""] : scope.namespaces;
  const ownSide = WORKLOADS.map((name): WatchTarget => ({
    ...name,
    namespace,
    labelSelector: selector,
    isRequired: true,
    isRoot: always,
    ...(name.resource === "pods"
      ? { onChange: (uid, pod) => observer.pod(uid, pod), onSynced: () => observer.synced() }
      : {}),
  }));
  const leases: WatchTarget = {
    ...LEASES,
    namespace,
    isRequired: true,
    isRoot: (lease) => observer.isOwnLease(holderOf(lease)),
    onChange: (uid, lease) => observer.lease(uid, lease === undefined ? undefined : holderOf(lease)),
  };
  const events = (everywhere.includes("") ? [""] : [...new Set([namespace, ...everywhere])]).map(
    (each): WatchTarget => ({ ...EVENTS, namespace: each, isRequired: true, isRoot: never }),
  );
  const objects = everywhere.flatMap((each) => [
    ...resources.map((name): WatchTarget => ({ ...name, namespace: each, isRequired: true, isRoot: always })),
    ...ownedResources(scope).map((name): WatchTarget => ({
      ...name,
      namespace: each,
      isRequired: false,
      isRoot: never,
    })),
  ]);
  return [...ownSide, leases, ...events, ...objects];
}

function ownedResources({ resources, watched }: OperatorScope): readonly ResourceName[] {
  const left = new Set([...resources, EVENTS, LEASES].map(keyOf));
  const jobs = watched.some(({ resource }) => resource === "cronjobs") ? [JOBS] : [];
  const byKey = new Map([...watched, ...WORKLOADS, ...jobs].map((name) => [keyOf(name), name]));
  return [...byKey].filter(([key]) => !left.has(key)).map(([, name]) => name);
}

/** Returns the resources that the roles of an operator permit to watch; those of wildcards are unknown. */
export function watchedResources(objects: readonly KubernetesObject[]): readonly ResourceName[] {
  const rules = objects
    .filter(({ kind, metadata }) => ROLE_KINDS.has(kind) && metadata.name?.endsWith("manager-role") === true)
    .flatMap((role) => asList((role as unknown as Readonly<Record<string, unknown>>)["rules"]))
    .filter(isRecord);
  return rules
    .filter((rule) => textsOf(rule["verbs"]).some((verb) => verb === "watch" || verb === "*"))
    .flatMap((rule) =>
      textsOf(rule["apiGroups"]).flatMap((group) =>
        textsOf(rule["resources"])
          .filter((resource) => !resource.includes("*") && !resource.includes("/") && group !== "*")
          .map((resource) => ({ group, resource })),
      ),
    );
}

const ROLE_KINDS = new Set(["ClusterRole", "Role"]);

function holderOf(lease: UnstructuredObject): LeaseHolder {
  const spec: unknown = (lease as Readonly<Record<string, unknown>>)["spec"];
  const holder = isRecord(spec) ? spec["holderIdentity"] : undefined;
  return { name: lease.metadata.name ?? "", holder: typeof holder === "string" ? holder : "" };
}

function keyOf({ group, resource }: ResourceName): string {
  return `${resource}.${group}`;
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

function textsOf(value: unknown): readonly string[] {
  return asList(value).filter((each) => typeof each === "string");
}
