import { nearestName } from "@kubescaffold/platform";

import type { Flag, FlagValues } from "../plugin/flag.ts";
import type { Plugin, PluginBundle } from "../plugin/plugin.ts";
import type { PluginRegistry } from "../plugin/registry.ts";
import { withManager } from "../project/package-manager.ts";
import type { Command, CommandLine, ProgramFacts } from "./command/command.ts";
import { readFlags } from "./command/define-command.ts";
import { UnknownCommandError, UnknownFlagError } from "./command/errors.ts";
import { processTerminal, type Terminal } from "./command/terminal.ts";
import { COMMANDS, ROOT_COMMAND } from "./commands.ts";
import { completeWords, type Typed } from "./commands/completion/complete-words.ts";
import { GLOBAL_FLAGS } from "./flags/global-flags.ts";
import { renderHelp } from "./output/help.ts";
import { reportError } from "./output/report-error.ts";
import { packageManagerIn, projectFolder, rebaseFlags, rebaseInputs } from "./session/project-folder.ts";

/** What the program is run with. */
interface CliOptions {
  /** The command line without the program itself. */
  readonly args: readonly string[];
  readonly program: ProgramFacts;
  readonly cwd?: string;
  readonly terminal?: Terminal;
}

/** Runs the program and returns its exit status: 0 done, 1 failed, 2 for a command or flag that does not exist. Never throws. */
export async function runCli(options: CliOptions): Promise<number> {
  const { args, program } = options;
  const terminal = options.terminal ?? processTerminal();
  let folder = options.cwd ?? process.cwd();
  let hasOwnStatus = false;
  try {
    const words = moveLeadingFlags(args, COMMANDS);
    const [command, rest] = findCommand(words);
    if (args[0] === "__complete") return await printCompletions(args.slice(1), { ...options, terminal });
    if (command === undefined) throw unknownCommand(words[0] === "help" ? words.slice(1) : words, program);
    hasOwnStatus = command.hasOwnStatus === true;
    const from = folder;
    folder = command.worksAnywhere === true ? from : projectFolder(from);
    const cwd = folder;
    if (isHelp(command, rest)) return await printHelp(command, { program, terminal, cwd, rest });
    return await runCommand(command, rest, { ...options, program: inFolder(program, cwd), terminal, cwd, from });
  } catch (error) {
    return reportError(error, {
      terminal,
      asJson: asksForJson(args),
      program: inFolder(program, folder),
      hasOwnStatus,
    });
  }
}

// `init` decides for one: the folder shows it then.
function inFolder(program: ProgramFacts, folder: string): ProgramFacts {
  return { ...program, packageManager: packageManagerIn(folder) };
}

function findCommand(args: readonly string[]): readonly [Command | undefined, readonly string[]] {
  const [first] = args;
  if (first === "help") return findCommand([...args.slice(1).filter((word) => !word.startsWith("-")), "--help"]);
  if (first === "--version") return findCommand(["version", ...args.slice(1)]);
  if (first === undefined || first.startsWith("-")) return [ROOT_COMMAND, args];
  const matches = COMMANDS.filter((command) => command.path.every((word, index) => args[index] === word));
  const command = matches.toSorted((left, right) => right.path.length - left.path.length)[0];
  const rest = args.slice(command?.path.length ?? 0);
  // After a group of commands the next word must be one of them.
  const isGroup = command !== undefined && command.run === undefined;
  if (isGroup && rest[0] !== undefined && !rest[0].startsWith("-")) return [undefined, args];
  return [command, rest];
}

function isHelp(command: Command, rest: readonly string[]): boolean {
  return command.run === undefined
    ? rest.every((word) => asksForHelp(word) || (rest.some(asksForHelp) && globalFlagOf(word) !== undefined))
    : beforeSeparator(command, rest).some(
        (word) => word === "--help" || (word === "-h" && command.takesWords !== true),
      );
}

// The words after it are those of the program that the command runs.
function beforeSeparator(command: Command, rest: readonly string[]): readonly string[] {
  const isSeparated = command.takesWords === true || command.takesProgramWords === true;
  const separator = isSeparated ? rest.indexOf("--") : -1;
  return separator === -1 ? rest : rest.slice(0, separator);
}

