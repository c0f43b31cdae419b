import { nearestName } from "@kubescaffold/platform";
import { Command as Parser, CommanderError, InvalidArgumentError, Option } from "commander";

import type { Flag, FlagValues } from "../../plugin/flag.ts";
import type { Command } from "../command/command.ts";
import { InvalidFlagError, MissingFlagError, UnknownFlagError } from "../command/errors.ts";

/** What was on the command line after the command itself. */
interface ParsedArguments {
  readonly flags: FlagValues;
  readonly words: readonly string[];
}

/**
 * Reads the flags of a command; a switch may be `--force`, `--force=true`, `--force=false` or `--no-force`. Those that are missing may still be
 * asked for: {@link requireFlags} looks for them. A flag of the command is no value of the one before it, unless it is written behind a `=`.
 *
 * Fails: {@link UnknownFlagError} with the nearest flag, {@link InvalidFlagError}.
 */
export function parseFlags(
  program: string,
  command: Command,
  flags: readonly Flag[],
  args: readonly string[],
): ParsedArguments {
  const name = [program, ...command.path].join(" ");
  requireValues(args, flags);
  const parser = new Parser(name).exitOverride().helpOption(false).allowExcessArguments(true).configureOutput(SILENT);
  for (const flag of flags) parser.addOption(optionFor(flag));
  for (const flag of flags) if (flag.kind === "boolean") parser.addOption(new Option(`--no-${flag.name}`).hideHelp());
  try {
    parser.parse(args, { from: "user" });
  } catch (error) {
    throw explain(error, { name, flags });
  }
  const values = namedValues(parser, flags);
  const takesWords = command.takesWords === true || command.takesInputs !== undefined;
  if (!takesWords && parser.args.length > programWords(command, args)) {
    throw new InvalidFlagError(`unexpected argument "${parser.args[0] ?? ""}" for ${name}`, {
      hint: "pass values with flags: --name value",
    });
  }
  return { flags: values, words: parser.args };
}

// Commander returns words before and after the separator in one list.
function programWords({ takesProgramWords = false }: Command, args: readonly string[]): number {
  const separator = takesProgramWords ? args.indexOf("--") : -1;
  return separator === -1 ? 0 : args.length - separator - 1;
}

// `--kind --plural x` is a value that was forgotten, which would be read as a kind of the name --plural.
function requireValues(args: readonly string[], flags: readonly Flag[]): void {
  const known = new Set(
    flags.flatMap(({ name, kind }) => [`--${name}`, ...(kind === "boolean" ? [`--no-${name}`] : [])]),
  );
  const needsValue = ({ kind, impliedValue }: Flag): boolean => kind !== "boolean" && impliedValue === undefined;
  const valued = new Set(flags.filter(needsValue).map(({ name }) => `--${name}`));
  for (let index = 0; index < args.length && args[index] !== "--"; index += 1) {
    const flag = args[index] ?? "";
    if (!valued.has(flag)) continue;
    index += 1;
    const value = args[index] ?? "";
    if (!known.has(value.split("=")[0] ?? "")) continue;
    throw new InvalidFlagError(`flag needs an argument: ${flag}, found the flag ${value}`, {
      hint: `write ${flag} <value>, or ${flag}=${value} if that is the value`,
    });
  }
}

/** Checks that all flags are there that a command needs. Fails: {@link MissingFlagError} that names all that are not. */
export function requireFlags(values: FlagValues, flags: readonly Flag[], name: string): void {
  const missing = missingFlags(values, flags);
  if (missing.length > 0)
    throw new MissingFlagError(
      missing.map((flag) => flag.name),
      name,
    );
}

/** Returns the flags that a command needs and was not given. */
export function missingFlags(values: FlagValues, flags: readonly Flag[]): readonly Flag[] {
  return flags.filter((flag) => flag.isRequired === true && values[flag.name] === undefined);
}

