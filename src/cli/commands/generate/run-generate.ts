import type { Invocation } from "../../command.ts";
import { schemaArguments } from "../../generating/generate-manifests.ts";
import { runGeneratorsCommand } from "../../generating/run-generators-command.ts";

/** Generates the schemas of the project in the working folder. */
export function runGenerate(invocation: Invocation): Promise<number> {
  return runGeneratorsCommand(invocation, schemaArguments);
}
