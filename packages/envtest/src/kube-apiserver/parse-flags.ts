import { type ServerRelease, serverRelease } from "@kubescaffold/apiserver";
import { nearestName, parseGoDuration } from "@kubescaffold/platform";

import { ServerFlagError, UnknownServerFlagError } from "../failures/errors.ts";
import {
  CLUSTER_FLAGS,
  type FlagValue,
  IGNORED_FLAGS,
  KUBERNETES_FLAG,
  NEW_FLAGS,
  REFUSED_FLAGS,
  SIMULATED_FLAGS,
} from "./flag-table.ts";

/** The values of the simulated flags, in order; a flag that was not given is absent. */
export type ServerFlags = ReadonlyMap<string, readonly string[]>;

const VALUES: ReadonlyMap<string, FlagValue> = new Map(
  [...SIMULATED_FLAGS, ...CLUSTER_FLAGS].map(({ name, value }) => [name, value]),
);

const KNOWN: readonly string[] = [...VALUES.keys(), ...IGNORED_FLAGS, ...REFUSED_FLAGS.keys()].map((name) =>
  name.replace("?", ""),
);

/**
 * Parses arguments with the syntax of kube-apiserver of a release, by default the default one: `--name=value`, `--name value`, and `--name` for booleans.
 *
 * Fails: {@link UnknownServerFlagError} for a flag that this kube-apiserver does not have; {@link ServerFlagError} for an invalid value, and a flag that is not
 * simulated and changes something.
 */
export function parseFlags(args: readonly string[], release: ServerRelease = serverRelease()): ServerFlags {
  const flags = new Map<string, readonly string[]>();
  const waiting = [...args];
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    const { name, given } = splitWord(word, release);
    const value = given ?? (isBoolean(name) ? "true" : waiting.shift());
    if (value === undefined) throw new ServerFlagError(`flag needs an argument: --${name}`);
    if (VALUES.has(name)) flags.set(name, [...(flags.get(name) ?? []), ...valuesOf(name, value)]);
    else requireHarmless(name, value);
  }
  return flags;
}

/** Returns the value of the flag that selects the minor version, which other flags depend on; undefined without it. */
export function kubernetesFlag(args: readonly string[]): string | undefined {
  const index = args.findLastIndex(
    (word) => word === `--${KUBERNETES_FLAG}` || word.startsWith(`--${KUBERNETES_FLAG}=`),
  );
  const word = args[index];
  if (word === undefined) return undefined;
  return word.includes("=") ? word.slice(word.indexOf("=") + 1) : args[index + 1];
}

function splitWord(
  word: string,
  release: ServerRelease,
): { readonly name: string; readonly given: string | undefined } {
  const match = /^(?:--|-(?=v))([a-zA-Z][\w-]*)(?:=([\s\S]*))?$/u.exec(word);
  if (match?.[1] === undefined)
    throw new ServerFlagError(`unexpected argument "${word}": kube-apiserver takes only flags`, {
      hint: "write --name=value, or remove the argument",
    });
  const name = match[1].replaceAll("_", "-");
  const isKnown = VALUES.has(name) || isIgnored(name) || refusedDefault(name) !== undefined;
  const first = NEW_FLAGS.get(name);
  if (isKnown && (first === undefined || release.since(first))) return { name, given: match[2] };
  if (isKnown) {
    throw new UnknownServerFlagError(`unknown flag: --${name}`, {
      hint: `remove it; kube-apiserver has it since ${first ?? ""}, and this one is ${release.minor}`,
    });
  }
  const nearest = nearestName(name, KNOWN);
  throw new UnknownServerFlagError(`unknown flag: --${name}`, {
    hint:
      nearest === undefined
        ? `remove it; kube-apiserver ${release.minor} does not have it either`
        : `did you mean --${nearest}? kube-apiserver ${release.minor} does not have this flag either`,
  });
}

function isBoolean(name: string): boolean {
  return VALUES.get(name) === "boolean" || IGNORED_FLAGS.has(`${name}?`) || REFUSED_FLAGS.has(`${name}?`);
}

function isIgnored(name: string): boolean {
  return IGNORED_FLAGS.has(name) || IGNORED_FLAGS.has(`${name}?`);
}

function refusedDefault(name: string): string | undefined {
  return REFUSED_FLAGS.get(name) ?? REFUSED_FLAGS.get(`${name}?`);
}

function requireHarmless(name: string, value: string): void {
  const harmless = refusedDefault(name);
  if (isIgnored(name) || harmless === value) return;
  throw new ServerFlagError(`cannot use --${name}=${value}: the embedded API server does not simulate this flag`, {
    hint: "remove the flag, or use the binaries of a real control plane",
  });
}

function valuesOf(name: string, value: string): readonly string[] {
  switch (VALUES.get(name)) {
    case "list":
    case "map":
      return value.split(",").filter((item) => item !== "");
    case "boolean":
      if (value !== "true" && value !== "false") throw invalidValue(name, value, "not true or false");
      return [value];
    case "integer":
      if (!/^\d+$/u.test(value)) throw invalidValue(name, value, "not a number");
      return [value];
    case "number":
      if (!/^\d+(?:\.\d+)?(?:e[-+]?\d+)?$/iu.test(value)) throw invalidValue(name, value, "not a positive number");
      return [value];
    case "duration":
      millisecondsOf(name, value);
      return [value];
    default:
      return [value];
  }
}

/** Returns the value of a flag, the last one if it was given several times; undefined if it was not. */
export function lastValue(flags: ServerFlags, name: string): string | undefined {
  return flags.get(name)?.at(-1);
}

/** Returns the milliseconds of a duration, undefined without the flag. */
export function lastDuration(flags: ServerFlags, name: string): number | undefined {
  const text = lastValue(flags, name);
  return text === undefined ? undefined : millisecondsOf(name, text);
}

function millisecondsOf(name: string, text: string): number {
  const milliseconds = parseGoDuration(text);
  if (milliseconds === undefined) throw invalidValue(name, text, "not a duration such as 60s or 1m30s");
  return milliseconds;
}

/** Returns the error of a flag with an invalid value. */
export function invalidValue(name: string, value: string, why: string): ServerFlagError {
  return new ServerFlagError(`invalid value "${value}" for flag --${name}: ${why}`);
}