const SILENT = { writeOut: () => undefined, writeErr: () => undefined };

function optionFor(flag: Flag): Option {
  if (flag.kind === "boolean") return new Option(`--${flag.name} [value]`).preset("true").argParser(parseSwitch);
  if (flag.kind === "list") return new Option(`--${flag.name} <values>`).argParser(appendValue);
  if (flag.kind === "string") return textOption(flag);
  const { kind } = flag;
  return new Option(`--${flag.name} <value>`).argParser((value) => parseNumber(kind, value));
}

function textOption(flag: Flag): Option {
  if (flag.impliedValue !== undefined) return new Option(`--${flag.name} [value]`).preset(flag.impliedValue);
  const option = new Option(`--${flag.name} <value>`);
  return flag.values === undefined ? option : option.choices(flag.values);
}

function appendValue(value: string, before: readonly string[] | undefined): readonly string[] {
  return before === undefined ? [value] : [...before, value];
}

function parseSwitch(value: string): boolean {
  if (/^(?:true|t|1)$/iu.test(value)) return true;
  if (/^(?:false|f|0)$/iu.test(value)) return false;
  throw new InvalidArgumentError("It must be true or false.");
}

function parseNumber(kind: Flag["kind"], value: string): string {
  const problem = numberProblem(kind, value);
  if (problem === undefined) return value;
  throw new InvalidArgumentError(problem);
}

/** Returns the problem with a text that a flag reads as a number, if it is one; other kinds of flags read any text. */
export function numberProblem(kind: Flag["kind"], text: string): string | undefined {
  if (kind === "integer") return /^[-+]?\d+$/u.test(text) ? undefined : "It must be an integer.";
  if (kind !== "number") return undefined;
  const isNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/iu.test(text) && Number.isFinite(Number(text));
  return isNumber ? undefined : "It must be a number.";
}

function namedValues(parser: Parser, flags: readonly Flag[]): FlagValues {
  const camel = (name: string): string =>
    name.replaceAll(/-(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());
  const given = flags.filter((flag) => parser.getOptionValueSource(camel(flag.name)) === "cli");
  return Object.fromEntries(
    given.map((flag) => [flag.name, parser.getOptionValue(camel(flag.name)) as FlagValues[string]]),
  );
}

function explain(error: unknown, { name, flags }: { readonly name: string; readonly flags: readonly Flag[] }): unknown {
  if (!(error instanceof CommanderError)) return error;
  const typed = /'(?<flag>-[^' ]*)/u.exec(error.message)?.groups?.["flag"] ?? "";
  switch (error.code) {
    case "commander.unknownOption": {
      const nearest = nearestName(
        typed,
        flags.map((flag) => `--${flag.name}`),
      );
      return new UnknownFlagError(typed, { command: name, nearest, instead: insteadOfFlag(typed) });
    }
    case "commander.optionMissingArgument":
      return new InvalidFlagError(`flag needs an argument: ${typed}`, { hint: `write ${typed} <value>` });
    default: {
      const message = error.message.replace(/^error: /u, "").replace(/\.$/u, "");
      return new InvalidFlagError(message, { hint: `run \`${name} --help\` for the flags` });
    }
  }
}

// What kubebuilder's users type by habit, and what does it here.
const WAYS: Readonly<Record<string, string>> = {
  "--fetch-deps": "pass --skip-install to skip npm install",
  "--skip-go-version-check": "omit it: Go is not needed",
  "--manifests": "omit it: --make also generates the manifests; --make=false generates nothing",
  "--make": "omit it: this command generates no manifests; `scaffold manifests` does",
  "--component-config": "omit it: kubebuilder removed it; use the flags of the manager instead",
  "--verbose": "omit it: commands always list the files that they change",
};

/** Returns what does here what a flag of kubebuilder does there, for flags that are not here. */
export function insteadOfFlag(typed: string): string | undefined {
  return WAYS[typed.split("=")[0] ?? ""];
}
