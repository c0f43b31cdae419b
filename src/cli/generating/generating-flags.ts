import { nearestName } from "@kubescaffold/platform";

import type { Flag, FlagValues } from "../../plugin/flag.ts";
import { InvalidFlagError, UnknownFlagError } from "../command/errors.ts";
import { switchFlag } from "../flags/flag-values.ts";

/** The flags of the commands that run generators. */
export const GENERATING_FLAGS: readonly Flag[] = [
  { name: "strict", kind: "boolean", help: "treat warnings as errors", default: "false" },
  { name: "watch", kind: "boolean", help: "regenerate on every source change, until Ctrl-C", default: "false" },
  { name: "prune", kind: "boolean", help: "delete generated CRDs whose types no longer exist", default: "false" },
  {
    name: "cache",
    kind: "boolean",
    help: "skip generation if inputs and outputs are unchanged",
    default: "true",
  },
];

/** The flag that overrides options of generators in PROJECT. */
export const GENERATOR_OPTIONS_FLAG: Flag = {
  name: "generator-options",
  kind: "list",
  help: "options such as crd:maxDescLen=0, repeatable; empty for the default",
};

/** How generators run, besides their arguments. */
export interface GeneratingOptions {
  readonly isStrict: boolean;
  readonly watches: boolean;
  readonly prunes: boolean;
  readonly usesCache: boolean;
}

/** Returns what the flags say, with what holds when they are absent. */
export function generatingOptions(flags: FlagValues): GeneratingOptions {
  return {
    isStrict: switchFlag(flags, "strict") === true,
    watches: switchFlag(flags, "watch") === true,
    prunes: switchFlag(flags, "prune") === true,
    usesCache: switchFlag(flags, "cache") !== false,
  };
}

const FLAG = /^--(?<no>no-)?(?<name>[^=]*)(?:=(?<value>.*))?$/u;

/**
 * Takes the flags out of words that are otherwise controller-gen's.
 *
 * Fails: {@link UnknownFlagError} with the nearest flag, {@link InvalidFlagError}.
 */
export function splitFlags(words: readonly string[], command: string): { flags: FlagValues; words: readonly string[] } {
  const flags: Record<string, boolean> = {};
  for (const word of words.filter((each) => each.startsWith("-"))) {
    const { no, name = "", value = "true" } = FLAG.exec(word)?.groups ?? {};
    if (!GENERATING_FLAGS.some((flag) => flag.name === name)) throw unknownFlag(word, command);
    if (!/^(?:true|false)$/u.test(value) || (no !== undefined && word.includes("="))) {
      throw new InvalidFlagError(`invalid argument "${value}" for "--${name}": must be true or false`, {
        hint: `write --${name} or --no-${name}`,
      });
    }
    flags[name] = no === undefined && value === "true";
  }
  return { flags, words: words.filter((each) => !each.startsWith("-")) };
}

function unknownFlag(word: string, command: string): UnknownFlagError {
  const typed = word.split("=", 1)[0] ?? "";
  const known = GENERATING_FLAGS.flatMap(({ name }) => [`--${name}`, `--no-${name}`]);
  return new UnknownFlagError(typed, { command, nearest: nearestName(typed, [...known, "--help"]) });
}
