import type { Command } from "../../command/command.ts";
import { defineCommand, type FlagsOf } from "../../command/define-command.ts";
import type { Terminal } from "../../command/terminal.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";
import {
  GENERATING_FLAGS,
  type GeneratingOptions,
  generatingOptions,
  GENERATOR_OPTIONS_FLAG,
} from "../../generating/generating-flags.ts";
import type { OptionChanges } from "../../generating/generator-options.ts";

/** `scaffold generate`: schemas of the API's types, for unit tests and webhooks. */
export const generateCommand: Command = defineCommand({
  path: ["generate"],
  summary: "Generate schemas and conversions of the API types",
  description: [
    "Generate zz_generated.schema.ts beside the types of every API: for each type, a constant that validates values, applies defaults,",
    "and prunes unknown fields, as an API server does. For kinds created with --ssa, generate zz_generated.apply.ts with the apply",
    "configurations for server-side apply. For versions with a converter, generate zz_generated.<kind>_conversion.ts, which converts equal fields.",
    "Options of generators in PROJECT apply; see `edit`.",
    "Equivalent to: gen object:headerFile=hack/boilerplate.ts.txt applyconfiguration:headerFile=hack/boilerplate.ts.txt conversion:headerFile=hack/boilerplate.ts.txt paths=./...",
  ].join("\n"),
  examples: ["scaffold generate", "scaffold generate --dry-run", "scaffold generate --watch"],
  flags: [...WRITING_FLAGS, ...GENERATING_FLAGS.filter(({ name }) => name !== "prune"), GENERATOR_OPTIONS_FLAG],
  parse: (flags, { terminal }) => readOptions(flags, terminal),
  run: async ({ changes, ...options }, invocation) => {
    const { schemaArguments } = await import("../../generating/project-arguments.ts");
    const { runGeneratorsCommand } = await import("../../generating/run-generators-command.ts");
    return runGeneratorsCommand(invocation, options, (tree) => schemaArguments(tree, changes));
  },
});

/** `scaffold manifests`: CRDs, roles and webhook configurations from the sources. */
export const manifestsCommand: Command = defineCommand({
  path: ["manifests"],
  summary: "Generate CRDs, roles, and webhook configurations",
  description: [
    "Generate config/crd/bases, config/rbac/role.yaml, and config/webhook/manifests.yaml from the markers in the sources.",
    "In a git repository, warn of changes since the last commit that break stored objects or clients; see `compat`.",
    "Options of generators in PROJECT apply; `edit` sets them, and --generator-options overrides them for one run.",
    "Equivalent to: gen rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases",
  ].join("\n"),
  examples: [
    "scaffold manifests",
    "scaffold manifests --dry-run",
    "scaffold manifests --watch",
    "scaffold manifests --generator-options crd:maxDescLen=0",
  ],
  flags: [...WRITING_FLAGS, ...GENERATING_FLAGS, GENERATOR_OPTIONS_FLAG],
  parse: (flags, { terminal }) => readOptions(flags, terminal),
  run: async ({ changes, ...options }, invocation) => {
    const { manifestArguments } = await import("../../generating/project-arguments.ts");
    const { runGeneratorsCommand } = await import("../../generating/run-generators-command.ts");
    return runGeneratorsCommand(
      invocation,
      { ...options, checksReleases: true },
      (tree) => manifestArguments(tree, changes),
      async ({ root, tree }) => {
        const { warnOfBreakingChanges } = await import("../../generating/compare-definitions.ts");
        await warnOfBreakingChanges(invocation, { root, tree, options: changes });
      },
    );
  },
});

interface GenerateOptions extends GeneratingOptions {
  /** Changes of the options of generators. */
  readonly changes: OptionChanges;
}

async function readOptions(
  {
    "generator-options": words,
    ...flags
  }: FlagsOf<readonly [...typeof GENERATING_FLAGS, typeof GENERATOR_OPTIONS_FLAG]>,
  terminal: Terminal,
): Promise<GenerateOptions> {
  const { flaggedOptions } = await import("../../generating/generator-options.ts");
  return { ...generatingOptions(flags, terminal), changes: flaggedOptions(words) };
}
