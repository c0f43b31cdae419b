import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { type Clock, realClock } from "@kubescaffold/platform/clock";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { type OperatorManifests, readOperatorManifests } from "@kubescaffold/runtime/operator-project";

import { kubeconfigOf } from "../control-plane/kubeconfig.ts";
import { lazyDescriptions } from "../descriptions/lazy-descriptions.ts";
import { withCredentials } from "../install/service-accounts.ts";
import { prepareWebhookServing, type WebhookServing } from "../install/webhook-serving.ts";
import { announcedVersion } from "../kubernetes-version/requested-version.ts";
import { ensureClusterDns } from "./cluster-dns.ts";
import { ensureDefaultStorageClass } from "./default-storage-class.ts";
import { certificateVariables, hasWebhooks, installProject } from "./install-project.ts";
import { keepToken } from "./token-file.ts";

/** Options of {@link startDevelopmentCluster}. */
export interface DevelopmentClusterOptions {
  /** The folder of the project. */
  readonly projectDirectory: string;
  /** The folder for kubeconfigs and certificates; git must ignore it. */
  readonly stateDirectory: string;
  /** The minor version of Kubernetes: 1.34 to 1.37. Default: `KUBESCAFFOLD_KUBERNETES_VERSION`, then that of PROJECT, otherwise 1.37. */
  readonly kubernetesVersion?: string;
  /** The port to listen on; with 0 the system chooses one. Default: 0. */
  readonly port?: number;
  /** Simulates the Pods of workloads, and has the default StorageClass `standard` and the DNS server of `kube-system`. Default: true. */
  readonly workloads?: boolean;
  /** The namespace of the operator. Default: that of `config/default`. */
  readonly namespace?: string;
  /** Stores the objects in the folder `state` of the state directory, and starts with those that are there. Default: false. */
  readonly keepsObjects?: boolean;
  /** Records who changed what, for `history` of the cluster. Default: false. */
  readonly recordHistory?: boolean;
  /** Determines uids and generated names of the cluster. Default: all are random. */
  readonly seed?: string | number;
  /** The clock of the server and of the renewal of tokens. Default: the system clock. */
  readonly clock?: Clock;
}

/** An embedded cluster with an operator's definitions, roles, and webhook configurations, for its manager to run against. */
export interface DevelopmentCluster {
  /** The URL of the API server. */
  readonly server: string;
  /** The embedded cluster. */
  readonly cluster: EmbeddedCluster;
  /** An administrator's client. */
  readonly client: LiveClient;
  /** The namespace of the operator. */
  readonly namespace: string;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfigPath: string;
  /** The path of the kubeconfig of the manager's service account; its token is in a file and renewed before it expires. */
  readonly managerKubeconfigPath: string;
  /** The user name of the manager. */
  readonly managerUser: string;
  /** The address at which the manager must serve webhooks; undefined when the project has none. */
  readonly webhooks: WebhookServing | undefined;
  /** The variables of a manager that makes its certificates itself; undefined where it serves those in the folder of `webhooks`. */
  readonly certificateVariables: Readonly<Record<string, string>> | undefined;
  /** Reinstalls the project's manifests. */
  update(): Promise<void>;
  /** Stops the cluster. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster for a project with generated manifests, over TLS and with RBAC enforced.
 *
 * Fails: NotAnOperatorError for a folder without a project, StatusError when the server refuses a manifest, CorruptStateError,
 * StateLockedError, and NewerStateError for the objects that are kept, and KubernetesVersionError; nothing is left running then.
 */
export async function startDevelopmentCluster(options: DevelopmentClusterOptions): Promise<DevelopmentCluster> {
  const operator = await readOperatorManifests(options.projectDirectory, options.namespace);
  const { clock = realClock } = options;
  const { minor } = announcedVersion({
    kubernetesVersion: options.kubernetesVersion,
    directory: options.projectDirectory,
  });
  const cluster = createEmbeddedCluster({
    clock,
    kubernetesVersion: minor,
    workloadSimulation: options.workloads !== false,
    recordHistory: options.recordHistory === true,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    descriptions: lazyDescriptions,
    ...(options.keepsObjects === true ? { persist: path.join(options.stateDirectory, "state") } : {}),
  });
  try {
    return await prepare(cluster, operator, { ...options, clock });
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

async function prepare(
  cluster: EmbeddedCluster,
  operator: OperatorManifests,
  options: DevelopmentClusterOptions & { readonly clock: Clock },
): Promise<DevelopmentCluster> {
  const { stateDirectory, projectDirectory, port = 0 } = options;
  makeFolder(stateDirectory);
  const listener = await cluster.listen({ tls: true, port });
  const client = createClient(cluster.config);
  if (options.workloads !== false) await Promise.all([ensureDefaultStorageClass(client), ensureClusterDns(client)]);
  const webhooks = await webhookServing(options, operator);
  const install = { cluster, client, projectDirectory, webhooks };
  for (const part of installProject(install, operator)) await part();
  const account = { namespace: operator.namespace, name: operator.serviceAccountName };
  const tokenFile = path.resolve(stateDirectory, "manager.token");
  const stopRenewals = await keepToken({ config: cluster.config, account, file: tokenFile, clock: options.clock });
  return {
    server: listener.url,
    cluster,
    client,
    namespace: operator.namespace,
    kubeconfigPath: await writeKubeconfig(path.join(stateDirectory, "kubeconfig"), listener.config),
    managerKubeconfigPath: await writeKubeconfig(
      path.join(stateDirectory, "manager.kubeconfig"),
      withCredentials(listener.config, { kind: "token-file", path: tokenFile }),
    ),
    managerUser: `system:serviceaccount:${account.namespace}:${account.name}`,
    webhooks,
    certificateVariables: webhooks === undefined ? undefined : certificateVariables(operator, webhooks),
    update: async () => {
      const updated = await readOperatorManifests(projectDirectory, options.namespace);
      for (const part of installProject(install, updated)) await part();
    },
    stop: async () => {
      stopRenewals();
      await cluster.close();
    },
  };
}

async function webhookServing(
  { projectDirectory, stateDirectory }: DevelopmentClusterOptions,
  { certificates }: OperatorManifests,
): Promise<WebhookServing | undefined> {
  if (!hasWebhooks(projectDirectory)) return undefined;
  const options = { selfManagedCertificates: certificates !== undefined };
  return await prepareWebhookServing(options, path.join(stateDirectory, "webhook-certs"));
}

async function writeKubeconfig(file: string, config: RestConfig): Promise<string> {
  await writePrivateFile(file, kubeconfigOf(config));
  return file;
}
