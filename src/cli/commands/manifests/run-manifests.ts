import type { Invocation } from "../../command.ts";
import { MANIFEST_ARGUMENTS } from "../../generating/generate-manifests.ts";
import { runGeneratorsCommand } from "../../generating/run-generators-command.ts";

/** Generates the manifests of the project in the working folder. */
export function runManifests(invocation: Invocation): Promise<number> {
  return runGeneratorsCommand(invocation, () => MANIFEST_ARGUMENTS);
}
