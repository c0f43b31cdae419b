import type { Command } from "../../command.ts";
import { WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";

/** `scaffold alpha generate`: the project as it would be scaffolded now. */
export const alphaGenerateCommand: Command = {
  path: ["alpha", "generate"],
  summary: "Make the project again from its PROJECT file",
  description: [
    "Make the project again from its PROJECT file, in place or into another folder: every file that commands have scaffolded becomes what they write now.",
    "In place that takes away what was changed in those files by hand, so a work tree with changes that git does not have is refused; other files are kept.",
  ].join("\n"),
  examples: [
    "scaffold alpha generate --output-dir ../guestbook-fresh",
    "scaffold alpha generate --dry-run",
    "scaffold alpha generate --input-dir ../guestbook --output-dir .",
  ],
  flags: [
    { name: "input-dir", kind: "string", isPath: true, help: "folder of the project (default: this folder)" },
    { name: "output-dir", kind: "string", isPath: true, help: "folder to write into (default: the project itself)" },
    { name: "force", kind: "boolean", help: "write over files that git does not have", default: "false" },
    YES_FLAG,
    { name: "make", kind: "boolean", help: "generate the manifests anew; all is written or nothing", default: "true" },
    ...WRITING_FLAGS,
  ],
  run: async (invocation) => {
    const { runAlphaGenerate } = await import("./run-alpha-generate.ts");
    return runAlphaGenerate(invocation);
  },
};
