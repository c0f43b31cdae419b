import type { OperatorManifests } from "@kubescaffold/runtime/operator-project";

import { printRole, type RoleName, type RoleSource } from "./permissions.ts";

/** The file that the generator writes from the markers. */
const GENERATED = "role.yaml";

// Files of generated projects whose permissions a manager in development does not use.
const NOTES: Readonly<Record<string, string>> = {
  "leader_election_role.yaml": "for leader election: used with --leader-elect, which `scaffold dev` does not set",
  "metrics_auth_role.yaml":
    "for the metrics endpoint: used when it is served with authentication, which `scaffold dev` does not do",
};

/** Returns where the roles of a project come from: undefined for those that the markers generate. */
export function sourcesOf({
  rbac,
  rbacFiles,
}: Pick<OperatorManifests, "rbac" | "rbacFiles">): (role: RoleName) => RoleSource | undefined {
  const files = new Map(
    rbac.map(({ kind, metadata }, index) => [keyOf(kind, metadata), rbacFiles[index] ?? GENERATED]),
  );
  return (role) => {
    const file = files.get(keyOf(role.kind, role));
    if (file === GENERATED) return undefined;
    if (file === undefined) return { source: printRole(role) };
    const note = NOTES[file];
    return { source: `config/rbac/${file}`, ...(note === undefined ? {} : { note }) };
  };
}

function keyOf(
  kind: string,
  { namespace = "", name = "" }: { readonly namespace?: string; readonly name?: string },
): string {
  return [kind, namespace, name].join(" ");
}
