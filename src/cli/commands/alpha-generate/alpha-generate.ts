import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { WRITING_FLAGS, YES_FLAG } from "../../flags/global-flags.ts";
import type { AlphaGenerateOptions } from "./run-alpha-generate.ts";

/** `scaffold alpha generate`: the project as it would be scaffolded now. */
export const alphaGenerateCommand: Command = defineCommand({
  path: ["alpha", "generate"],
  summary: "Regenerate the project from its PROJECT file",
  description: [
    "Regenerate every scaffolded file of the project from its PROJECT file, in place or in another folder.",
    "In place, this discards manual changes in scaffolded files, so a work tree with uncommitted changes is rejected. Other files are not changed.",
  ].join("\n"),
  examples: [
    "scaffold alpha generate --output-dir ../guestbook-fresh",
    "scaffold alpha generate --dry-run",
    "scaffold alpha generate --input-dir ../guestbook --output-dir .",
  ],
  flags: [
    { name: "input-dir", kind: "string", isPath: true, help: "folder of the project (default: this folder)" },
    { name: "output-dir", kind: "string", isPath: true, help: "folder to write to (default: the project's folder)" },
    { name: "force", kind: "boolean", help: "overwrite uncommitted changes", default: "false" },
    YES_FLAG,
    { name: "make", kind: "boolean", help: "regenerate the manifests", default: "true" },
    ...WRITING_FLAGS,
  ],
  parse: async (flags, { cwd }): Promise<AlphaGenerateOptions> => {
    const { inputFolder, outputFolder } = await import("../../flags/folder-flags.ts");
    const input = inputFolder(cwd, flags["input-dir"]) ?? cwd;
    const output = outputFolder(cwd, flags["output-dir"]) ?? input;
    return { input, output, force: flags.force === true, makesManifests: flags.make !== false };
  },
  run: async (options, invocation) => {
    const { runAlphaGenerate } = await import("./run-alpha-generate.ts");
    return runAlphaGenerate(options, invocation);
  },
});
