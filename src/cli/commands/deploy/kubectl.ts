import type { Flag, FlagValues } from "../../../plugin/flag.ts";
import { textFlag } from "../../flags/flag-values.ts";
import type { Program } from "../../programs/run-program.ts";

/** The flag of the commands that run kubectl. */
export const KUBECTL_FLAG: Flag = {
  name: "kubectl",
  kind: "string",
  isPath: true,
  help: "kubectl program",
  default: "$KUBECTL, or kubectl",
};

/** Returns the kubectl that the flag or the variable names. */
export function kubectlOf(flags: FlagValues, env: NodeJS.ProcessEnv = process.env): Program {
  return {
    name: textFlag(flags, "kubectl") ?? (env["KUBECTL"] || "kubectl"),
    hint: "install kubectl, or pass its path with --kubectl or KUBECTL",
  };
}
