import type { Command } from "../../command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";
import { GENERATING_FLAGS } from "../../generating/generating-flags.ts";

/** `scaffold manifests`: CRDs, roles and webhook configurations from the sources. */
export const manifestsCommand: Command = {
  path: ["manifests"],
  summary: "Generate CRDs, roles, and webhook configurations",
  description: [
    "Generate config/crd/bases, config/rbac/role.yaml, and config/webhook/manifests.yaml from the markers in the sources.",
    "Equivalent to: gen rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases",
  ].join("\n"),
  examples: ["scaffold manifests", "scaffold manifests --dry-run", "scaffold manifests --watch"],
  flags: [...WRITING_FLAGS, ...GENERATING_FLAGS],
  run: async (invocation) => {
    const { MANIFEST_ARGUMENTS } = await import("../../generating/generate-manifests.ts");
    const { runGeneratorsCommand } = await import("../../generating/run-generators-command.ts");
    return runGeneratorsCommand(invocation, () => MANIFEST_ARGUMENTS);
  },
};
