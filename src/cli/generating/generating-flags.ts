import type { KubernetesMinor } from "@kubescaffold/k8s";
import { nearestName } from "@kubescaffold/platform";

import type { FlagsOf } from "../command/define-command.ts";
import { InvalidFlagError, UnknownFlagError } from "../command/errors.ts";
import type { Terminal } from "../command/terminal.ts";
import { KUBERNETES_FLAG, minorOf } from "../flags/kubernetes-flag.ts";

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
  { name: "kubernetes", kind: "string", help: "minor version of built-in types (default: that of the project)" },
] as const;

const SWITCHES = GENERATING_FLAGS.filter((flag) => flag.kind === "boolean");

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
  /** Whether to warn of what a supported minor version lacks. */
  readonly checksReleases?: boolean;
  /** The minor version of Kubernetes of the flag, if it was given. */
  readonly kubernetesVersion?: KubernetesMinor;
}

type GeneratingFlags = Partial<FlagsOf<typeof GENERATING_FLAGS>>;

/** Returns what the flags say, with what holds when they are absent. Fails: `KubernetesVersionError`. */
export function generatingOptions(
  { strict = false, watch = false, prune = false, cache = true, kubernetes }: GeneratingFlags,
  terminal: Pick<Terminal, "writeError">,
): GeneratingOptions {
  return {
    isStrict: strict,
    watches: watch,
    prunes: prune,
    usesCache: cache,
    ...(kubernetes === undefined ? {} : { kubernetesVersion: minorOf(kubernetes, terminal) }),
  };
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
  const flags: { -readonly [Name in keyof GeneratingFlags]: GeneratingFlags[Name] } = {};
  const others: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!word.startsWith("-")) {
      others.push(word);
      continue;
    }
    const { no, name = "", value = "true" } = FLAG.exec(word)?.groups ?? {};
    if (name === KUBERNETES_FLAG && no === undefined) {
      flags.kubernetes = word.includes("=") ? value : requiredValue(words[(index += 1)]);
      continue;
    }
    const flag = SWITCHES.find((each) => each.name === name);
    if (flag === undefined) throw unknownFlag(word, command);
    if (!/^(?:true|false)$/u.test(value) || (no !== undefined && word.includes("="))) {
      throw new InvalidFlagError(`invalid argument "${value}" for "--${name}": must be true or false`, {
        hint: `write --${name} or --no-${name}`,
      });
    }
    flags[flag.name] = no === undefined && value === "true";
  }
  return { flags, words: others };
}

function requiredValue(value: string | undefined): string {
  if (value !== undefined && !value.startsWith("-")) return value;
  throw new InvalidFlagError(`flag needs an argument: --${KUBERNETES_FLAG}`, {
    hint: `pass --${KUBERNETES_FLAG} with a minor version, such as --${KUBERNETES_FLAG}=1.36`,
  });
}

function unknownFlag(word: string, command: string): UnknownFlagError {
  const typed = word.split("=", 1)[0] ?? "";
  const known = [...SWITCHES.flatMap(({ name }) => [`--${name}`, `--no-${name}`]), `--${KUBERNETES_FLAG}`];
  return new UnknownFlagError(typed, { command, nearest: nearestName(typed, [...known, "--help"]) });
}
