import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { GENERATING_FLAGS } from "../../generating/generating-flags.ts";

/** `scaffold gen`: the generators with controller-gen's words. */
export const genCommand: Command = defineCommand({
  path: ["gen"],
  worksAnywhere: true,
  summary: "Run generators with controller-gen's arguments",
  description: [
    "Run generators. The arguments are the same as controller-gen's.",
    "",
    "-h lists generators, options, and output rules; -w lists the markers of the given generators. -hh and -ww add their arguments,",
    "-hhh and -www their details; -hhhh and -wwww print JSON.",
  ].join("\n"),
  usage: "[flags] [generator[:option=value,...]]... [paths=...] [output:...]",
  examples: [
    "scaffold gen crd paths=./... output:crd:artifacts:config=config/crd/bases",
    "scaffold gen rbac:roleName=manager-role paths=./... output:stdout",
    "scaffold gen crd -ww",
  ],
  flags: GENERATING_FLAGS,
  takesWords: true,
  // Its flags are among the words of controller-gen.
  parse: () => undefined,
  run: async (_options, invocation) => {
    const { runGen } = await import("./run-gen.ts");
    return runGen(invocation);
  },
});
