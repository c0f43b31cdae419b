import type { RenameRequest } from "../../../project/plans/plan-rename.ts";
import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { MissingFlagError } from "../../command/errors.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";
import type { RenameApiOptions } from "./run-rename-api.ts";

/** `scaffold rename api`: another name for a kind. */
export const renameApiCommand: Command = defineCommand({
  path: ["rename", "api"],
  summary: "Rename a kind, its group, or a version throughout the project",
  description: [
    "Rename a kind, its plural, its group, or a version in files, identifiers, markers, manifests, and PROJECT. A new name, plural, or group applies to",
    "all versions of the kind; --to-version renames one version. Without --kind, --to-group renames the group of all its kinds.",
    "Files without manual changes are regenerated with the new name; in other files, only the names are replaced.",
    "Existing objects in a cluster are not migrated: to the cluster, the new name is a different kind.",
  ].join("\n"),
  examples: [
    "scaffold rename api --group webapp --kind Guestbook --to-kind VisitorBook --dry-run",
    "scaffold rename api --group crew --kind Captain --to-kind Skipper --to-plural skipperz",
    "scaffold rename api --group webapp --to-group web",
    "scaffold rename api --group webapp --version v1alpha1 --kind Guestbook --to-version v1beta1",
  ],
  flags: [
    { name: "group", kind: "string", mayBeEmpty: true, help: "group of the API, without the project's domain" },
    {
      name: "version",
      kind: "string",
      help: "version that --to-version renames",
    },
    { name: "kind", kind: "string", help: "kind of the API, such as Guestbook" },
    { name: "to-kind", kind: "string", help: "new name of the kind" },
    { name: "to-plural", kind: "string", help: "new plural of the kind, if irregular" },
    { name: "to-group", kind: "string", help: "new group of the API, without the project's domain" },
    { name: "to-version", kind: "string", help: "new name of the version" },
    { name: "make", kind: "boolean", help: "regenerate the manifests", default: "true" },
    ...WRITING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForRename } = await import("./prompt-for-rename.ts");
    return askForRename(asking);
  },
  parse: ({ group = "", version, kind, ...flags }, { program }): RenameApiOptions => {
    const request = {
      group,
      version,
      kind,
      toKind: flags["to-kind"],
      toPlural: flags["to-plural"],
      toGroup: flags["to-group"],
      toVersion: flags["to-version"],
    };
    requireNames(request, program.name);
    return { request, makesManifests: flags.make !== false };
  },
  run: async (options, invocation) => {
    const { runRenameApi } = await import("./run-rename-api.ts");
    return runRenameApi(options, invocation);
  },
});

// Which flags are needed depends on the others.
function requireNames({ kind, toKind, toPlural, toGroup, toVersion }: RenameRequest, program: string): void {
  const names = [toKind, toPlural, toGroup, toVersion];
  const missing = [
    ...(kind === undefined && toGroup === undefined ? ["kind"] : []),
    ...(names.every((name) => name === undefined) ? ["to-kind"] : []),
  ];
  if (missing.length > 0) throw new MissingFlagError(missing, `${program} rename api`);
}
