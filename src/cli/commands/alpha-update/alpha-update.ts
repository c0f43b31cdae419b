import path from "node:path";

import { EXACT_VERSION_RULE, readExactVersion } from "../../../project/exact-version.ts";
import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";
import { minorOf } from "../../flags/kubernetes-flag.ts";
import type { AlphaUpdateOptions } from "./run-alpha-update.ts";

/** `scaffold alpha update`: the project merged with what this version scaffolds. */
export const alphaUpdateCommand: Command = defineCommand({
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
    {
      name: "kubernetes",
      kind: "string",
      help: "minor version of Kubernetes of the upgraded project (default: that of PROJECT)",
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
  ask: async (asking) => {
    const { askForKubernetes } = await import("./run-alpha-update.ts");
    return askForKubernetes(asking);
  },
  parse: (flags, { cwd, terminal }): AlphaUpdateOptions => {
    refuseContradiction(flags);
    flags["git-config"].forEach((setting) => requireSetting(setting));
    return {
      from: {
        version: exactVersion("from-version", flags["from-version"]),
        tarball: resolved(cwd, flags["from-tarball"]),
        branch: flags["from-branch"],
      },
      to: {
        version: exactVersion("to-version", flags["to-version"]),
        tarball: resolved(cwd, flags["to-tarball"]),
        branch: flags["output-branch"],
      },
      force: flags.force === true,
      showsCommits: flags["show-commits"] === true,
      restoredPaths: flags["restore-path"],
      pushes: flags.push === true,
      opensIssue: flags["open-gh-issue"] === true,
      summarizes: flags["use-gh-models"] === true,
      mergeMessage: flags["merge-message"],
      conflictMessage: flags["conflict-message"],
      gitSettings: flags["git-config"],
      kubernetes: flags.kubernetes === undefined ? undefined : minorOf(flags.kubernetes, terminal),
    };
  },
  run: async (options, invocation) => {
    const { runAlphaUpdate } = await import("./run-alpha-update.ts");
    return runAlphaUpdate(options, invocation);
  },
});

/** Flags, and those without which they mean nothing: nobody sees an issue's branch that is not pushed. */
const NEEDS = [
  ["use-gh-models", "open-gh-issue"],
  ["open-gh-issue", "push"],
  ["to-tarball", "to-version"],
] as const;

type Dependent = (typeof NEEDS)[number][number];

interface Contradicting extends Readonly<Partial<Record<Dependent | "show-commits", string | boolean | undefined>>> {
  readonly "restore-path": readonly string[];
}

function refuseContradiction(flags: Contradicting): void {
  const isGiven = (name: Dependent): boolean => flags[name] !== undefined && flags[name] !== false;
  if (flags["restore-path"].length > 0 && flags["show-commits"] === true) {
    throw new InvalidFlagError("cannot use --restore-path with --show-commits", {
      hint: "omit one of the two flags",
    });
  }
  for (const [name, needed] of NEEDS) {
    if (!isGiven(name) || isGiven(needed)) continue;
    throw new InvalidFlagError(`cannot use --${name} without --${needed}`, {
      hint: `pass --${needed} too, or omit --${name}`,
    });
  }
}

function exactVersion(name: string, version: string | undefined): string | undefined {
  const exact = version === undefined ? undefined : readExactVersion(version);
  if (version === undefined || exact !== undefined) return exact;
  throw new InvalidFlagError(`cannot use "${version}" for --${name}: ${EXACT_VERSION_RULE}`, {
    hint: `pass --${name} with an exact version, such as 0.2.0`,
  });
}

// git itself would say so when the former version is installed and run, minutes later.
function requireSetting(setting: string): void {
  if (setting === "disable" || /^[a-z][a-z\d-]*(?:\..+)?\.[a-z][a-z\d-]*=/iu.test(setting)) return;
  throw new InvalidFlagError(`cannot use "${setting}" for --git-config: it is not a git setting`, {
    hint: "pass --git-config section.key=value, such as merge.conflictStyle=diff3, or disable",
  });
}

function resolved(cwd: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.resolve(cwd, file);
}
