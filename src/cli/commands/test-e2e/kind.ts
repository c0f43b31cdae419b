import { existsSync } from "node:fs";
import path from "node:path";

import type { Flag } from "../../../plugin/flag.ts";
import type { Invocation } from "../../command/command.ts";
import { textFlag } from "../../flags/flag-values.ts";
import type { Program } from "../../programs/run-program.ts";

/** The flag of the commands that run kind. */
export const KIND_FLAG: Flag = {
  name: "kind",
  kind: "string",
  isPath: true,
  help: "kind program",
  default: "$KIND, bin/kind, or kind",
};

/** The flags of the commands that use the cluster of the end-to-end tests. */
export const CLUSTER_FLAGS: readonly Flag[] = [
  KIND_FLAG,
  {
    name: "cluster",
    kind: "string",
    help: "name of the kind cluster",
    default: "$KIND_CLUSTER, or <project>-test-e2e",
  },
];

/** Returns the file in a project that {@link kindOf} prefers to a kind on the PATH. */
export function installedKind(cwd: string): string {
  return path.resolve(cwd, "bin", process.platform === "win32" ? "kind.exe" : "kind");
}

/** Returns the kind that the flag or the variable names, or else the one in `bin/`, or on the PATH. */
export function kindOf({ cwd, flags }: Pick<Invocation, "cwd" | "flags">): Program {
  const built = installedKind(cwd);
  return {
    name: textFlag(flags, "kind") ?? (process.env["KIND"] || (existsSync(built) ? built : "kind")),
    hint: "run `npm run install-kind`, or pass its path with --kind or KIND",
  };
}
