import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { goldenProjects } from "./golden-projects.ts";

interface Row {
  readonly commands: readonly string[];
  /** `all` stands for every flag of the commands. */
  readonly flags: readonly string[];
  readonly tests: readonly string[];
  readonly reason: string;
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const codes = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/gu)].map(([, code = ""]) => code);

const FLAGS = documentedFlags();
const ROWS = rowsOfReadme();
const SCRIPTED = scriptedFlags();

function documentedFlags(): ReadonlyMap<string, ReadonlySet<string>> {
  const sections = read("docs/reference/cli.md").split(/^## /mu).slice(1);
  return new Map(
    sections.map((section) => {
      const command = /^`scaffold (?<name>[^`]+)`/u.exec(section)?.groups?.["name"] ?? "every command";
      return [command, new Set([...section.matchAll(/^\| `(--[a-z-]+)` \|/gmu)].map(([, flag = ""]) => flag))];
    }),
  );
}

function rowsOfReadme(): readonly Row[] {
  const [, section = ""] = read("test/golden/README.md").split(/^## Flags without a script$/mu);
  return [...section.matchAll(/^\| (?<row>.+) \|$/gmu)].slice(1).map(({ groups }) => {
    const [commands = "", flags = "", tests = "", reason = ""] = (groups?.["row"] ?? "").split(" | ");
    return {
      commands: commands === "every command" ? [commands] : codes(commands),
      flags: flags === "all" ? ["all"] : codes(flags),
      tests: codes(tests),
      reason,
    };
  });
}

function scriptedFlags(): ReadonlySet<string> {
  const lines = goldenProjects().flatMap(({ commands }) => commands);
  return new Set(
    lines.flatMap((line) => {
      const command = [...FLAGS.keys()].findLast((name) => `${line} `.startsWith(`${name} `)) ?? line;
      const flags = [...line.matchAll(/ (--[a-z-]+)/gu)].map(([, flag = ""]) => flag);
      return flags.flatMap((flag) => [`${command} ${flag}`, `every command ${flag}`]);
    }),
  );
}

it("every flag of every command is in the script of a golden project or in the list of the README", () => {
  const listed = ({ commands, flags }: Row, command: string, flag: string): boolean =>
    commands.includes(command) && (flags.includes("all") || flags.includes(flag));
  const missing = [...FLAGS].flatMap(([command, flags]) =>
    [...flags]
      .filter((flag) => !SCRIPTED.has(`${command} ${flag}`) && !ROWS.some((row) => listed(row, command, flag)))
      .map((flag) => `${command} ${flag}`),
  );
  expect(missing).toEqual([]);
});

it("the list names flags that there are, and none that a script has", () => {
  const named = ROWS.flatMap(({ commands, flags }) =>
    commands.flatMap((command) => flags.filter((flag) => flag !== "all").map((flag) => ({ command, flag }))),
  );
  expect(ROWS.length).toBeGreaterThan(0);
  expect(ROWS.flatMap(({ commands }) => commands).filter((command) => !FLAGS.has(command))).toEqual([]);
  expect(named.filter(({ command, flag }) => FLAGS.get(command)?.has(flag) !== true)).toEqual([]);
  expect(named.filter(({ command, flag }) => SCRIPTED.has(`${command} ${flag}`))).toEqual([]);
});

it("the list has a reason in each row, and tests that verify it", () => {
  for (const { commands, flags, tests, reason } of ROWS) {
    expect(reason).not.toBe("");
    expect(tests).not.toEqual([]);
    expect(tests.filter((test) => !existsSync(path.join(ROOT, test)))).toEqual([]);
    const texts = tests.map((test) => read(test));
    const words = flags.includes("all") ? commands.map((command) => command.split(" ")[0] ?? "") : flags;
    const silent = words.filter((word) => {
      const name = word.replace(/^--/u, "");
      return !texts.some((text) => [word, `--no-${name}`].some((each) => text.includes(each)));
    });
    expect(silent).toEqual([]);
  }
});
