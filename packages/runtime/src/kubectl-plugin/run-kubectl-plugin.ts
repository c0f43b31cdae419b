import type { RestConfig } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";

import { completeWords } from "./complete.ts";
import { type OpenCluster, openCluster, type Surroundings } from "./connect.ts";
import { printKubectlError } from "./kubectl-errors.ts";
import { readOutputFormat } from "./output-format.ts";
import { parseArguments, type ParsedArguments } from "./parse-arguments.ts";
import type { KubectlPlugin, PluginCall, SelectedCluster } from "./plugin-command.ts";
import type { KubectlFlags } from "./plugin-flag.ts";
import { createPrinter } from "./printer.ts";

/** What a plugin runs in; the defaults are those of the process. */
export interface RunPluginOptions {
  /** The arguments after the name of the plugin. Default: those of the process. */
  readonly args?: readonly string[];
  /** The environment variables, among them `KUBECONFIG`. Default: those of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The cluster in place of the kubeconfig's, for tests. Default: that of the flags and the kubeconfig. */
  readonly config?: RestConfig;
  /** Writes to standard output. */
  readonly write?: (text: string) => void;
  /** Writes to standard error. */
  readonly warn?: (text: string) => void;
}

/**
 * Runs a kubectl plugin, and returns its exit status: 0, or 1 after an error, which is printed in kubectl's form.
 *
 * The first argument `__complete` requests completion of the others, in the protocol of kubectl's completion.
 *
 * @example
 * process.exitCode = await runKubectlPlugin(guestbookPlugin);
 */
export async function runKubectlPlugin(plugin: KubectlPlugin, options: RunPluginOptions = {}): Promise<number> {
  const { args = process.argv.slice(2), environment = process.env, config } = options;
  const write = options.write ?? writerTo(process.stdout);
  const warn = options.warn ?? writerTo(process.stderr);
  const opened: Promise<OpenCluster>[] = [];
  const surroundings: Surroundings = { environment, config, warn };
  const run: Run = {
    plugin,
    surroundings,
    write,
    open: async (flags) => {
      const opening = handledLater(openCluster(flags, surroundings));
      opened.push(opening);
      return (await opening).cluster;
    },
  };
  try {
    await (args[0] === COMPLETE ? complete(run, args.slice(1)) : call(run, args));
    return 0;
  } catch (error) {
    warn(printKubectlError(error));
    return 1;
  } finally {
    // An open connection would keep the process running.
    for (const each of await Promise.allSettled(opened)) if (each.status === "fulfilled") await each.value.close();
  }
}

const COMPLETE = "__complete";
const COMPLETION_TIMEOUT = "5s";

interface Run {
  readonly plugin: KubectlPlugin;
  readonly surroundings: Surroundings;
  readonly write: (text: string) => void;
  readonly open: (flags: KubectlFlags) => Promise<SelectedCluster>;
}

async function call(run: Run, args: readonly string[]): Promise<void> {
  const parsed = parseArguments(run.plugin, args);
  if (parsed.kind === "help") run.write(parsed.text);
  else await parsed.command.run(callOf(run, parsed));
}

// A shell shows nothing of an error while a word is typed, so that there are no candidates then.
async function complete(run: Run, words: readonly string[]): Promise<void> {
  const answer = completeWords({
    plugin: run.plugin,
    words,
    surroundings: run.surroundings,
    callOf: (parsed) =>
      callOf(run, { ...parsed, kubectl: { "request-timeout": COMPLETION_TIMEOUT, ...given(parsed.kubectl) } }),
  });
  run.write(await answer.catch(() => ":4\n"));
}

function given(flags: KubectlFlags): KubectlFlags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

function callOf({ surroundings, write, open }: Run, parsed: Extract<ParsedArguments, { kind: "call" }>): PluginCall {
  const { kubectl, args, flags } = parsed;
  const isClusterScoped = parsed.command.isClusterScoped === true;
  let opening: Promise<SelectedCluster> | undefined;
  let namespace: string | undefined;
  return {
    args,
    flags,
    kubectl,
    isClusterScoped,
    connect: async () => {
      opening ??= open(kubectl);
      const cluster = await opening;
      ({ namespace } = cluster);
      const { namespace: _, ...everywhere } = cluster.selection;
      return isClusterScoped ? { ...cluster, selection: everywhere } : cluster;
    },
    print: createPrinter({
      format: readOutputFormat(kubectl.output),
      hasHeaders: kubectl["no-headers"] !== true,
      isEverywhere: kubectl["all-namespaces"] === true,
      namespace: () => (isClusterScoped ? undefined : namespace),
      write,
      warn: surroundings.warn,
    }),
    write,
    warn: surroundings.warn,
  };
}

// `kubectl … | head` closes the pipe before everything is written, which is no error.
function writerTo(stream: NodeJS.WriteStream): (text: string) => void {
  stream.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  return (text) => void stream.write(text);
}
