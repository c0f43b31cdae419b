import type { Program } from "../../programs/run-program.ts";

/** The flag of the commands that run kubectl. */
export const KUBECTL_FLAG = {
  name: "kubectl",
  kind: "string",
  isPath: true,
  help: "kubectl program",
  default: "$KUBECTL, or kubectl",
} as const;

/** Returns the kubectl that the flag or the variable names. */
export function kubectlOf(given: string | undefined, env: NodeJS.ProcessEnv = process.env): Program {
  return {
    name: given ?? (env["KUBECTL"] || "kubectl"),
    hint: "install kubectl, or pass its path with --kubectl or KUBECTL",
  };
}
