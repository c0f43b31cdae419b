import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { KindRef } from "../client/client.ts";
import { loadKubeconfig, type Surroundings } from "./connect.ts";
import { commandName, flagsOf, parseArguments } from "./parse-arguments.ts";
import type { CompletionCandidate, KubectlPlugin, PluginCall, PluginCommand } from "./plugin-command.ts";
import { CLUSTER_FLAGS, type KubectlFlags, type PluginFlag } from "./plugin-flag.ts";

/** How a shell uses the candidates, as bits of the protocol of kubectl's completion. */
const DIRECTIVES = { files: 0, noFiles: 4, noSpaceNoFiles: 6 } as const;

/** What is completed, and how. */
export interface Completion {
  readonly plugin: KubectlPlugin;
  /** The words after the name of the plugin; the last one, which may be empty, is completed. */
  readonly words: readonly string[];
  readonly surroundings: Surroundings;
  /** Makes the call of a command for its own completion. */
  readonly callOf: (parsed: Extract<ReturnType<typeof parseArguments>, { readonly kind: "call" }>) => PluginCall;
}

/** Returns what `kubectl_complete-<name>` prints: a candidate a line, with its description behind a tab, and the directive. */
export async function completeWords(completion: Completion): Promise<string> {
  const { candidates, directive } = await answerTo(completion);
  const word = completion.words.at(-1) ?? "";
  const lines = candidates
    .map((each) => (typeof each === "string" ? { value: each } : each))
    .filter(({ value }) => value.startsWith(word))
    .map(({ value, description }) => (description === undefined ? value : `${value}\t${description}`));
  return [...lines, `:${String(directive)}`, ""].join("\n");
}

type Candidates = readonly (string | CompletionCandidate)[];

interface Answer {
  readonly candidates: Candidates;
  readonly directive: number;
}

async function answerTo(completion: Completion): Promise<Answer> {
  const { plugin, words } = completion;
  const before = words.slice(0, -1);
  const word = words.at(-1) ?? "";
  const command = plugin.commands.find((each) => before.includes(commandName(each)));
  const flags = command === undefined ? CLUSTER_FLAGS : flagsOf(command);
  const valued = flagBefore(before, flags);
  if (valued !== undefined) return await valuesOfFlag(valued, completion);
  const inline = /^(?<start>--(?<name>[\w-]+)=)/u.exec(word)?.groups;
  const flag = flags.find(({ name }) => name === inline?.["name"]);
  if (flag !== undefined) return prefixed(inline?.["start"] ?? "", await valuesOfFlag(flag, completion));
  if (word.startsWith("-")) return { candidates: flagNames(flags), directive: DIRECTIVES.noFiles };
  if (command === undefined) return { candidates: commandNames(plugin), directive: DIRECTIVES.noFiles };
  return { candidates: await argumentsOf(command, completion), directive: DIRECTIVES.noFiles };
}

function flagBefore(before: readonly string[], flags: readonly PluginFlag[]): PluginFlag | undefined {
  const last = before.at(-1) ?? "";
  return flags.find(
    ({ name, short, kind }) =>
      kind !== "boolean" && (last === `--${name}` || (short !== undefined && last === `-${short}`)),
  );
}

function prefixed(start: string, { candidates, directive }: Answer): Answer {
  return {
    directive,
    candidates: candidates.map((each) =>
      typeof each === "string" ? start + each : { ...each, value: start + each.value },
    ),
  };
}

const PATHS: ReadonlySet<string> = new Set(["kubeconfig", "certificate-authority", "client-certificate", "client-key"]);

async function valuesOfFlag({ name, values }: PluginFlag, completion: Completion): Promise<Answer> {
  if (PATHS.has(name)) return { candidates: [], directive: DIRECTIVES.files };
  const candidates = values ?? (await knownValues(name, completion));
  const isOpen = name === "output";
  return { candidates, directive: isOpen ? DIRECTIVES.noSpaceNoFiles : DIRECTIVES.noFiles };
}

async function knownValues(name: string, completion: Completion): Promise<Candidates> {
  const { environment } = completion.surroundings;
  const entries = async (list: "contexts" | "clusters" | "users"): Promise<Candidates> => [
    ...(await loadKubeconfig(kubectlFlagsIn(completion), environment))[list].keys(),
  ];
  if (name === "context") return await entries("contexts");
  if (name === "cluster") return await entries("clusters");
  if (name === "user") return await entries("users");
  return name === "namespace" ? await namesIn(completion, { group: "", version: "v1", kind: "Namespace" }) : [];
}

async function argumentsOf(command: PluginCommand, completion: Completion): Promise<Candidates> {
  const call = callBefore(completion);
  return call === undefined ? [] : ((await command.complete?.(call)) ?? []);
}

async function namesIn(completion: Completion, kind: KindRef): Promise<readonly string[]> {
  const call = callBefore(completion);
  return call === undefined ? [] : await namesOf({ ...call, isClusterScoped: true }, kind);
}

/**
 * Returns the names of the objects of a kind, in the namespace of a call unless they are in none, for the `complete` of a command.
 *
 * @example
 * complete: async (call) => (call.args.length === 0 ? await namesOf(call, Guestbook) : []),
 */
export async function namesOf<T extends KubernetesObject>(
  { connect, isClusterScoped }: Pick<PluginCall, "connect" | "isClusterScoped">,
  kind: KindRef<T>,
): Promise<readonly string[]> {
  const { client, namespace } = await connect();
  const { items } = await client.list(kind, { metadataOnly: true, ...(isClusterScoped ? {} : { namespace }) });
  return items.map(({ metadata }) => metadata.name ?? "").toSorted();
}

// Words that are not complete yet may lack arguments, and a flag at the end its value.
function callBefore({ plugin, words, callOf }: Completion): PluginCall | undefined {
  const before = words.slice(0, -1);
  const relaxed: KubectlPlugin = {
    ...plugin,
    commands: plugin.commands.map((command) => withOptionalArguments(command)),
  };
  const flags = [...CLUSTER_FLAGS, ...plugin.commands.flatMap((command) => flagsOf(command))];
  const known = flagBefore(before, flags) === undefined ? before : before.slice(0, -1);
  const parsed = parseArguments(relaxed, known);
  return parsed.kind === "call" ? callOf(parsed) : undefined;
}

function withOptionalArguments(command: PluginCommand): PluginCommand {
  return { ...command, usage: `${commandName(command)} [words...]` };
}

function kubectlFlagsIn({ words }: Completion): KubectlFlags {
  const index = words.indexOf("--kubeconfig");
  const kubeconfig = index === -1 ? undefined : words[index + 1];
  const inline = words.find((word) => word.startsWith("--kubeconfig="))?.slice("--kubeconfig=".length);
  return { kubeconfig: inline ?? kubeconfig };
}

function flagNames(flags: readonly PluginFlag[]): Candidates {
  return flags.map(({ name, kind, help }) => ({
    value: kind === "boolean" ? `--${name}` : `--${name}=`,
    description: help,
  }));
}

function commandNames({ commands }: KubectlPlugin): Candidates {
  return commands.map((command) => ({ value: commandName(command), description: command.summary }));
}
