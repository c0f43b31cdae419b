import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";
import { createClient, type LiveClient } from "@kubescaffold/runtime";

import { kubeconfigOf } from "../control-plane/kubeconfig.ts";
import { installCrds } from "../install/install-crds.ts";
import { readManifests } from "../install/manifests.ts";
import { grantRoles, requestToken, withCredentials } from "../install/service-accounts.ts";
import { announcedVersion } from "../kubernetes-version/requested-version.ts";
import { ensureClusterDns } from "../operator/cluster-dns.ts";
import { ensureDefaultStorageClass } from "../operator/default-storage-class.ts";
import { startDevelopmentCluster } from "../operator/development-cluster.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import type { OperatorStart } from "./operator-process.ts";
import { SampleObjects } from "./sample-objects.ts";
import type { VerifyOptions } from "./verify-options.ts";

/** A cluster for one run, with what the operator needs before it starts. */
export interface World {
  readonly cluster: EmbeddedCluster;
  /** An administrator's client. */
  readonly client: LiveClient;
  /** The user name of the operator. */
  readonly operatorUser: string;
  readonly operator: OperatorStart;
  /** The kubeconfig of the operator, which it reads when it starts. */
  readonly kubeconfigPath: string;
  /** Stops the cluster, and removes its files. */
  stop(): Promise<void>;
}

/** Starts a cluster with the definitions and roles of the operator. Nothing is left running when it fails. */
export async function startWorld(options: VerifyOptions): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-verify-"));
  const remove = async (): Promise<void> => await rm(folder, { recursive: true, force: true });
  try {
    const world = await (options.project === undefined ? blackBox(options, folder) : ofProject(options, folder));
    return {
      ...world,
      stop: async () => {
        await world.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function ofProject(options: VerifyOptions & { readonly project?: string }, folder: string): Promise<World> {
  const { project = ".", seed = 1, env = {}, command } = options;
  const root = path.resolve(project);
  const started = await startDevelopmentCluster({
    projectDirectory: root,
    stateDirectory: path.join(folder, "state"),
    seed,
    ...(options.kubernetesVersion === undefined ? {} : { kubernetesVersion: options.kubernetesVersion }),
  });
  try {
    await prepareCluster(started, options);
    const { cluster, client, managerUser, managerKubeconfigPath, webhooks, certificateVariables } = started;
    const words = [
      `--kubeconfig=${managerKubeconfigPath}`,
      "--health-probe-bind-address=0",
      "--metrics-bind-address=0",
      ...(webhooks === undefined
        ? []
        : [
            "--webhook-host=127.0.0.1",
            `--webhook-port=${String(webhooks.port)}`,
            ...(certificateVariables === undefined ? [`--webhook-cert-path=${webhooks.certDirectory}`] : []),
          ]),
    ];
    return {
      cluster,
      client,
      operatorUser: managerUser,
      kubeconfigPath: managerKubeconfigPath,
      operator: {
        command: command ?? [process.execPath, "--import", "tsx", "cmd/main.ts", ...words],
        cwd: root,
        env: variablesOf(folder, managerKubeconfigPath, { ...certificateVariables, ...env }),
      },
      stop: async () => await started.stop(),
    };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function prepareCluster(
  { cluster, client }: Pick<World, "cluster" | "client">,
  { prepare, objects = [] }: VerifyOptions,
): Promise<void> {
  await prepare?.(cluster);
  const samples = await readManifests({ paths: objects, what: "objects", errorIfPathMissing: true });
  await new SampleObjects(client, cluster.server, { samples, changes: [] }).apply({ kind: "create" });
}

const ACCOUNT = { namespace: "default", name: "operator" };

async function blackBox(options: VerifyOptions, folder: string): Promise<World> {
  const { command = "", directory = process.cwd(), crds = [], roles, seed = 1, env = {} } = options;
  const { minor } = announcedVersion({ kubernetesVersion: options.kubernetesVersion, directory });
  const cluster = createEmbeddedCluster({ seed, workloadSimulation: true, kubernetesVersion: minor });
  try {
    const { config } = await cluster.listen({ tls: true });
    const client = createClient(cluster.config);
    await Promise.all([ensureDefaultStorageClass(client), ensureClusterDns(client)]);
    await installCrds(cluster.config, { paths: crds, errorIfPathMissing: true });
    await prepareCluster({ cluster, client }, options);
    const user =
      roles === undefined ? cluster.addUser({ name: OPERATOR, groups: ["system:masters"] }, config) : undefined;
    if (roles !== undefined) await grantRoles(cluster.config, ACCOUNT, roles);
    const credentials = user ?? (await accountConfig(cluster, config));
    const kubeconfig = path.join(folder, "kubeconfig");
    await writePrivateFile(kubeconfig, kubeconfigOf(credentials));
    return {
      cluster,
      client,
      operatorUser: roles === undefined ? OPERATOR : `system:serviceaccount:${ACCOUNT.namespace}:${ACCOUNT.name}`,
      kubeconfigPath: kubeconfig,
      operator: { command, cwd: path.resolve(directory), env: variablesOf(folder, kubeconfig, env) },
      stop: async () => await cluster.close(),
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

const OPERATOR = "operator";

async function accountConfig(cluster: EmbeddedCluster, reachable: RestConfig): Promise<RestConfig> {
  const { token } = await requestToken(cluster.config, ACCOUNT);
  return withCredentials(reachable, { kind: "token", token });
}

function variablesOf(
  folder: string,
  kubeconfig: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const home = path.join(folder, "home");
  makeFolder(home);
  return cleanEnvironment(process.env, { home, kubeconfig, env });
}
