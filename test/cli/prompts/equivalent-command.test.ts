import { execFileSync } from "node:child_process";

import { expect, it } from "vitest";

import { parseFlags } from "../../../src/cli/flags/parse-flags.ts";
import { commandLine, flagWords } from "../../../src/cli/prompts/prompt-for-missing.ts";
import type { Flag } from "../../../src/plugin/flag.ts";

const FLAGS: readonly Flag[] = [
  { name: "group", kind: "string", help: "" },
  { name: "owner", kind: "string", help: "" },
  { name: "resource", kind: "boolean", help: "" },
  { name: "controller", kind: "boolean", help: "" },
  { name: "spoke", kind: "list", help: "" },
];

it("answers become words that are read as the same answers", () => {
  const answers = { group: "", owner: "Acme, Inc.", resource: true, controller: false, spoke: ["v2,v3"] };
  const command = { path: ["create"], summary: "", flags: FLAGS };
  expect(parseFlags("scaffold", command, FLAGS, flagWords(answers)).flags).toEqual(answers);
});

it("a command line gives a shell the same words", () => {
  const words = ["--owner", 'it\'s $HOME; `x` "y"', "--group=", "a/b", ""];
  const shown = execFileSync("sh", ["-c", `printf '%s\\n' ${commandLine(words)}`], { encoding: "utf8" });
  expect(shown).toBe(`${words.join("\n")}\n`);
});
