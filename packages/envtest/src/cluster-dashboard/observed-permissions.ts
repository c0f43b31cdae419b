import type { AuditEntry } from "@kubescaffold/apiserver";
import { gvkOf } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Observation, RestMapper } from "@kubescaffold/runtime";

import { permissionsOf, type RoleReader } from "../dashboard/permissions.ts";
import type { DashboardMessage, PermissionUse } from "../dashboard/protocol.ts";
import type { OperatorManifests } from "../operator/operator-manifests.ts";
import { permissionKey } from "./granted-permissions.ts";

/** What {@link ObservedPermissions} needs. */
export interface ObservedPermissionParts {
  /** Reads the manifests of the project, whose roles change with its markers. */
  readonly readManifests: () => Promise<OperatorManifests>;
  readonly restMapper: RestMapper;
  /** The namespaces that the manager watches; none for all. */
  readonly watchNamespaces: readonly string[];
  readonly publish: (message: DashboardMessage) => void;
}

/** A permission that a request needs. */
type Needed = Pick<PermissionUse, "verb" | "group" | "resource" | "namespace">;

const INTERVAL_MS = 2000;

/**
 * Compares what a manager uses with the roles of its project, for a manager that runs as another user: requests and caches that its roles do not permit are
 * missing permissions, although the cluster allowed them.
 *
 * Guarantees: publishes permissions when they are used for the first time, and counts every two seconds.
 */
export class ObservedPermissions {
  readonly #parts: ObservedPermissionParts;
  readonly #timer: NodeJS.Timeout;
  readonly #requests = new Map<string, AuditEntry>();
  #published = new Map<string, { readonly use: PermissionUse; readonly text: string }>();
  #manifests: OperatorManifests | undefined;
  #process = 0;

  constructor(parts: ObservedPermissionParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#publish(), INTERVAL_MS).unref();
    this.managerStarted();
  }

  /** Counts from now on: the requests before are those of another process, whose roles may have been others. */
  managerStarted(): void {
    this.#requests.clear();
    this.#process += 1;
    void this.#readManifests();
  }

  /** Counts the permission that a request or a cache uses. */
  observe(observation: Observation): void {
    if (observation.kind === "request") {
      const { verb, group, resource, subresource, namespace, status } = observation;
      // There was no response, or it was not about permissions.
      if (status === 0 || status === 401) return;
      const name = subresource === "" ? resource : `${resource}/${subresource}`;
      this.#count({ verb, group, resource: name, namespace }, status === 403 ? "denied" : "allowed");
    }
    if (observation.kind === "cache" && observation.isSynced) void this.#countCache(observation);
  }

  /** Ends the publication of counts. */
  stop(): void {
    clearInterval(this.#timer);
  }

  async #readManifests(): Promise<void> {
    try {
      this.#manifests = await this.#parts.readManifests();
    } catch {
      // The command reports manifests that cannot be read; the last ones stay.
    }
    this.#publish();
  }

  // A cache lists and watches; these requests are not observed.
  async #countCache({ apiVersion, objectKind }: Extract<Observation, { kind: "cache" }>): Promise<void> {
    const { restMapper, watchNamespaces } = this.#parts;
    const process = this.#process;
    const mapping = await restMapper.restMapping(gvkOf({ apiVersion, kind: objectKind })).catch(() => undefined);
    if (mapping === undefined || process !== this.#process) return;
    const { gvr, scope } = mapping;
    const namespaces = scope === "cluster" || watchNamespaces.length === 0 ? [""] : watchNamespaces;
    for (const namespace of namespaces) {
      for (const verb of ["list", "watch"]) {
        const needed = { verb, group: gvr.group, resource: gvr.resource, namespace };
        if (!this.#requests.has(permissionKey(needed))) this.#count(needed, "allowed");
      }
    }
  }

  #count(needed: Needed, result: "allowed" | "denied"): void {
    const key = permissionKey(needed);
    const last = this.#requests.get(key);
    const counts = { allowed: last?.allowed ?? 0, denied: last?.denied ?? 0 };
    counts[result] += 1;
    this.#requests.set(key, { ...needed, user: "", path: "", ...counts });
    if (last === undefined) this.#publish();
  }

  #publish(): void {
    if (this.#manifests === undefined) return;
    const { namespace: account, serviceAccountName, rbac } = this.#manifests;
    const uses = permissionsOf(rolesOf(rbac), {
      user: `system:serviceaccount:${account}:${serviceAccountName}`,
      requests: [...this.#requests.values()],
      others: "missing",
    });
    const present = new Map(uses.map((use) => [permissionKey(use), { use, text: JSON.stringify(use) }]));
    for (const [key, { use }] of this.#published) {
      const { verb, group, resource, namespace } = use;
      if (!present.has(key)) this.#parts.publish({ type: "permission-removed", verb, group, resource, namespace });
    }
    for (const [key, { use, text }] of present) {
      if (this.#published.get(key)?.text !== text) this.#parts.publish(use);
    }
    this.#published = present;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  roles: "Role",
  rolebindings: "RoleBinding",
  clusterroles: "ClusterRole",
  clusterrolebindings: "ClusterRoleBinding",
};

function rolesOf(objects: readonly KubernetesObject[]): RoleReader {
  const listOf = (resource: string): ReturnType<RoleReader["list"]> =>
    objects.filter(({ kind }) => kind === KINDS[resource]) as unknown as ReturnType<RoleReader["list"]>;
  return {
    list: ({ resource }) => listOf(resource),
    get: ({ resource }, { namespace, name }) =>
      listOf(resource).find(
        ({ metadata }) =>
          (metadata as KubernetesObject["metadata"]).name === name && (metadata.namespace ?? "") === namespace,
      ),
  };
}
