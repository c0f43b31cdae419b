import type { Command } from "../../command.ts";
import { WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold rename api`: another name for a kind. */
export const renameApiCommand: Command = {
  path: ["rename", "api"],
  summary: "Give a kind of the project another name, group or version, in its files, sources and manifests",
  description: [
    "Give a kind of the project another name, group or version: its files, identifiers, markers, manifests and its entry in PROJECT follow. A name, plural or group",
    "is that of all its versions; --to-version renames one. Without --kind, --to-group is for all kinds of the group.",
    "Files that were not changed by hand become what they would be if the kind had had the name from the start; others keep their text, with the names in it replaced word by word.",
    "Objects of the former name that a cluster holds are not touched: to the cluster the new name is another kind.",
  ].join("\n"),
  examples: [
    "scaffold rename api --group webapp --kind Guestbook --to-kind VisitorBook --dry-run",
    "scaffold rename api --group crew --kind Captain --to-kind Skipper --to-plural skipperz",
    "scaffold rename api --group webapp --to-group web",
    "scaffold rename api --group webapp --version v1alpha1 --kind Guestbook --to-version v1beta1",
  ],
  flags: [
    { name: "group", kind: "string", help: "group of the API, without the project's domain" },
    {
      name: "version",
      kind: "string",
      help: "the version that --to-version renames; otherwise one that the API must have",
    },
    { name: "kind", kind: "string", help: "kind of the API, such as Guestbook" },
    { name: "to-kind", kind: "string", help: "its new name" },
    { name: "to-plural", kind: "string", help: "its new plural, where it is irregular" },
    { name: "to-group", kind: "string", help: "its new group, without the project's domain" },
    { name: "to-version", kind: "string", help: "the new name of the version" },
    { name: "make", kind: "boolean", help: "generate the manifests anew; all is written or nothing", default: "true" },
    ...WRITING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForRename } = await import("./prompt-for-rename.ts");
    return askForRename(asking);
  },
  run: async (invocation) => {
    const { runRenameApi } = await import("./run-rename-api.ts");
    return runRenameApi(invocation);
  },
};
