import type { Command } from "../command.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";

/** Returns whether a word asks for help. */
export function asksForHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** Returns the name of the flag of every command that a word is, with or without a value. */
export function globalFlagOf(word: string): string | undefined {
  const name = /^--(?<name>[^=]+)/u.exec(word)?.groups?.["name"];
  return GLOBAL_FLAGS.find((flag) => flag.name === name || (flag.kind === "boolean" && `no-${flag.name}` === name))
    ?.name;
}

/**
 * Returns the arguments with the flags of every command that stand before the words of the command, or among them, moved behind these:
 * `--plugins x create api` is `create api --plugins=x`.
 */
export function moveLeadingFlags(args: readonly string[], commands: readonly Command[]): readonly string[] {
  const words: string[] = [];
  const flags: string[] = [];
  let index = 0;
  for (; index < args.length && isGroup(words, commands); index += 1) {
    const word = args[index] ?? "";
    const value = args[index + 1];
    if (!word.startsWith("-")) words.push(word);
    else if (asksForHelp(word)) flags.push(word);
    else if (globalFlagOf(word) === undefined) break;
    else if (takesNextWord(word) && value !== undefined && globalFlagOf(value) === undefined) {
      flags.push(`${word}=${value}`);
      index += 1;
    } else flags.push(word);
  }
  return [...words, ...flags, ...args.slice(index)];
}

// Of nothing typed yet, every command may still follow.
function isGroup(words: readonly string[], commands: readonly Command[]): boolean {
  if (words.length === 0) return true;
  const group = commands.find((command) => command.path.join(" ") === words.join(" "));
  return group !== undefined && group.run === undefined;
}

function takesNextWord(word: string): boolean {
  return GLOBAL_FLAGS.some((flag) => flag.kind !== "boolean" && `--${flag.name}` === word);
}
