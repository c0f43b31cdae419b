import { isForbidden } from "@kubescaffold/k8s";
import { type Clock, sleep } from "@kubescaffold/platform/clock";
import type { LiveClient } from "@kubescaffold/runtime";

import type { DashboardMessage, PermissionUse } from "../contract/protocol.ts";
import { grantedPermissions, permissionKey, type RoleLists } from "./granted-permissions.ts";
import { type Problems, requestProblem } from "./problems.ts";

const INTERVAL_MS = 30_000;
const FIRST_INTERVAL_MS = 1000;
const GROUP = "rbac.authorization.k8s.io";

/** What reading permissions needs. */
export interface PermissionParts {
  readonly client: LiveClient;
  readonly clock: Clock;
  readonly problems: Problems;
  readonly publish: (message: DashboardMessage) => void;
  /** The user of the requests, for messages. */
  readonly user: string;
  /** The user name of the manager; undefined while it is unknown. */
  readonly account: () => string | undefined;
}

/** Publishes the permissions of the manager by its roles, every 30 seconds, until the signal aborts. */
export async function followPermissions(parts: PermissionParts, signal: AbortSignal): Promise<void> {
  const { clock, problems, publish } = parts;
  let known = new Map<string, PermissionUse>();
  while (!signal.aborted) {
    const account = parts.account();
    if (account !== undefined) {
      try {
        const permissions = grantedPermissions(await readRoles(parts.client, signal), account);
        const now = new Map(permissions.map((each) => [permissionKey(each), each]));
        for (const [key, permission] of now) if (!known.has(key)) publish(permission);
        for (const [key, permission] of known) if (!now.has(key)) publish(removalOf(permission));
        known = now;
        problems.set("permissions", undefined);
      } catch (error) {
        if (signal.aborted) return;
        problems.set("permissions", permissionProblem(error, parts.user));
      }
    }
    await sleep(clock, account === undefined ? FIRST_INTERVAL_MS : INTERVAL_MS, signal).catch(() => undefined);
  }
}

async function readRoles(client: LiveClient, signal: AbortSignal): Promise<RoleLists> {
  const list = async (kind: string): Promise<readonly object[]> =>
    (await client.list({ group: GROUP, version: "v1", kind }, { signal })).items;
  const [roles, rolebindings, clusterroles, clusterrolebindings] = await Promise.all([
    list("Role"),
    list("RoleBinding"),
    list("ClusterRole"),
    list("ClusterRoleBinding"),
  ]);
  return { roles, rolebindings, clusterroles, clusterrolebindings };
}

function removalOf({ verb, group, resource, namespace }: PermissionUse): DashboardMessage {
  return { type: "permission-removed", verb, group, resource, namespace };
}

function permissionProblem(error: unknown, user: string): ReturnType<typeof requestProblem> {
  const problem = requestProblem("permissions", error, {
    user,
    verbs: ["list"],
    resource: "roles,rolebindings,clusterroles,clusterrolebindings",
    namespace: "",
    role: "dashboard-permissions",
  });
  return isForbidden(error)
    ? { ...problem, message: `cannot read the roles of the manager: ${problem.message}` }
    : problem;
}
