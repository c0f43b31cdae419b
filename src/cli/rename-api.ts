import type { Command } from "./command.ts";
import { WRITING_FLAGS } from "./global-flags.ts";

/** `scaffold rename api`: another name for a kind. */
export const renameApiCommand: Command = {
  path: ["rename", "api"],
  summary: "Give a kind of the project another name, in its files, sources and manifests",
  description: [
    "Give a kind of the project another name: its files, identifiers, markers, manifests and its entry in PROJECT follow, in all its versions.",
    "Files that were not changed by hand become what they would be if the kind had had the name from the start; others keep their text, with the names in it replaced word by word.",
    "Objects of the former kind that a cluster holds are not touched: to the cluster the new name is another kind.",
  ].join("\n"),
  examples: [
    "scaffold rename api --group webapp --kind Guestbook --to-kind VisitorBook --dry-run",
    "scaffold rename api --group crew --kind Captain --to-kind Skipper --to-plural skipperz",
  ],
  flags: [
    { name: "group", kind: "string", help: "group of the API, without the project's domain" },
    { name: "version", kind: "string", help: "a version that the API must have; all of them are renamed" },
    { name: "kind", kind: "string", help: "kind of the API, such as Guestbook", isRequired: true },
    { name: "to-kind", kind: "string", help: "its new name", isRequired: true },
    { name: "to-plural", kind: "string", help: "its new plural, where it is irregular" },
    { name: "make", kind: "boolean", help: "generate the manifests anew; all is written or nothing", default: "true" },
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runRenameApi } = await import("./run-rename-api.ts");
    return runRenameApi(invocation);
  },
};
