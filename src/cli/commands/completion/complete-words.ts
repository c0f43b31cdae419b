import type { Flag } from "../../../plugin/flag.ts";
import type { Command } from "../../command/command.ts";

/** What words are completed from. */
export interface Vocabulary {
  readonly commands: readonly Command[];
  readonly globalFlags: readonly Flag[];
  /** Returns the flags of a command, given the words behind it: plugins that they name add some. */
  readonly flagsOf: (command: Command, rest: readonly string[]) => Promise<readonly Flag[]>;
  /** Returns the values of a flag that are known where the words are typed. */
  readonly valuesOf: (flag: string, typed: Typed) => Promise<readonly string[]>;
  /** The folder of the project that the words are typed in. */
  readonly folder: string;
}

/** What is on the line already. */
export interface Typed {
  readonly command: readonly string[];
  /** The values of flags, as they were typed. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** Replaces candidates where files and folders of the shell may be. */
export const FILES = ":files";

/**
 * Returns what may be in place of the last word, each with its help after a tab.
 *
 * bash takes `--flag=value` for three words and replaces the last one; other shells take it for one and replace all of it.
 */
export async function completeWords(vocabulary: Vocabulary, words: readonly string[]): Promise<readonly string[]> {
  const { commands, globalFlags, valuesOf } = vocabulary;
  const isSplit = words.at(-1) === "=" || words.at(-2) === "=";
  const joined = joinValues(words.map((word) => (word === '""' ? "" : word)));
  const typed = joined.at(-1) ?? "";
  const before = joined.slice(0, -1);
  const path = before.filter((word) => !word.startsWith("-"));
  const command = commands.find(
    (each) =>
      each.path.length > 0 &&
      each.path.join(" ") === path.slice(0, each.path.length).join(" ") &&
      isLongest(commands, each, path),
  );
  const rest = before.slice(command?.path.length ?? 0);
  const flags = [...(command === undefined ? [] : await vocabulary.flagsOf(command, rest)), ...globalFlags];
  const known = { command: command?.path ?? [], values: typedValues(flags, rest) };
  const valuesWith = async (flag: Flag, prefix: string): Promise<readonly Candidate[]> =>
    (flag.values ?? (await valuesOf(flag.name, known))).map((value) => [prefix + value, ""] as const);

  const assigned = /^--(?<name>[^=]+)=(?<value>.*)$/su.exec(typed)?.groups;
  if (assigned !== undefined) {
    const flag = flags.find((each) => each.name === assigned["name"]);
    if (flag === undefined) return [];
    if (flag.isPath === true) return [FILES];
    return isSplit
      ? matching(await valuesWith(flag, ""), assigned["value"] ?? "")
      : matching(await valuesWith(flag, `--${flag.name}=`), typed);
  }
  if (typed.startsWith("-")) return matching(flagCandidates(flags, before), typed);
  const needsValue = ({ kind, impliedValue }: Flag): boolean => kind !== "boolean" && impliedValue === undefined;
  const flag = flags.find((each) => needsValue(each) && `--${each.name}` === before.at(-1));
  if (flag !== undefined) return flag.isPath === true ? [FILES] : matching(await valuesWith(flag, ""), typed);
  if (command?.topics !== undefined) return await command.topics(typed, vocabulary.folder);
  if (command?.takesInputs === "paths" || command?.takesWords === true) return [FILES];
  return matching(childCandidates(commands, path), typed);
}

function joinValues(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const belongsToLast = word === "=" || words[index - 1] === "=";
    if (belongsToLast && joined.length > 0) joined.push(`${joined.pop() ?? ""}${word}`);
    else joined.push(word);
  }
  return joined;
}

function typedValues(flags: readonly Flag[], words: readonly string[]): Typed["values"] {
  const values: Record<string, string[]> = {};
  for (const [index, word] of words.entries()) {
    const { name = "", value = words[index + 1] } = /^--(?<name>[^=]+)(?:=(?<value>.*))?$/su.exec(word)?.groups ?? {};
    const flag = flags.find((each) => each.name === name && each.kind !== "boolean");
    if (flag !== undefined && value !== undefined) values[name] = [...(values[name] ?? []), ...value.split(",")];
  }
  return values;
}

type Candidate = readonly [word: string, help: string];

function isLongest(commands: readonly Command[], command: Command, path: readonly string[]): boolean {
  return !commands.some(
    (other) =>
      other.path.length > command.path.length && other.path.join(" ") === path.slice(0, other.path.length).join(" "),
  );
}

function flagCandidates(flags: readonly Flag[], before: readonly string[]): readonly Candidate[] {
  const given = new Set(before.map((word) => word.split("=")[0]));
  const fresh = flags.filter((flag) => flag.kind === "list" || !given.has(`--${flag.name}`));
  return [...fresh.map((flag) => [`--${flag.name}`, flag.help] as const), ["--help", "show help"]];
}

function childCandidates(commands: readonly Command[], path: readonly string[]): readonly Candidate[] {
  return commands
    .filter((each) => each.isHidden !== true && each.path.length === path.length + 1)
    .filter((each) => path.every((word, index) => each.path[index] === word))
    .map((each) => [each.path.at(-1) ?? "", each.summary] as const);
}

function matching(candidates: readonly Candidate[], typed: string): readonly string[] {
  return candidates
    .filter(([word]) => word.startsWith(typed))
    .map(([word, help]) => (help === "" ? word : `${word}\t${help}`));
}
