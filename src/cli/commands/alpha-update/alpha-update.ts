import type { Command } from "../../command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold alpha update`: the project merged with what this version scaffolds. */
export const alphaUpdateCommand: Command = {
  path: ["alpha", "update"],
  summary: "Merge what this version scaffolds into the project, on a branch of its own",
  description: [
    "Merge what this version of the program scaffolds into the project: git compares what the version in PROJECT scaffolded, what the project is, and what this version scaffolds.",
    "The result is one commit on a new branch, which --push pushes and --open-gh-issue tells of; the work tree and the branch it comes from are not touched, nor is anything outside of the project where it is a folder of its repository. Run it with the version to update to: `npx kubescaffold@latest alpha update`.",
  ].join("\n"),
  examples: [
    "npx kubescaffold@latest alpha update",
    "scaffold alpha update --from-tarball ../kubescaffold-0.1.0.tgz --from-branch release",
    "scaffold alpha update --force --push --restore-path .github/workflows --open-gh-issue",
    "scaffold alpha update --to-version 0.3.0 --dry-run",
  ],
  flags: [
    { name: "from-version", kind: "string", help: "version that made the project (default: cliVersion of PROJECT)" },
    {
      name: "from-tarball",
      kind: "string",
      isPath: true,
      help: "the packed program of that version, where npm does not have it",
    },
    { name: "to-version", kind: "string", help: "version to update to (default: that of this program)" },
    {
      name: "to-tarball",
      kind: "string",
      isPath: true,
      help: "the packed program of --to-version, where npm does not have it",
    },
    { name: "from-branch", kind: "string", help: "branch that is updated", default: "main" },
    {
      name: "output-branch",
      kind: "string",
      help: "branch that takes the result (default: kubescaffold-update-from-<version>-to-<version>)",
    },
    { name: "force", kind: "boolean", help: "take a merge with conflicts, and replace the branch", default: "false" },
    {
      name: "show-commits",
      kind: "boolean",
      help: "a merge with its history in place of one commit",
      default: "false",
    },
    { name: "restore-path", kind: "list", isPath: true, help: "paths that stay as they are in the project" },
    { name: "push", kind: "boolean", help: "push the branch to origin", default: "false" },
    {
      name: "open-gh-issue",
      kind: "boolean",
      help: "open an issue about the pushed branch with gh, unless one is open",
      default: "false",
    },
    {
      name: "use-gh-models",
      kind: "boolean",
      help: "let a model that gh offers comment the issue with a summary of the changes",
      default: "false",
    },
    { name: "merge-message", kind: "string", help: "message of the commit" },
    { name: "conflict-message", kind: "string", help: "message of a commit with conflicts" },
    {
      name: "git-config",
      kind: "list",
      help: "settings of git for the merge, key=value; `disable` drops the defaults",
    },
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runAlphaUpdate } = await import("./run-alpha-update.ts");
    return runAlphaUpdate(invocation);
  },
};
