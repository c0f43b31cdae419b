import { ts } from "ts-morph";
import { expect, it } from "vitest";

import { listSources, readSource } from "./source-files.ts";

// The parser of the command line, the contract of a command, and the contract of plugins.
const PARSER = [
  "src/cli/command/command.ts",
  "src/cli/command/define-command.ts",
  "src/cli/flags/parse-flags.ts",
  "src/cli/prompts/prompt-for-missing.ts",
  "src/cli/run-cli.ts",
  "src/cli/session/project-folder.ts",
];
const PLUGIN_CONTRACT = /^(?:plugins|src\/plugin)\//u;

const COMMAND_LINE = listSources().filter((file) => file.startsWith("src/cli/"));

it("only the parser and the contract of plugins name the record of all flags", () => {
  const readers = listSources().filter(
    (file) => !file.startsWith("packages/") && /\b(?:FlagValues|CommandLine)\b/u.test(readSource(file)),
  );
  expect(readers.filter((file) => !PLUGIN_CONTRACT.test(file)).toSorted()).toEqual(PARSER);
});

it("flags of plugins are read where plugins run, and by the command that depends on one of them", () => {
  const readers = COMMAND_LINE.filter((file) => /\bpluginFlags\b/u.test(readSource(file)));
  expect(readers).toEqual([
    "src/cli/command/command.ts",
    "src/cli/command/define-command.ts",
    "src/cli/commands/create-api/create-api.ts",
    "src/cli/run-cli.ts",
    "src/cli/session/project-session.ts",
  ]);
});

it("commands that run are defined with a parser of their flags", () => {
  const objects = COMMAND_LINE.flatMap((file) => commandsIn(file));
  expect(objects.filter(({ isDefined }) => isDefined).length).toBeGreaterThan(20);
  expect(objects.filter(({ isDefined, runs }) => runs && !isDefined).map(({ file }) => file)).toEqual([]);
});

interface CommandObject {
  readonly file: string;
  readonly runs: boolean;
  /** Whether `defineCommand` takes the object. */
  readonly isDefined: boolean;
}

function commandsIn(file: string): readonly CommandObject[] {
  const found: CommandObject[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const names = node.properties.map(({ name }) => name?.getText());
      const isDefined = ts.isCallExpression(node.parent) && node.parent.expression.getText() === "defineCommand";
      if (names.includes("path") && names.includes("summary"))
        found.push({ file, runs: names.includes("run"), isDefined });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true));
  return found;
}
