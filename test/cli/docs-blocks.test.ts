/** The commands of all pages exist with their flags, and their YAML and JSON parses; test/e2e/docs-code.test.ts compiles their TypeScript. */
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

import type { Command } from "../../src/cli/command/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { GLOBAL_FLAGS } from "../../src/cli/flags/global-flags.ts";
import { parseFlags } from "../../src/cli/flags/parse-flags.ts";
import { takesPart } from "../../src/cli/flags/plugin-flags.ts";
import type { Flag } from "../../src/plugin/flag.ts";
import { listFiles, readSource } from "../architecture/source-files.ts";
import { STANDARD_REGISTRY } from "../support/run-command.ts";

/** A block or a span of code of a page. */
interface Code {
  readonly page: string;
  readonly line: number;
  /** The language of a block, "" for one that names none, "span" for code in a sentence. */
  readonly language: string;
  readonly text: string;
}

const FENCE = /^(?<indent>[ \t]*)```(?<language>[a-z]*)\n(?<text>[\s\S]*?)^[ \t]*```$/gmu;
const SPAN = /(?<!`)`(?<text>[^`\n]+)`(?!`)/gu;
const CALL = /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx (?:--yes |-y )?)?(?:kube)?scaffold(?:@\S+)? (?<rest>.+)$/u;
// Lines of usage, not commands.
const USAGE = /\[(?:flags|command|[a-z-]+\[)/u;

const PAGES = listFiles("")
  .filter((file) => /^(?:[^/]+|(?:docs|examples|packages|plugins)\/.*)\.md$/u.test(file) && file !== "CHANGELOG.md")
  .filter((file) => !/\/(?:test|templates)\//u.test(file));
const CODE = PAGES.flatMap((page) => codeOf(page, readSource(page)));
const inLanguage = (...languages: readonly string[]): readonly Code[] =>
  CODE.filter(({ language }) => languages.includes(language));

describe("the pages", () => {
  it("call commands that exist, with flags that they have", async () => {
    const calls = inLanguage("sh", "", "span").flatMap(callsOf);
    expect(calls.length).toBeGreaterThan(400);
    const commands = await commandsWithPluginFlags();
    expect(calls.flatMap((call) => errorsIn(call, commands))).toEqual([]);
  });

  it("contain YAML that parses", () => {
    const blocks = inLanguage("yaml");
    expect(blocks.length).toBeGreaterThan(50);
    const errors = blocks.flatMap(({ text, ...at }) =>
      [parseAllDocuments(text)].flat().flatMap(({ errors: found }) => found.map((each) => placed(at, each.message))),
    );
    expect(errors).toEqual([]);
  });

  it("contain JSON that parses", () => {
    const blocks = inLanguage("json");
    expect(blocks.length).toBeGreaterThan(0);
    const errors = blocks.flatMap(({ text, ...at }) => {
      try {
        JSON.parse(text);
        return [];
      } catch (error) {
        return [placed(at, String(error))];
      }
    });
    expect(errors).toEqual([]);
  });

  it("have blocks only in languages that a test reads, or that have no rules", () => {
    const known = new Set(["", "ts", "sh", "yaml", "json", "text", "mermaid", "span"]);
    expect(CODE.filter(({ language }) => !known.has(language)).map((each) => placed(each, each.language))).toEqual([]);
  });
});

describe("the check of commands", () => {
  it.each([
    ["scaffold nothing", 'unknown command "nothing"'],
    ["scaffold create api --sort Guestbook", "unknown flag: --sort"],
    ["npx scaffold dev --output yaml", "Allowed choices are"],
    ["npx kubescaffold@latest init guestbook", 'unexpected argument "guestbook"'],
  ])("finds the error in `%s`", async (text, message) => {
    const calls = callsOf({ page: "page.md", line: 1, language: "span", text });
    const commands = await commandsWithPluginFlags();
    expect(calls.flatMap((call) => errorsIn(call, commands))).toEqual([expect.stringContaining(message)]);
  });
});

function codeOf(page: string, source: string): readonly Code[] {
  const lineOf = (index: number): number => source.slice(0, index).split("\n").length;
  const blocks = [...source.matchAll(FENCE)].map(({ groups = {}, index }) => ({
    page,
    line: lineOf(index),
    language: groups["language"] ?? "",
    text: (groups["text"] ?? "").replaceAll(new RegExp(`^${groups["indent"] ?? ""}`, "gmu"), ""),
  }));
  // The lines stay, so that the numbers are right.
  const prose = source.replaceAll(FENCE, (block) => block.replaceAll(/[^\n]/gu, ""));
  const spans = [...prose.matchAll(SPAN)].map(({ groups = {}, index }) => ({
    page,
    line: prose.slice(0, index).split("\n").length,
    language: "span",
    text: groups["text"] ?? "",
  }));
  return [...blocks, ...spans];
}

/** Returns the calls of the program in a block or a span, each as the words after the program's name. */
function callsOf(code: Code): readonly { readonly at: Omit<Code, "text">; readonly words: readonly string[] }[] {
  return code.text
    .replaceAll(/\\\n\s*/gu, "")
    .split("\n")
    .flatMap((line) => line.split(/ (?:&&|\|\||\||;) /u))
    .flatMap((line) => {
      const rest = CALL.exec(line.trim())?.groups?.["rest"];
      return rest === undefined || USAGE.test(rest) ? [] : [{ at: code, words: wordsOf(rest) }];
    });
}

// Enough of a shell: quotes, comments, redirected output; `<name>` and `…` stand for values.
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:<[^<>]+>|"[^"]*"|'[^']*'|[^\s"'<])+/gu) ?? [];
  const end = words.findIndex((word) => /^(?:#|\d?>)/u.test(word));
  return (end === -1 ? words : words.slice(0, end))
    .filter((word) => word !== "…")
    .map((word) => word.replaceAll(/["']/gu, ""));
}

function errorsIn({ at, words }: ReturnType<typeof callsOf>[number], commands: readonly Command[]): readonly string[] {
  // `--help`, `help`, and a placeholder stand before every command.
  if (/^(?:-|help$|<)/u.test(words[0] ?? "")) return [];
  const command = commands
    .filter(({ path }) => path.every((word, index) => words[index] === word))
    .toSorted((left, right) => right.path.length - left.path.length)[0];
  if (command === undefined) return [placed(at, `unknown command "${words[0] ?? ""}"`)];
  // Their words are those of other programs.
  if (command.takesWords === true) return [];
  const args = words.slice(command.path.length).map((word) => (word === "-h" ? "--help" : word));
  try {
    parseFlags("scaffold", command, command.flags, args);
    return [];
  } catch (error) {
    // Sentences name a flag without its value: `edit --generator-options`.
    const isMention = at.language === "span" && String(error).includes("flag needs an argument");
    return isMention ? [] : [placed(at, String(error))];
  }
}

async function commandsWithPluginFlags(): Promise<readonly Command[]> {
  const { plugins, bundles } = STANDARD_REGISTRY;
  const all = [...new Set([...plugins, ...bundles.flatMap((bundle) => bundle.plugins)])];
  return await Promise.all(
    COMMANDS.map(async (command) => {
      const { pluginCommand } = command;
      const added =
        pluginCommand === undefined
          ? []
          : await Promise.all(
              all
                .filter((plugin) => takesPart(plugin, pluginCommand))
                .map(async (plugin) => (await plugin.flags?.(pluginCommand, [])) ?? []),
            );
      const flags = new Map<string, Flag>();
      for (const flag of [...command.flags, ...GLOBAL_FLAGS, HELP, ...added.flat()]) flags.set(flag.name, flag);
      return { ...command, flags: [...flags.values()] };
    }),
  );
}

const HELP: Flag = { name: "help", kind: "boolean", help: "print the help" };

function placed({ page, line }: Pick<Code, "page" | "line">, message: string): string {
  return `${page}:${String(line)} ${message}`;
}
