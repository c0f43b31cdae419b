import path from "node:path";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import type { FlagValues } from "../../../plugin/flag.ts";
import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { textFlag } from "../../flags/flag-values.ts";
import { type Program, readProgram, requireProgram, runProgram } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";
import { CLUSTER_FLAGS, kindOf } from "./kind.ts";

const KUBECONFIG = "dist/test-e2e.kubeconfig";

/** Runs the end-to-end tests in a cluster that is deleted afterwards, and returns their exit status. */
export async function runTestE2e(given: Invocation): Promise<number> {
  const { flags, words } = splitFlags(given.words);
  const invocation = { ...given, flags };
  const cluster = await clusterOf(invocation);
  try {
    await create(cluster);
    const env = { KUBECONFIG: await writeKubeconfig(cluster), KIND: cluster.kind.name, KIND_CLUSTER: cluster.name };
    const vitest = path.resolve(given.cwd, "node_modules", "vitest", "vitest.mjs");
    const args = [vitest, "run", "--config", "vitest.e2e.config.ts", ...words];
    return (await runProgram({ name: process.execPath, hint: "install Node" }, args, { invocation, env })) ?? 1;
  } finally {
    await remove(cluster);
  }
}

/** Creates the cluster of the end-to-end tests unless it exists. */
export async function runSetup(invocation: Invocation): Promise<number> {
  await create(await clusterOf(invocation));
  return 0;
}

/** Deletes the cluster of the end-to-end tests. */
export async function runCleanup(invocation: Invocation): Promise<number> {
  await remove(await clusterOf(invocation));
  return 0;
}

interface Cluster {
  readonly invocation: Invocation;
  readonly kind: Program;
  readonly name: string;
}

async function clusterOf(invocation: Invocation): Promise<Cluster> {
  const { projectName = "" } = await readProject(invocation);
  const name = textFlag(invocation.flags, "cluster") ?? (process.env["KIND_CLUSTER"] || `${projectName}-test-e2e`);
  return { invocation, kind: kindOf(invocation), name };
}

async function create({ invocation, kind, name }: Cluster): Promise<void> {
  const clusters = await readProgram(kind, ["get", "clusters"], { invocation });
  if (clusters.split(/\r?\n/u).includes(name)) return;
  await requireProgram(kind, ["create", "cluster", "--name", name], { invocation });
}

async function remove({ invocation, kind, name }: Cluster): Promise<void> {
  await requireProgram(kind, ["delete", "cluster", "--name", name], { invocation });
}

async function writeKubeconfig({ invocation, kind, name }: Cluster): Promise<string> {
  const text = await readProgram(kind, ["get", "kubeconfig", "--name", name], { invocation });
  await writeOwnFile({ root: invocation.cwd, path: KUBECONFIG, content: text, mode: 0o600 });
  return path.resolve(invocation.cwd, KUBECONFIG);
}

// Every word that is no flag of the command goes to vitest.
function splitFlags(given: readonly string[]): { readonly flags: FlagValues; readonly words: readonly string[] } {
  const flags: Record<string, string> = {};
  const words: string[] = [];
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index] ?? "";
    const flag = CLUSTER_FLAGS.find(({ name }) => word === `--${name}` || word.startsWith(`--${name}=`));
    if (flag === undefined) {
      if (word !== "--") words.push(word);
      continue;
    }
    const value = word.includes("=") ? word.slice(word.indexOf("=") + 1) : given[(index += 1)];
    if (value === undefined) {
      throw new InvalidFlagError(`flag needs an argument: --${flag.name}`, { hint: `write --${flag.name} <value>` });
    }
    flags[flag.name] = value;
  }
  return { flags, words };
}
