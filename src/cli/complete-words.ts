import type { Flag } from "../plugin/flag.ts";
import type { Command } from "./command.ts";

/** What words are completed from. */
export interface Vocabulary {
  readonly commands: readonly Command[];
  readonly globalFlags: readonly Flag[];
  /** Returns the values of a flag that are known where the words are typed. */
  readonly valuesOf: (flag: string) => Promise<readonly string[]>;
}

/** Returns what may stand in place of the last word, each with its help after a tab. */
export async function completeWords(
  { commands, globalFlags, valuesOf }: Vocabulary,
  words: readonly string[],
): Promise<readonly string[]> {
  const typed = (words.at(-1) ?? "").replace(/^""$/u, "");
  const before = words.slice(0, -1);
  const path = before.filter((word) => !word.startsWith("-"));
  const command = commands.find(
    (each) =>
      each.path.length > 0 &&
      each.path.join(" ") === path.slice(0, each.path.length).join(" ") &&
      isLongest(commands, each, path),
  );
  if (typed.startsWith("-")) return matching(flagCandidates(command, globalFlags, before), typed);
  const flags = [...(command?.flags ?? []), ...globalFlags];
  const flag = flags.find((each) => each.kind !== "boolean" && `--${each.name}` === before.at(-1));
  if (flag !== undefined) {
    const values = flag.values ?? (await valuesOf(flag.name));
    return matching(
      values.map((value) => [value, ""] as const),
      typed,
    );
  }
  return matching(childCandidates(commands, path), typed);
}

type Candidate = readonly [word: string, help: string];

function isLongest(commands: readonly Command[], command: Command, path: readonly string[]): boolean {
  return !commands.some(
    (other) =>
      other.path.length > command.path.length && other.path.join(" ") === path.slice(0, other.path.length).join(" "),
  );
}

function flagCandidates(
  command: Command | undefined,
  globalFlags: readonly Flag[],
  before: readonly string[],
): readonly Candidate[] {
  const flags = [...(command?.flags ?? []), ...globalFlags];
  const fresh = flags.filter((flag) => !before.includes(`--${flag.name}`));
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
