import type { RestConfig } from "@kubescaffold/k8s";

import type { LiveClient } from "../client/client.ts";
import type { KubectlFlags, PluginFlag, PluginFlagValues } from "./plugin-flag.ts";
import type { ObjectPrinter } from "./printer.ts";

/** The cluster that the flags and the kubeconfig select. */
export interface SelectedCluster {
  /** The client of the cluster. */
  readonly client: LiveClient;
  /** The config of the client, for other clients of the same cluster. */
  readonly config: RestConfig;
  /** The namespace: `--namespace`, or that of the context, or `default`. */
  readonly namespace: string;
  /** The options of `list`: the namespace unless `--all-namespaces` is set, and the selector. */
  readonly selection: { readonly namespace?: string; readonly labelSelector?: string };
}

/** A call of a command. */
export interface PluginCall<Flags extends readonly PluginFlag[] = readonly PluginFlag[]> {
  /** The arguments, in the order of the usage; an optional one that was not given is absent. */
  readonly args: readonly string[];
  /** The values of the command's flags. */
  readonly flags: PluginFlagValues<Flags>;
  /** The values of kubectl's flags. */
  readonly kubectl: KubectlFlags;
  /** Whether the objects of the command are in no namespace. */
  readonly isClusterScoped: boolean;
  /** Reads the kubeconfig, and creates a client; no request is sent. */
  readonly connect: () => Promise<SelectedCluster>;
  /** Prints objects and tables in the format of `--output`. */
  readonly print: ObjectPrinter;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
  /** Writes to standard error. */
  readonly warn: (text: string) => void;
}

/** A value that completion offers, and what it is. */
export interface CompletionCandidate {
  /** The value. */
  readonly value: string;
  /** A short description. Default: none. */
  readonly description?: string;
}

/** A command of a plugin: `kubectl <plugin> <command>`. */
export interface PluginCommand<Flags extends readonly PluginFlag[] = readonly PluginFlag[]> {
  /** The name, and the arguments: `<required>`, `[optional]`, or `[several...]`. */
  readonly usage: string;
  /** An imperative phrase for the list of commands. */
  readonly summary: string;
  /** Command lines for the help. Default: none. */
  readonly examples?: readonly string[];
  /** The flags of the command, beside kubectl's. Default: none. */
  readonly flags?: Flags;
  /** Whether the command has `--output` and `--no-headers`. Default: false. */
  readonly printsObjects?: boolean;
  /** Whether the command has `--all-namespaces` and `--selector`. Default: false. */
  readonly selectsObjects?: boolean;
  /** Whether the objects of the command are in no namespace: it lacks `--all-namespaces`, and its selection has no namespace. Default: false. */
  readonly isClusterScoped?: boolean;
  /** Returns the values of the next argument, after those in `args`. Default: none. */
  readonly complete?: (call: PluginCall<Flags>) => Promise<readonly (string | CompletionCandidate)[]>;
  /** Runs the command. What it throws is printed like an error of kubectl, and the exit status is 1. */
  readonly run: (call: PluginCall<Flags>) => Promise<void> | void;
}

/** A kubectl plugin. */
export interface KubectlPlugin {
  /** The name: users run `kubectl <name>`. */
  readonly name: string;
  /** A sentence for the help. */
  readonly summary: string;
  /** The commands. */
  readonly commands: readonly PluginCommand[];
}

/**
 * Types the flags in the calls of a command, and returns the command.
 *
 * @example
 * const list = definePluginCommand({
 *   usage: "list",
 *   summary: "List guestbooks",
 *   printsObjects: true,
 *   selectsObjects: true,
 *   run: async ({ connect, print }) => {
 *     const { client, selection } = await connect();
 *     print.objects(await client.list(Guestbook, selection), [nameColumn, ageColumn]);
 *   },
 * });
 */
export function definePluginCommand<const Flags extends readonly PluginFlag[] = readonly []>(
  command: PluginCommand<Flags>,
): PluginCommand {
  return command;
}
