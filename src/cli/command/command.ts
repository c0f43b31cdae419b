import type { Recovery } from "../../machinery/commit/journal.ts";
import type { Flag, FlagValues, PluginCommand } from "../../plugin/flag.ts";
import type { PluginRegistry } from "../../plugin/registry.ts";
import type { PackageManager } from "../../project/package-manager.ts";
import type { FormerRun } from "../../upgrade/former-program.ts";
import type { Asker } from "../command/asker.ts";
import type { Terminal } from "./terminal.ts";

/** What a command runs in: the same for all commands, whatever their own flags are. */
export interface Invocation {
  /** What is after the flags: the words of `gen`, the shell of `completion`. */
  readonly words: readonly string[];
  /** What the user typed, for messages of the lock and the journal. */
  readonly typed: string;
  /** The folder that the command works in: the project's, or the one that it was started in. Paths in flags are relative to it. */
  readonly cwd: string;
  /** The folder that the user is in, which printed paths are relative to. Default: `cwd`. */
  readonly startedIn?: string;
  readonly terminal: Terminal;
  readonly program: ProgramFacts;
  /** The interrupted commands that this one dealt with, added to as they are found. */
  readonly recoveries: Recovery[];
  /** Whether the command prints what it would change, and writes nothing: `--dry-run`. */
  readonly isDryRun: boolean;
  /** Whether the command prints JSON, and nothing else, on standard output: `--output=json`. */
  readonly printsJson: boolean;
  /** Whether questions can be put: a person is at the terminal, and did not turn them off. */
  readonly canAsk: boolean;
  /** Whether the user agreed beforehand to lose what the command replaces or deletes: `--yes`. */
  readonly isConfirmed: boolean;
  /** The keys of `--plugins`; none for those of the project. */
  readonly pluginKeys: readonly string[];
  /** What plugins receive, as kubebuilder's protocol has it; only the code that calls them reads it. Empty for commands without plugins. */
  readonly pluginFlags: FlagValues;
}

/** The call of a command before its flags are read: only the parser and the definitions of commands see it. */
export interface CommandLine extends Invocation {
  /** The flags that were given, by name. */
  readonly flags: FlagValues;
}

/** What is known when a command asks the user for what is missing. */
export interface Asking extends Pick<Invocation, "words" | "cwd"> {
  readonly ask: Asker;
}

/** What a person answered: flags and words that are added to those of the command line. */
export interface Answers {
  readonly flags?: FlagValues;
  readonly words?: readonly string[];
}

/** What a program made with this CLI is: the composition root says it. */
export interface ProgramFacts {
  readonly name: string;
  readonly version: string;
  /** The words that call the program, such as `npx scaffold`, for the commands in hints. Default: those of the texts. */
  readonly calledAs?: string;
  /** The package manager of the folder that the command works in, whose commands hints name. Default: npm. */
  readonly packageManager?: PackageManager;
  /** The folder of the package, for finding the packages that new projects depend on. */
  readonly packageRoot: string;
  readonly registry: () => Promise<PluginRegistry>;
  /** Makes a project again with another version of the program; npm installs it unless this says otherwise. */
  readonly runFormer?: FormerRun;
}

/** A command, as data: help, completion and parsing are made from it. */
export interface Command {
  /** The words that call it: `create api`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly usage?: string;
  readonly flags: readonly Flag[];
  readonly isHidden?: boolean;
  /** Set for a command that plugins take part in: their flags are flags of it too. */
  readonly pluginCommand?: PluginCommand;
  /** The words after the command are its own: only `--help` is looked at. */
  readonly takesWords?: boolean;
  /** The words after `--` are those of the program that it runs; there are no others. */
  readonly takesProgramWords?: boolean;
  /** Works in the folder that it is started in; other commands work in the project that this folder is in. */
  readonly worksAnywhere?: boolean;
  /** Its exit status 1 is a result: invalid flags and files exit with 2, and other errors with 3. */
  readonly hasOwnStatus?: boolean;
  /** Words may be between the flags: paths of what the command reads, or topics. */
  readonly takesInputs?: "paths" | "topics";
  /** Returns the topics in a folder that start with a word, for its completion. */
  readonly topics?: (word: string, folder: string) => Promise<readonly string[]>;
  /** Asks for what is missing, at a terminal; nothing is locked or written meanwhile. */
  readonly ask?: (asking: Asking & Pick<CommandLine, "flags">) => Promise<Answers>;
  /** Runs it and returns the exit status. */
  readonly run?: (line: CommandLine) => Promise<number>;
}
