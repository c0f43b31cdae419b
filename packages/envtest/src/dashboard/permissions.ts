import type { AuditEntry } from "@kubescaffold/apiserver";
import { isRecord, rbacMarkerFor } from "@kubescaffold/k8s";

import type { PermissionUse } from "./protocol.ts";

const RBAC = "rbac.authorization.k8s.io";

/** A rule of a role that is bound to a service account. */
export interface Grant {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Empty for the whole cluster. */
  readonly namespace: string;
}

/** Reads the stored roles and bindings. */
export interface RoleReader {
  readonly list: (resource: { readonly group: string; readonly resource: string }) => readonly StoredRole[];
  readonly get: (
    resource: { readonly group: string; readonly resource: string },
    key: { readonly namespace: string; readonly name: string },
  ) => StoredRole | undefined;
}

type StoredRole = Readonly<Record<string, unknown>> & { readonly metadata: { readonly namespace?: string } };

/** Returns the permissions of a service account: those that its requests used, that it has and did not use, and that it was denied. */
export function permissionsOf(
  objects: RoleReader,
  {
    user,
    requests,
    others: state = "used",
  }: {
    readonly user: string;
    readonly requests: readonly AuditEntry[];
    /** The state of what was allowed although no role of the account permits it. Default: `used`. */
    readonly others?: "used" | "missing";
  },
): readonly PermissionUse[] {
  const entries = requests.filter(({ resource }) => resource !== "");
  const grants = grantsTo(objects, user);
  const granted = grants.flatMap((grant) => usesOf(grant, entries));
  const denied = entries
    .filter((entry) => entry.denied > 0 && !grants.some((grant) => permits(grant, entry)))
    .map((entry): PermissionUse =>
      use(entry, { state: "denied", allowed: entry.allowed, denied: entry.denied, marker: missing(entry) }),
    );
  // Others, such as reviews of its own permissions, come from the roles of all users.
  const others = entries
    .filter((entry) => entry.denied === 0 && !grants.some((grant) => permits(grant, entry)))
    .map((entry): PermissionUse =>
      state === "missing" && !isForAllUsers(entry)
        ? use(entry, { state, allowed: entry.allowed, denied: 0, marker: missing(entry) })
        : use(entry, { state: "used", allowed: entry.allowed, denied: 0 }),
    );
  const byKey = new Map<string, PermissionUse>();
  for (const each of [...others, ...denied, ...granted]) {
    const key = `${each.verb} ${each.group} ${each.resource} ${each.namespace}`;
    if (byKey.get(key)?.state !== "used") byKey.set(key, each);
  }
  return [...byKey.values()];
}

function use(
  { verb, group, resource, namespace }: Pick<AuditEntry, "verb" | "group" | "resource" | "namespace">,
  {
    state,
    allowed,
    denied,
    marker,
  }: Pick<PermissionUse, "state" | "allowed" | "denied"> & { readonly marker?: string | undefined },
): PermissionUse {
  return {
    type: "permission",
    verb,
    group,
    resource,
    namespace,
    state,
    allowed,
    denied,
    ...(marker === undefined ? {} : { marker }),
  };
}

// The reviews of one's own permissions.
function isForAllUsers({ resource }: AuditEntry): boolean {
  return resource.startsWith("selfsubject");
}

function missing({ verb, resource, group }: AuditEntry): string | undefined {
  return rbacMarkerFor(`cannot ${verb} resource "${resource}" in API group "${group}"`);
}

// What a rule with a wildcard permits and was not used is the rule itself.
function usesOf(grant: Grant, entries: readonly AuditEntry[]): readonly PermissionUse[] {
  const { namespace } = grant;
  return grant.groups.flatMap((group) =>
    grant.resources.flatMap((resource) =>
      grant.verbs.map((verb) => {
        const single: Grant = { groups: [group], resources: [resource], verbs: [verb], namespace };
        const matching = entries.filter((entry) => permits(single, entry));
        const allowed = matching.reduce((sum, each) => sum + each.allowed, 0);
        const denied = matching.reduce((sum, each) => sum + each.denied, 0);
        const unused = `+kubebuilder:rbac:groups=${group === "" ? '""' : group},resources=${resource},verbs=${verb}`;
        return use(
          { verb, group, resource, namespace },
          allowed > 0 ? { state: "used", allowed, denied } : { state: "unused", allowed, denied, marker: unused },
        );
      }),
    ),
  );
}

function permits(grant: Grant, entry: AuditEntry): boolean {
  return (
    includes(grant.groups, entry.group) &&
    (includes(grant.resources, entry.resource) ||
      grant.resources.includes(`*/${entry.resource.split("/")[1] ?? ""}`)) &&
    includes(grant.verbs, entry.verb) &&
    (grant.namespace === "" || grant.namespace === entry.namespace)
  );
}

function includes(values: readonly string[], value: string): boolean {
  return values.includes("*") || values.includes(value);
}

interface Named {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Returns the rules of the roles that are bound to a service account, or to the groups of service accounts that it is in. */
export function grantsTo(objects: RoleReader, user: string): readonly Grant[] {
  const [, , account = "", name = ""] = user.split(":");
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${account}`];
  const isBound = (binding: Readonly<Record<string, unknown>>): boolean =>
    ((binding["subjects"] ?? []) as readonly Named[]).some((subject) =>
      subject.kind === "Group"
        ? groups.includes(subject.name ?? "")
        : subject.kind === "ServiceAccount" && subject.namespace === account && subject.name === name,
    );
  const bindings = [
    ...objects.list({ group: RBAC, resource: "clusterrolebindings" }),
    ...objects.list({ group: RBAC, resource: "rolebindings" }),
  ];
  return bindings.filter(isBound).flatMap((binding) => {
    const { namespace = "" } = binding.metadata;
    const { kind = "", name: role = "" } = (binding["roleRef"] ?? {}) as Named;
    const resource = kind === "ClusterRole" ? "clusterroles" : "roles";
    const found = objects.get(
      { group: RBAC, resource },
      { namespace: kind === "ClusterRole" ? "" : namespace, name: role },
    );
    return rulesIn(found?.["rules"], namespace);
  });
}

function rulesIn(rules: unknown, namespace: string): readonly Grant[] {
  const list = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);
  return (Array.isArray(rules) ? rules.filter(isRecord) : [])
    .filter((rule) => list(rule["resources"]).length > 0)
    .map((rule) => ({
      groups: list(rule["apiGroups"]),
      resources: list(rule["resources"]),
      verbs: list(rule["verbs"]),
      namespace,
    }));
}
