import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Observation } from "@kubescaffold/runtime";
import type { OperatorManifests } from "@kubescaffold/runtime/operator-project";

import type { DashboardMessage, PermissionUse } from "../contract/protocol.ts";
import { type CountedRequest, permissionsOf, type RoleReader } from "../objects/permissions.ts";
import { sourcesOf } from "../objects/role-sources.ts";
import { permissionKey } from "./granted-permissions.ts";

/** What {@link ObservedPermissions} needs. */
export interface ObservedPermissionParts {
  /** Reads the manifests of the project, whose roles change with its markers. */
  readonly readManifests: () => Promise<OperatorManifests>;
  readonly publish: (message: DashboardMessage) => void;
}

/** A permission that a request needs. */
type Needed = Pick<PermissionUse, "verb" | "group" | "resource" | "namespace">;

const ROLE_GROUP = "rbac.authorization.k8s.io";
const INTERVAL_MS = 2000;

/**
 * Compares what a manager uses with the roles of its project, for a manager that runs as another user: what its roles do not permit is missing, although the
 * cluster allowed it.
 *
 * Guarantees: publishes permissions when they are used for the first time, and counts every two seconds.
 */
export class ObservedPermissions {
  readonly #parts: ObservedPermissionParts;
  readonly #timer: NodeJS.Timeout;
  readonly #requests = new Map<string, CountedRequest>();
  #published = new Map<string, { readonly use: PermissionUse; readonly text: string }>();
  #manifests: OperatorManifests | undefined;

  constructor(parts: ObservedPermissionParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#publish(), INTERVAL_MS).unref();
    this.managerStarted();
  }

  /** Counts from now on: the requests before are those of another process, whose roles may have been others. */
  managerStarted(): void {
    this.#requests.clear();
    void this.#readManifests();
  }

  /** Counts the permissions that a request uses. */
  observe(observation: Observation): void {
    if (observation.kind !== "request") return;
    const { usedVerbs, deniedVerb, group, resource, subresource, namespace, status } = observation;
    // There was no response, or it was not about permissions.
    if (status === 0 || status === 401) return;
    const name = subresource === "" ? resource : `${resource}/${subresource}`;
    for (const verb of deniedVerb === undefined ? usedVerbs : [deniedVerb]) {
      this.#count({ verb, group, resource: name, namespace }, deniedVerb === undefined ? "allowed" : "denied");
    }
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

  #count(needed: Needed, result: "allowed" | "denied"): void {
    const key = permissionKey(needed);
    const last = this.#requests.get(key);
    const counts = { allowed: last?.allowed ?? 0, denied: last?.denied ?? 0 };
    counts[result] += 1;
    this.#requests.set(key, { ...needed, path: "", ...counts });
    if (last === undefined) this.#publish();
  }

  #grantsPermissions(): boolean {
    return [...this.#requests.values()].some(
      ({ group, resource, verb }) => group === ROLE_GROUP && Object.hasOwn(KINDS, resource) && WRITES.has(verb),
    );
  }

  #publish(): void {
    if (this.#manifests === undefined) return;
    const { namespace: account, serviceAccountName, rbac } = this.#manifests;
    const uses = permissionsOf(rolesOf(rbac), {
      user: `system:serviceaccount:${account}:${serviceAccountName}`,
      requests: [...this.#requests.values()],
      sourceOf: sourcesOf(this.#manifests),
    });
    const shown = this.#grantsPermissions() ? uses.map(withoutRemoval) : uses;
    const present = new Map(shown.map((use) => [permissionKey(use), { use, text: JSON.stringify(use) }]));
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

const WRITES: ReadonlySet<string> = new Set(["create", "patch", "update"]);

// Whoever writes a role may grant only what its own roles grant, so a permission without requests may be needed.
function withoutRemoval(use: PermissionUse): PermissionUse {
  const { marker, ...others } = use;
  return use.state !== "unused" || marker === undefined
    ? use
    : { ...others, note: "the manager writes roles, which may grant only what its own roles grant" };
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
