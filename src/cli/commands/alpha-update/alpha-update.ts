import type { Command } from "../../command/command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold alpha update`: the project merged with what this version scaffolds. */
export const alphaUpdateCommand: Command = {
  path: ["alpha", "update"],
  summary: "Upgrade the project to this version of the scaffold, on a new branch",
  description: [
    "Upgrade the project by a three-way merge: git merges the differences between the scaffold of the version in PROJECT and the scaffold of this version into the project.",
    "The result is one commit on a new branch; --push pushes it and --open-gh-issue opens an issue for it. The work tree, the source branch, and files outside of the project's folder are not changed. Run it with the version to upgrade to: `npx kubescaffold@latest alpha update`.",
  ].join("\n"),
  examples: [
    "npx kubescaffold@latest alpha update",
    "scaffold alpha update --from-tarball ../kubescaffold-0.1.0.tgz --from-branch release",
    "scaffold alpha update --force --push --restore-path .github/workflows --open-gh-issue",
    "scaffold alpha update --to-version 0.3.0 --dry-run",
  ],
  flags: [
    {
      name: "from-version",
      kind: "string",
      help: "version that scaffolded the project (default: cliVersion in PROJECT)",
    },
    {
      name: "from-tarball",
      kind: "string",
      isPath: true,
      help: "packed program of --from-version, if not in the npm registry",
    },
    { name: "to-version", kind: "string", help: "version to upgrade to (default: the version of this program)" },
    {
      name: "to-tarball",
      kind: "string",
      isPath: true,
      help: "packed program of --to-version, if not in the npm registry",
    },
    { name: "from-branch", kind: "string", help: "branch to upgrade (default: the repository's default branch)" },
    {
      name: "output-branch",
      kind: "string",
      help: "branch for the result (default: kubescaffold-update-from-<version>-to-<version>)",
    },
    {
      name: "force",
      kind: "boolean",
      help: "commit conflicts, and overwrite an existing output branch",
      default: "false",
    },
    {
      name: "show-commits",
      kind: "boolean",
      help: "keep the history as a merge instead of one commit",
      default: "false",
    },
    { name: "restore-path", kind: "list", isPath: true, help: "paths to restore from the project after the merge" },
    { name: "push", kind: "boolean", help: "push the branch to origin", default: "false" },
    {
      name: "open-gh-issue",
      kind: "boolean",
      help: "open a GitHub issue for the pushed branch with gh",
      default: "false",
    },
    {
      name: "use-gh-models",
      kind: "boolean",
      help: "comment on the issue with a summary from gh models",
      default: "false",
    },
    { name: "merge-message", kind: "string", help: "commit message of the merge" },
    { name: "conflict-message", kind: "string", help: "commit message of a merge with conflicts" },
    {
      name: "git-config",
      kind: "list",
      help: "git settings for the merge, as key=value; `disable` drops the defaults",
    },
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runAlphaUpdate } = await import("./run-alpha-update.ts");
    return runAlphaUpdate(invocation);
  },
};
