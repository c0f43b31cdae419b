import path from "node:path";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import type { Invocation } from "../../command/command.ts";
import { requireVitest } from "../../programs/require-dependencies.ts";
import { type Program, readProgram, requireProgram, runProgram } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";
import type { ClusterOptions } from "./kind.ts";

const KUBECONFIG = "dist/test-e2e.kubeconfig";

/** The cluster of the tests, and which tests run in it. */
export interface TestE2eOptions extends ClusterOptions {
  /** The arguments of Vitest. */
  readonly words: readonly string[];
}

/** Runs the end-to-end tests in a cluster that is deleted afterwards, and returns their exit status. */
export async function runTestE2e({ words, ...options }: TestE2eOptions, invocation: Invocation): Promise<number> {
  const vitest = requireVitest(invocation.cwd);
  const cluster = await clusterOf(options, invocation);
  try {
    await create(cluster);
    const env = { KUBECONFIG: await writeKubeconfig(cluster), KIND: cluster.kind.name, KIND_CLUSTER: cluster.name };
    const args = [vitest, "run", "--config", "vitest.e2e.config.ts", ...words];
    return (await runProgram({ name: process.execPath, hint: "install Node" }, args, { invocation, env })) ?? 1;
  } finally {
    await remove(cluster);
  }
}

/** Creates the cluster of the end-to-end tests unless it exists. */
export async function runSetup(options: ClusterOptions, invocation: Invocation): Promise<number> {
  await create(await clusterOf(options, invocation));
  return 0;
}

/** Deletes the cluster of the end-to-end tests. */
export async function runCleanup(options: ClusterOptions, invocation: Invocation): Promise<number> {
  await remove(await clusterOf(options, invocation));
  return 0;
}

interface Cluster {
  readonly invocation: Invocation;
  readonly kind: Program;
  readonly name: string;
}

async function clusterOf({ kind, cluster }: ClusterOptions, invocation: Invocation): Promise<Cluster> {
  const { projectName = "" } = await readProject(invocation);
  return { invocation, kind, name: cluster ?? `${projectName}-test-e2e` };
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
