import { rbacMarkerFor } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { PermissionUse } from "../contract/protocol.ts";
import { type Grant, grantsTo, printRole, type RoleReader } from "../objects/permissions.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The lists of roles and bindings, by their plural names. */
export type RoleLists = Readonly<
  Record<"roles" | "rolebindings" | "clusterroles" | "clusterrolebindings", readonly object[]>
>;

/** Returns the permissions that a service account has by its roles. Whether it uses them, a cluster does not say. */
export function grantedPermissions(lists: RoleLists, user: string): readonly PermissionUse[] {
  const byKey = new Map<string, PermissionUse>();
  for (const grant of grantsTo(readerOf(lists), user)) {
    for (const permission of permissionsOf(grant)) byKey.set(permissionKey(permission), permission);
  }
  return [...byKey.values()];
}

/** Identifies a permission. */
export function permissionKey({
  verb,
  group,
  resource,
  namespace,
}: Pick<PermissionUse, "verb" | "group" | "resource" | "namespace">): string {
  return [verb, group, resource, namespace].join(" ");
}

function permissionsOf({ role, groups, resources, verbs, namespace }: Grant): readonly PermissionUse[] {
  return groups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.map((verb): PermissionUse => ({
        type: "permission",
        verb,
        group,
        resource,
        namespace,
        state: "granted",
        allowed: 0,
        denied: 0,
        source: printRole(role),
      })),
    ),
  );
}

function readerOf(lists: RoleLists): RoleReader {
  const listOf = (resource: string): readonly Stored[] =>
    resource in lists ? lists[resource as keyof RoleLists].map(storedRole) : [];
  return {
    list: ({ resource }) => listOf(resource),
    get: ({ resource }, key) =>
      listOf(resource).find(
        ({ metadata }) => metadata.name === key.name && (metadata.namespace ?? "") === key.namespace,
      ),
  };
}

type Stored = Fields & { readonly metadata: { readonly namespace?: string; readonly name?: string } };

function storedRole(object: object): Stored {
  const { metadata, ...fields } = object as Fields;
  return { ...fields, metadata: isRecord(metadata) ? metadata : {} };
}

const DENIED =
  /User "(?<user>[^"]*)" cannot (?<verb>[a-z]+) resource "(?<resource>[^"]*)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]*)")?/u;

/** The permissions that a manager was denied, as far as its log and Events say so. */
export class DeniedPermissions {
  readonly #counts = new Map<string, number>();

  /** Reads a message; returns the permission if it says that the user was denied one. */
  read(message: string, user: string): PermissionUse | undefined {
    const { user: denied, verb = "", resource = "", group = "", namespace = "" } = DENIED.exec(message)?.groups ?? {};
    if (denied !== user) return undefined;
    const marker = rbacMarkerFor(message);
    const key = [verb, group, resource, namespace].join(" ");
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return {
      type: "permission",
      verb,
      group,
      resource,
      namespace,
      state: "denied",
      allowed: 0,
      denied: count,
      ...(marker === undefined ? {} : { marker }),
    };
  }
}