interface HelpRequest {
  readonly program: ProgramFacts;
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly rest: readonly string[];
}

async function printHelp(command: Command, { program, terminal, cwd, rest }: HelpRequest): Promise<number> {
  const registry = command.path.length === 0 ? await program.registry() : undefined;
  const plugins = registry === undefined ? [] : visiblePlugins(registry);
  const { withPluginFlags, withPluginHelp } = await import("./flags/plugin-flags.ts");
  const surroundings = { rest, program, cwd };
  const shown = await withPluginHelp(await withPluginFlags(command, surroundings), surroundings);
  const help = renderHelp(shown, { program: program.name, commands: COMMANDS, globalFlags: GLOBAL_FLAGS, plugins });
  terminal.writeOut(withManager(help, packageManagerIn(cwd)));
  return 0;
}

function visiblePlugins({ bundles, plugins }: PluginRegistry): readonly (Plugin | PluginBundle)[] {
  return [...bundles, ...plugins.filter((plugin) => plugin.isHidden !== true)];
}

interface Run extends Required<CliOptions> {
  /** The folder that the user is in; `cwd` is the one that the command works in. */
  readonly from: string;
}

async function runCommand(command: Command, rest: readonly string[], options: Run): Promise<number> {
  const { program, terminal, cwd, from, args } = options;
  const surroundings = { cwd, startedIn: from, terminal, program, recoveries: [] };
  if (command.takesWords === true && command.run !== undefined) {
    const typed = [program.name, ...args].join(" ");
    return await command.run({ ...modesOf(command, {}, terminal), words: rest, typed, ...surroundings });
  }
  const given = await parse(command, rest, options);
  if (command.run === undefined) return await printHelp(command, { program, terminal, cwd, rest });
  const { answered, ...parsed } = await complete(command, given, options);
  const typed = [program.name, ...args, ...answered].join(" ");
  const modes = modesOf(command, parsed.flags, terminal);
  const status = await command.run({ ...modes, words: parsed.words, typed, ...surroundings });
  if (status === 0 && answered.length > 0) {
    const { commandLine } = await import("./prompts/prompt-for-missing.ts");
    terminal.writeOut(
      `\nEquivalent non-interactive command:\n  ${withManager(`${program.calledAs ?? program.name} `, packageManagerIn(cwd))}${commandLine([...args, ...answered])}\n`,
    );
  }
  return status;
}

type Modes = Omit<CommandLine, "words" | "typed" | "cwd" | "startedIn" | "terminal" | "program" | "recoveries">;

// What flags that several commands have mean to all of them.
function modesOf({ pluginCommand }: Command, flags: FlagValues, terminal: Terminal): Modes {
  const { plugins } = readFlags(GLOBAL_FLAGS, flags);
  return {
    flags,
    isDryRun: flags["dry-run"] === true,
    printsJson: flags["output"] === "json",
    canAsk: canAsk(terminal, flags),
    isConfirmed: flags["yes"] === true,
    pluginKeys: plugins,
    pluginFlags: pluginCommand === undefined ? {} : flags,
  };
}

/** Reports whether a command may put questions: somebody can answer, did not say no to it, and does not want data. */
export function canAsk(
  { isInteractive }: Terminal,
  { input, output }: { readonly input?: unknown; readonly output?: unknown },
): boolean {
  return isInteractive && input !== false && output !== "json";
}

interface Parsed {
  readonly flags: FlagValues;
  readonly words: readonly string[];
}

interface Given extends Parsed {
  /** The flags that there are. */
  readonly known: readonly Flag[];
}

async function parse(command: Command, rest: readonly string[], { program, cwd, from }: Run): Promise<Given> {
  const [{ parseFlags }, { pluginWithFlag, withPluginFlags }] = await Promise.all([
    import("./flags/parse-flags.ts"),
    import("./flags/plugin-flags.ts"),
  ]);
  const { flags } = await withPluginFlags(command, { rest, program, cwd });
  const known = [...flags, ...GLOBAL_FLAGS];
  try {
    const { flags: given, words } = parseFlags(program.name, command, known, rest);
    if (from === cwd) return { flags: given, words, known };
    const folders = { from, to: cwd };
    return {
      flags: rebaseFlags(given, known, folders),
      words: command.takesInputs === "paths" ? rebaseInputs(words, folders) : words,
      known,
    };
  } catch (error) {
    if (!(error instanceof UnknownFlagError)) throw error;
    const plugin = await pluginWithFlag(command, error.flag, program);
    if (plugin === undefined) throw error;
    const instead = `add --plugins=${plugin}: it is a flag of this plugin`;
    throw new UnknownFlagError(error.flag, { ...error.options, instead });
  }
}

