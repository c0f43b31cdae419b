import { rbacMarkerFor } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { PermissionUse } from "../contract/protocol.ts";

const RBAC = "rbac.authorization.k8s.io";

/** The name of a Role or a ClusterRole. */
export interface RoleName {
  readonly kind: "Role" | "ClusterRole";
  /** Empty for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
}

/** Requests of a user with one verb to one resource, counted. */
export interface CountedRequest {
  /** The verb. */
  readonly verb: string;
  /** The API group. */
  readonly group: string;
  /** With the subresource: `deployments/status`; empty for paths that are no resources. */
  readonly resource: string;
  /** The namespace; empty for cluster-scoped objects and for all namespaces. */
  readonly namespace: string;
  /** The path, for requests of paths that are no resources. */
  readonly path: string;
  /** The number of allowed requests. */
  readonly allowed: number;
  /** The number of denied requests. */
  readonly denied: number;
}

/** A rule of a role that is bound to a service account. */
export interface Grant {
  readonly role: RoleName;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** The names of the objects; empty for all. */
  readonly names: readonly string[];
  /** Empty for the whole cluster. */
  readonly namespace: string;
}

/** Where a role comes from, unless the markers of the project generate it. */
export interface RoleSource {
  /** The file or the role. */
  readonly source: string;
  /** When its permissions are used, if the manager does not use them here. */
  readonly note?: string;
}

/** Reads the stored roles and bindings. */
export interface RoleReader {
  readonly list: (resource: { readonly group: string; readonly resource: string }) => readonly StoredRole[];
  readonly get: (
    resource: { readonly group: string; readonly resource: string },
    key: { readonly namespace: string; readonly name: string },
  ) => StoredRole | undefined;
}

type StoredRole = Readonly<Record<string, unknown>> & {
  readonly metadata: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
};

/** Returns the permissions of a service account: those that its requests used, that it has and did not use, that it was denied, and that it used without a role that permits them. */
export function permissionsOf(
  objects: RoleReader,
  {
    user,
    requests,
    sourceOf = () => undefined,
  }: {
    readonly user: string;
    readonly requests: readonly CountedRequest[];
    /** Returns undefined for the roles that the markers generate. Default: all roles. */
    readonly sourceOf?: (role: RoleName) => RoleSource | undefined;
  },
): readonly PermissionUse[] {
  const entries = requests.filter(({ resource }) => resource !== "");
  const grants = grantsTo(objects, user);
  const ofEveryone = [...grantsToGroup(objects, "system:authenticated"), ...defaultGrantsTo(objects, user)];
  const granted = grants.flatMap((grant) => usesOf(grant, { entries, source: sourceOf(grant.role) }));
  const others = entries
    .filter((entry) => !grants.some((grant) => permits(grant, entry)))
    .map((entry): PermissionUse => {
      const { allowed, denied } = entry;
      if (denied > 0) return use(entry, { state: "denied", allowed, denied, marker: missing(entry) });
      const everyone = ofEveryone.find((grant) => permits(grant, entry));
      if (everyone !== undefined)
        return use(entry, { state: "used", allowed, denied, source: printRole(everyone.role) });
      if (isForAllUsers(entry)) return use(entry, { state: "used", allowed, denied });
      return use(entry, { state: "missing", allowed, denied, marker: missing(entry) });
    });
  const byKey = new Map<string, PermissionUse>();
  for (const each of [...others, ...granted]) {
    const key = `${each.verb} ${each.group} ${each.resource} ${each.namespace}`;
    const known = byKey.get(key);
    // Of several rules, the one that a marker made is the one to remove.
    if (known === undefined || (known.state !== "used" && known.marker === undefined)) byKey.set(key, each);
  }
  return [...byKey.values()];
}

function use(
  { verb, group, resource, namespace }: Pick<CountedRequest, "verb" | "group" | "resource" | "namespace">,
  facts: Pick<PermissionUse, "state" | "allowed" | "denied"> & {
    readonly marker?: string | undefined;
    readonly source?: string | undefined;
    readonly note?: string | undefined;
  },
): PermissionUse {
  const { state, allowed, denied, marker, source, note } = facts;
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
    ...(source === undefined ? {} : { source }),
    ...(note === undefined ? {} : { note }),
  };
}

// The reviews of one's own permissions, where the roles of all users cannot be read.
function isForAllUsers({ resource }: CountedRequest): boolean {
  return resource.startsWith("selfsubject");
}

function missing({ verb, resource, group }: CountedRequest): string | undefined {
  return rbacMarkerFor(`cannot ${verb} resource "${resource}" in API group "${group}"`);
}

