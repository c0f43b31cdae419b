import { existsSync } from "node:fs";
import path from "node:path";

import type { FlagsOf } from "../../command/define-command.ts";
import type { Program } from "../../programs/run-program.ts";

/** The flag of the commands that run kind. */
export const KIND_FLAG = {
  name: "kind",
  kind: "string",
  isPath: true,
  help: "kind program",
  default: "$KIND, bin/kind, or kind",
} as const;

/** The flag that names the cluster of the end-to-end tests. */
export const CLUSTER_FLAG = {
  name: "cluster",
  kind: "string",
  help: "name of the kind cluster",
  default: "$KIND_CLUSTER, or <project>-test-e2e",
} as const;

/** The flags of the commands that use the cluster of the end-to-end tests. */
export const CLUSTER_FLAGS: readonly [typeof KIND_FLAG, typeof CLUSTER_FLAG] = [KIND_FLAG, CLUSTER_FLAG];

/** Returns the file in a project that {@link kindOf} prefers to a kind on the PATH. */
export function installedKind(cwd: string): string {
  return path.resolve(cwd, "bin", process.platform === "win32" ? "kind.exe" : "kind");
}

/** Returns the kind that the flag or the variable names, or else the one in `bin/`, or on the PATH. */
export function kindOf(given: string | undefined, cwd: string): Program {
  const built = installedKind(cwd);
  return {
    name: given ?? (process.env["KIND"] || (existsSync(built) ? built : "kind")),
    hint: "run `npm run install-kind`, or pass its path with --kind or KIND",
  };
}

/** The cluster of the end-to-end tests, and the kind that makes it. */
export interface ClusterOptions {
  readonly kind: Program;
  /** The name of the cluster; that of the project unless given. */
  readonly cluster: string | undefined;
}

/** Returns what the flags and variables say of the cluster. */
export function clusterOptions({ kind, cluster }: FlagsOf<typeof CLUSTER_FLAGS>, cwd: string): ClusterOptions {
  return { kind: kindOf(kind, cwd), cluster: cluster ?? (process.env["KIND_CLUSTER"] || undefined) };
}
