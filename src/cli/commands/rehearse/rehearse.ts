import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { REHEARSE_FLAGS } from "./rehearse-flags.ts";

/** `scaffold rehearse`: whether the upgrade of an operator harms the objects of its users. */
export const rehearseCommand: Command = defineCommand({
  path: ["rehearse"],
  hasOwnStatus: true,
  summary: "Rehearse the upgrade of the operator from a former version",
  description: [
    "Install a former version of the operator on an embedded cluster, with its samples and objects of a user. Replace it by the present version like a rolling",
    "update: new definitions, roles, and webhooks, then both managers, then the new one alone. Roll back, upgrade again, and delete everything.",
    "After each step, all objects must be readable and valid in all versions, and have kept their fields, owners, labels, and Pods.",
    "The former version is checked out from git into a temporary folder; its dependencies are those of the project if the lock files are equal, and installed",
    "from package-lock.json if not. The exit status is 0 without findings, 1 with findings, 2 for invalid usage, and 3 if the former version does not come to rest by itself.",
  ].join("\n"),
  usage: "--from REVISION [flags]",
  examples: [
    "scaffold rehearse --from v1.2.0",
    "scaffold rehearse --from main --objects test/objects --report upgrade.md",
    "scaffold rehearse --from v1.2.0 --accept restarted-pod",
  ],
  flags: REHEARSE_FLAGS,
  parse: async (flags, invocation) => {
    const { readRehearseOptions } = await import("./rehearse-options.ts");
    return readRehearseOptions(flags, invocation);
  },
  run: async (options, invocation) => {
    const { runRehearse } = await import("./run-rehearse.ts");
    return runRehearse(options, invocation);
  },
});