/** Prints a role, such as `ClusterRole manager-role`. */
export function printRole({ kind, namespace, name }: RoleName): string {
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

// What a rule with a wildcard permits and was not used is the rule itself.
function usesOf(
  grant: Grant,
  { entries, source }: { readonly entries: readonly CountedRequest[]; readonly source: RoleSource | undefined },
): readonly PermissionUse[] {
  const { namespace, names } = grant;
  return grant.groups.flatMap((group) =>
    grant.resources.flatMap((resource) =>
      grant.verbs.map((verb) => {
        const single: Grant = { ...grant, groups: [group], resources: [resource], verbs: [verb] };
        const matching = entries.filter((entry) => permits(single, entry));
        const allowed = matching.reduce((sum, each) => sum + each.allowed, 0);
        const denied = matching.reduce((sum, each) => sum + each.denied, 0);
        const about = { verb, group, resource, namespace };
        if (allowed > 0) return use(about, { state: "used", allowed, denied, source: source?.source });
        if (source !== undefined) return use(about, { state: "unused", allowed, denied, ...source });
        const only = names.length === 0 ? "" : `,resourceNames=${names.join(";")}`;
        const marker = `+kubebuilder:rbac:groups=${group === "" ? '""' : group},resources=${resource}${only},verbs=${verb}`;
        return use(about, { state: "unused", allowed, denied, marker });
      }),
    ),
  );
}

function permits(grant: Grant, entry: CountedRequest): boolean {
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

/** Returns the rules of the roles that are bound to a service account, or to the groups of service accounts that it is in, but for those that every service account has by default. */
export function grantsTo(objects: RoleReader, user: string): readonly Grant[] {
  return grantsToAccount(objects, user, (binding) => !isDefault(binding));
}

// Those that servers give to service accounts when they start; no project asks for them.
function defaultGrantsTo(objects: RoleReader, user: string): readonly Grant[] {
  return grantsToAccount(objects, user, isDefault);
}

function isDefault({ metadata }: StoredRole): boolean {
  return metadata.labels?.["kubernetes.io/bootstrapping"] === "rbac-defaults";
}

function grantsToAccount(
  objects: RoleReader,
  user: string,
  isMeant: (binding: StoredRole) => boolean,
): readonly Grant[] {
  const [, , account = "", name = ""] = user.split(":");
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${account}`];
  return grantsOf(objects, isMeant, (subject, namespace) => {
    switch (subject.kind) {
      case "Group":
        return groups.includes(subject.name ?? "");
      case "User":
        return subject.name === user;
      default:
        return (
          subject.kind === "ServiceAccount" && (subject.namespace ?? namespace) === account && subject.name === name
        );
    }
  });
}

function grantsToGroup(objects: RoleReader, group: string): readonly Grant[] {
  return grantsOf(
    objects,
    () => true,
    ({ kind, name }) => kind === "Group" && name === group,
  );
}

function grantsOf(
  objects: RoleReader,
  isMeant: (binding: StoredRole) => boolean,
  isSubject: (subject: Named, namespace: string) => boolean,
): readonly Grant[] {
  const bindings = [
    ...objects.list({ group: RBAC, resource: "clusterrolebindings" }),
    ...objects.list({ group: RBAC, resource: "rolebindings" }),
  ];
  return bindings.filter(isMeant).flatMap((binding) => {
    const { namespace = "" } = binding.metadata;
    const subjects = (binding["subjects"] ?? []) as readonly Named[];
    if (!subjects.some((subject) => isSubject(subject, namespace))) return [];
    const { kind, name = "" } = (binding["roleRef"] ?? {}) as Named;
    const role: RoleName = kind === "ClusterRole" ? { kind, namespace: "", name } : { kind: "Role", namespace, name };
    const resource = kind === "ClusterRole" ? "clusterroles" : "roles";
    const found = objects.get({ group: RBAC, resource }, { namespace: role.namespace, name });
    return rulesIn(found?.["rules"], { role, namespace });
  });
}

function rulesIn(rules: unknown, place: Pick<Grant, "role" | "namespace">): readonly Grant[] {
  const list = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);
  return (Array.isArray(rules) ? rules.filter(isRecord) : [])
    .filter((rule) => list(rule["resources"]).length > 0)
    .map((rule) => ({
      ...place,
      groups: list(rule["apiGroups"]),
      resources: list(rule["resources"]),
      verbs: list(rule["verbs"]),
      names: list(rule["resourceNames"]),
    }));
}
