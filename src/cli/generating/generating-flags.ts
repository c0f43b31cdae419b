import { nearestName } from "@kubescaffold/platform";

import type { FlagsOf } from "../command/define-command.ts";
import { InvalidFlagError, UnknownFlagError } from "../command/errors.ts";

/** The flags of the commands that run generators. */
export const GENERATING_FLAGS = [
  { name: "strict", kind: "boolean", help: "treat warnings as errors", default: "false" },
  { name: "watch", kind: "boolean", help: "regenerate on every source change, until Ctrl-C", default: "false" },
  { name: "prune", kind: "boolean", help: "delete generated CRDs whose types no longer exist", default: "false" },
  {
    name: "cache",
    kind: "boolean",
    help: "skip generation if inputs and outputs are unchanged",
    default: "true",
  },
] as const;

/** The flag that overrides options of generators in PROJECT. */
export const GENERATOR_OPTIONS_FLAG = {
  name: "generator-options",
  kind: "list",
  keepsCommas: true,
  help: "options such as crd:maxDescLen=0, repeatable; empty for the default",
} as const;

/** How generators run, besides their arguments. */
export interface GeneratingOptions {
  readonly isStrict: boolean;
  readonly watches: boolean;
  readonly prunes: boolean;
  readonly usesCache: boolean;
}

type GeneratingFlags = Partial<FlagsOf<typeof GENERATING_FLAGS>>;

/** Returns what the flags say, with what holds when they are absent. */
export function generatingOptions({
  strict = false,
  watch = false,
  prune = false,
  cache = true,
}: GeneratingFlags): GeneratingOptions {
  return { isStrict: strict, watches: watch, prunes: prune, usesCache: cache };
}

const FLAG = /^--(?<no>no-)?(?<name>[^=]*)(?:=(?<value>.*))?$/u;

/**
 * Takes the flags out of words that are otherwise controller-gen's.
 *
 * Fails: {@link UnknownFlagError} with the nearest flag, {@link InvalidFlagError}.
 */
export function splitFlags(
  words: readonly string[],
  command: string,
): { flags: GeneratingFlags; words: readonly string[] } {
  const flags: Partial<Record<keyof GeneratingFlags, boolean>> = {};
  for (const word of words.filter((each) => each.startsWith("-"))) {
    const { no, name = "", value = "true" } = FLAG.exec(word)?.groups ?? {};
    const flag = GENERATING_FLAGS.find((each) => each.name === name);
    if (flag === undefined) throw unknownFlag(word, command);
    if (!/^(?:true|false)$/u.test(value) || (no !== undefined && word.includes("="))) {
      throw new InvalidFlagError(`invalid argument "${value}" for "--${name}": must be true or false`, {
        hint: `write --${name} or --no-${name}`,
      });
    }
    flags[flag.name] = no === undefined && value === "true";
  }
  return { flags, words: words.filter((each) => !each.startsWith("-")) };
}

function unknownFlag(word: string, command: string): UnknownFlagError {
  const typed = word.split("=", 1)[0] ?? "";
  const known = GENERATING_FLAGS.flatMap(({ name }) => [`--${name}`, `--no-${name}`]);
  return new UnknownFlagError(typed, { command, nearest: nearestName(typed, [...known, "--help"]) });
}
