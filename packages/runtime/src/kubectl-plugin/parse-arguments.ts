import { Command, CommanderError, Option } from "commander";

import { PluginUsageError } from "./errors.ts";
import type { KubectlPlugin, PluginCommand } from "./plugin-command.ts";
import { CLUSTER_FLAGS, type KubectlFlags, OUTPUT_FLAGS, type PluginFlag, SELECTION_FLAGS } from "./plugin-flag.ts";

/** The values of flags by name. */
type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What the arguments of a plugin request. */
export type ParsedArguments =
  | { readonly kind: "help"; readonly text: string }
  | {
      readonly kind: "call";
      readonly command: PluginCommand;
      readonly args: readonly string[];
      readonly flags: FlagValues;
      readonly kubectl: KubectlFlags;
    };

/** Returns all flags of a command, its own first. */
export function flagsOf(command: PluginCommand): readonly PluginFlag[] {
  const { flags = [], printsObjects, selectsObjects, isClusterScoped } = command;
  const selection = SELECTION_FLAGS.filter(({ name }) => isClusterScoped !== true || name !== "all-namespaces");
  return [
    ...flags,
    ...(printsObjects === true ? OUTPUT_FLAGS : []),
    ...(selectsObjects === true ? selection : []),
    ...CLUSTER_FLAGS,
  ];
}

/** Returns the name of a command. */
export function commandName({ usage }: PluginCommand): string {
  return usage.split(" ", 1)[0] ?? "";
}

/**
 * Parses the arguments after the name of the plugin; flags may be before, between, and after the words.
 *
 * Fails: {@link PluginUsageError}.
 */
export function parseArguments(plugin: KubectlPlugin, args: readonly string[]): ParsedArguments {
  for (const command of plugin.commands) refuseSharedFlags(command);
  const calls: ParsedArguments[] = [];
  const help: string[] = [];
  const program = newParser(`kubectl ${plugin.name}`, help).description(plugin.summary).helpCommand(false);
  addFlags(program, CLUSTER_FLAGS);
  for (const command of plugin.commands) {
    const parser = commandParser(command, help);
    parser.action(() => void calls.push(callOf(command, valuesOf(command, [program, parser]), parser.args)));
    program.addCommand(parser);
  }
  const known = [...CLUSTER_FLAGS, ...plugin.commands.flatMap((command) => flagsOf(command))];
  try {
    program.parse(withSeparateValues(args, known), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!HELP_CODES.has(error.code)) throw explain(error, plugin, args);
  }
  return calls[0] ?? { kind: "help", text: help.join("") };
}

// Of two flags with one name, the parser would fill in one.
function refuseSharedFlags(command: PluginCommand): void {
  const names = new Set<string>();
  for (const { name, short } of flagsOf(command))
    for (const each of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]) {
      if (names.has(each)) throw sharedFlag(command, each);
      names.add(each);
    }
}

function sharedFlag(command: PluginCommand, flag: string): PluginUsageError {
  return new PluginUsageError(`cannot define the command ${commandName(command)}: it has two flags ${flag}`, {
    hint: "name the flags of the command so that they differ from each other, and from those of kubectl",
  });
}

const HELP_CODES: ReadonlySet<string> = new Set(["commander.help", "commander.helpDisplayed"]);

function newParser(name: string, help: string[]): Command {
  return new Command(name)
    .exitOverride()
    .allowExcessArguments(false)
    .helpOption("-h, --help", "print the help")
    .configureOutput({
      writeOut: (text) => void help.push(text),
      writeErr: (text) => void help.push(text),
      outputError: () => undefined,
    });
}

function commandParser(command: PluginCommand, help: string[]): Command {
  const parser = newParser(commandName(command), help).description(command.summary);
  for (const argument of command.usage.split(" ").slice(1)) parser.argument(argument);
  addFlags(parser, flagsOf(command));
  const examples = (command.examples ?? []).map((example) => `  ${example}`).join("\n");
  return examples === "" ? parser : parser.addHelpText("after", `\nExamples:\n${examples}`);
}

