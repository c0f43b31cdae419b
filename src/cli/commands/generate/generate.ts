import type { Command } from "../../command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";
import { GENERATING_FLAGS } from "../../generating/generating-flags.ts";

/** `scaffold generate`: schemas of the API's types, for unit tests and webhooks. */
export const generateCommand: Command = {
  path: ["generate"],
  summary: "Write the schemas of the API's types, for unit tests and webhooks",
  description: [
    "Write zz_generated.schema.ts beside the types of every API: for each type a constant that validates values of it, fills in their defaults",
    "and drops what they may not hold, as an API server does. Beside them goes zz_generated.apply.ts, with what server-side apply takes, for kinds",
    "that were created with --ssa.",
    "The same as: gen object:headerFile=hack/boilerplate.ts.txt applyconfiguration:headerFile=hack/boilerplate.ts.txt paths=./...",
  ].join("\n"),
  examples: ["scaffold generate", "scaffold generate --dry-run", "scaffold generate --watch"],
  flags: [...WRITING_FLAGS, ...GENERATING_FLAGS.filter(({ name }) => name !== "prune")],
  run: async (invocation) => {
    const { schemaArguments } = await import("../../generating/generate-manifests.ts");
    const { runGeneratorsCommand } = await import("../../generating/run-generators-command.ts");
    return runGeneratorsCommand(invocation, schemaArguments);
  },
};
