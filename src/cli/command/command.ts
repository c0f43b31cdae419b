import type { Recovery } from "../../machinery/commit/journal.ts";
import type { Flag, FlagValues, PluginCommand } from "../../plugin/flag.ts";
import type { PluginRegistry } from "../../plugin/registry.ts";
import type { PackageManager } from "../../project/package-manager.ts";
import type { FormerRun } from "../../upgrade/former-program.ts";
import type { Asker } from "../command/asker.ts";
import type { Terminal } from "./terminal.ts";

/** What a command runs with. */
export interface Invocation {
  readonly flags: FlagValues;
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
}

/** What is known when a command asks the user for what is missing. */
export interface Asking extends Pick<Invocation, "flags" | "words" | "cwd"> {
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
  /** Words may be between the flags: paths of what the command reads, or topics. */
  readonly takesInputs?: "paths" | "topics";
  /** Returns the topics in a folder that start with a word, for its completion. */
  readonly topics?: (word: string, folder: string) => Promise<readonly string[]>;
  /** Asks for what is missing, at a terminal; nothing is locked or written meanwhile. */
  readonly ask?: (asking: Asking) => Promise<Answers>;
  /** Runs it and returns the exit status. */
  readonly run?: (invocation: Invocation) => Promise<number>;
}
