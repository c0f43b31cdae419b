import type { PluginCommand } from "../flag.ts";

/** The version of the protocol between the program and external plugins; it is upstream's, `v1alpha1`. */
export const PROTOCOL_VERSION = "v1alpha1";

/** What an external plugin reads, as one JSON document, from its standard input. */
export interface PluginRequest {
  readonly apiVersion: typeof PROTOCOL_VERSION;
  readonly command: PluginCommand | "flags" | "metadata";
  /** Flags with their values; for `flags` and `metadata` the command that is meant, such as `--init`. */
  readonly args: readonly string[];
  /** The texts of the project's files by path. */
  readonly universe: Readonly<Record<string, string>>;
  /** The keys of the plugins that run, this one first. */
  readonly pluginChain?: readonly string[];
  /** The content of PROJECT. */
  readonly config?: unknown;
}

/** What an external plugin prints, as one JSON document, to its standard output. */
export interface PluginAnswer {
  readonly error?: boolean;
  readonly errorMsgs?: readonly string[] | null;
  /** The texts of files to be written, by path. */
  readonly universe?: Readonly<Record<string, string>> | null;
  readonly metadata?: { readonly description?: string; readonly examples?: string } | null;
  readonly flags?: readonly AnswerFlag[] | null;
}

/** A flag that an external plugin declares. */
export interface AnswerFlag {
  readonly name: string;
  readonly type?: string;
  readonly default?: string;
  readonly usage?: string;
}

/** The words that stand for a command when flags or texts of help are asked for. */
export const COMMAND_WORDS: Readonly<Record<PluginCommand, string>> = {
  init: "--init",
  edit: "--edit",
  "create api": "--api",
  "create webhook": "--webhook",
};
