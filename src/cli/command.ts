import type { PluginRegistry } from "../plugin/registry.ts";
import type { Terminal } from "./terminal.ts";

/** A flag of a command, as data. */
export interface Flag {
  readonly name: string;
  readonly kind: "string" | "boolean" | "list";
  readonly help: string;
  /** What help shows as the default; what the command takes when the flag is absent is its own business. */
  readonly default?: string;
  readonly isRequired?: boolean;
  readonly values?: readonly string[];
}

/** The values of flags that were given; a flag that was not is absent. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a command runs with. */
export interface Invocation {
  readonly flags: FlagValues;
  /** What stands after the flags: the words of `gen`, the shell of `completion`. */
  readonly words: readonly string[];
  /** What the user typed, for messages of the lock and the journal. */
  readonly typed: string;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly program: ProgramFacts;
}

/** What a program made with this CLI is: the composition root says it. */
export interface ProgramFacts {
  readonly name: string;
  readonly version: string;
  /** The folder of the package, for finding the packages that new projects depend on. */
  readonly packageRoot: string;
  readonly registry: () => Promise<PluginRegistry>;
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
  /** The words after the command are its own: only `--help` is looked at. */
  readonly takesWords?: boolean;
  /** Runs it and returns the exit status. */
  readonly run?: (invocation: Invocation) => Promise<number>;
}