function addFlags(parser: Command, flags: readonly PluginFlag[]): void {
  for (const { name, short, kind, help } of flags) {
    const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
    const option = new Option(kind === "boolean" ? names : `${names} <${name}>`, help);
    // Commander reads `--no-headers` as the negation of `--headers`.
    option.negate = false;
    if (kind === "list") option.argParser((value, before: readonly string[] | undefined) => [...(before ?? []), value]);
    parser.addOption(option);
  }
}

function valuesOf(command: PluginCommand, parsers: readonly Command[]): FlagValues {
  const flags = flagsOf(command);
  return Object.fromEntries(
    flags.map(({ name }) => {
      const attribute = name.replaceAll(/-(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());
      const values = parsers.map((parser) => parser.getOptionValue(attribute) as FlagValues[string]);
      return [name, values.find((value) => value !== undefined)];
    }),
  );
}

function callOf(command: PluginCommand, values: FlagValues, args: readonly string[]): ParsedArguments {
  const own = new Set((command.flags ?? []).map(({ name }) => name));
  const entries = Object.entries(values);
  return {
    kind: "call",
    command,
    args,
    flags: Object.fromEntries(entries.filter(([name]) => own.has(name))),
    kubectl: Object.fromEntries(entries.filter(([name]) => !own.has(name))),
  };
}

// Like the flags of kubectl, `-o=json` has a value, and switches may have one: `--all-namespaces=true`.
function withSeparateValues(args: readonly string[], flags: readonly PluginFlag[]): readonly string[] {
  const end = args.indexOf("--");
  const [before, after] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)];
  const separated = before.flatMap((arg) => {
    const { name, value } = /^-(?<name>[A-Za-z]|-[\w-]+)=(?<value>.*)$/su.exec(arg)?.groups ?? {};
    if (name === undefined || value === undefined) return [arg];
    const flag = flags.find((each) => name === each.short || name === `-${each.name}`);
    if (flag?.kind !== "boolean") return name.startsWith("-") ? [arg] : [`-${name}`, value];
    return /^(?:true|t|1)$/iu.test(value) ? [`-${name}`] : /^(?:false|f|0)$/iu.test(value) ? [] : [arg];
  });
  return [...separated, ...after];
}

function explain(error: CommanderError, plugin: KubectlPlugin, args: readonly string[]): PluginUsageError {
  const named = plugin.commands.find((command) => args.includes(commandName(command)));
  const called = ["kubectl", plugin.name, ...(named === undefined ? [] : [commandName(named)])].join(" ");
  return new PluginUsageError(problemOf(error, plugin, args), {
    hint: `See '${called} --help' for usage.`,
    cause: error,
  });
}

function problemOf({ code, message }: CommanderError, plugin: KubectlPlugin, args: readonly string[]): string {
  const quoted = /'(?<text>[^']*)'/u.exec(message)?.groups?.["text"] ?? "";
  switch (code) {
    case "commander.unknownOption":
      return quoted.startsWith("--")
        ? `unknown flag: ${quoted.split("=", 1)[0] ?? ""}`
        : `unknown shorthand flag: '${quoted.slice(1, 2)}' in ${quoted}`;
    case "commander.optionMissingArgument":
      return `flag needs an argument: ${valuelessFlag(args.at(-1) ?? "", quoted)}`;
    case "commander.unknownCommand":
      return `unknown command ${JSON.stringify(quoted)} for "kubectl ${plugin.name}"`;
    default:
      return message.replace(/^error: /u, "").replace(/\.$/u, "");
  }
}

// The value is missing behind the last word, which names the flag by its letter or by its name.
function valuelessFlag(last: string, names: string): string {
  const letter = /^-[A-Za-z]+$/u.test(last) ? last.slice(-1) : undefined;
  return letter === undefined ? (/--[\w-]+/u.exec(names)?.[0] ?? names) : `'${letter}' in -${letter}`;
}