// What is missing is asked for where somebody can answer; what is then missing still is an error.
async function complete(
  command: Command,
  { flags, words, known }: Given,
  { program, terminal, cwd }: Required<CliOptions>,
): Promise<Parsed & { readonly answered: readonly string[] }> {
  const { requireFlags } = await import("./flags/parse-flags.ts");
  const name = [program.name, ...command.path].join(" ");
  if (!canAsk(terminal, flags)) {
    requireFlags(flags, known, name);
    return { flags, words, answered: [] };
  }
  const { askForMissing } = await import("./prompts/prompt-for-missing.ts");
  const answers = await askForMissing(command, { flags, words, known, cwd, terminal });
  requireFlags({ ...flags, ...answers.flags }, known, name);
  return {
    flags: { ...flags, ...answers.flags },
    words: [...words, ...answers.words],
    answered: answers.line,
  };
}

const SYNONYMS: Readonly<Record<string, string>> = {
  new: "create",
  add: "create",
  remove: "delete",
  experimental: "alpha",
  generate: "manifests",
  webhook: "create webhook",
  api: "create api",
};

function unknownCommand(args: readonly string[], program: ProgramFacts): UnknownCommandError {
  const group = COMMANDS.find((command) => command.run === undefined && command.path[0] === args[0]);
  const typed = (group === undefined ? args[0] : args[1]) ?? "";
  const children = COMMANDS.filter(
    (command) =>
      command.path.length === (group === undefined ? 1 : 2) &&
      (group === undefined || command.path[0] === group.path[0]),
  );
  const names = children.filter((command) => command.isHidden !== true).map((command) => command.path.join(" "));
  const nearest =
    (group === undefined ? SYNONYMS[typed] : undefined) ??
    nearestName([...(group?.path ?? []), typed].join(" "), names);
  return new UnknownCommandError(typed, {
    program: [program.name, ...(group?.path ?? [])].join(" "),
    nearest: nearest === undefined ? undefined : `${program.name} ${nearest}`,
  });
}

async function printCompletions(
  words: readonly string[],
  { terminal, program, cwd: from = process.cwd() }: CliOptions & { readonly terminal: Terminal },
): Promise<number> {
  const cwd = projectFolder(from);
  const valuesOf = async (flag: string, typed: Typed): Promise<readonly string[]> => {
    const { knownValues } = await import("./commands/completion/known-values.ts");
    return knownValues(flag, { program, cwd, typed });
  };
  const flagsOf = async (command: Command, rest: readonly string[]): Promise<readonly Flag[]> => {
    const { withPluginFlags } = await import("./flags/plugin-flags.ts");
    try {
      return (await withPluginFlags(command, { rest, program, cwd })).flags;
    } catch {
      // A key may be half typed, or name no plugin: the command says so when it is run.
      return command.flags;
    }
  };
  const vocabulary = { commands: COMMANDS, globalFlags: GLOBAL_FLAGS, flagsOf, valuesOf, folder: cwd };
  for (const line of await completeWords(vocabulary, words)) terminal.writeOut(`${line}\n`);
  return 0;
}

function asksForJson(args: readonly string[]): boolean {
  return args.includes("--output=json") || args[args.indexOf("--output") + 1] === "json";
}

/** Returns whether a word asks for help. */
function asksForHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** Returns the name of the flag of every command that a word is, with or without a value. */
export function globalFlagOf(word: string): string | undefined {
  const name = /^--(?<name>[^=]+)/u.exec(word)?.groups?.["name"];
  return GLOBAL_FLAGS.find((flag) => flag.name === name || (flag.kind === "boolean" && `no-${flag.name}` === name))
    ?.name;
}

/**
 * Returns the arguments with the flags of every command that are before the words of the command, or among them, moved behind these:
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
