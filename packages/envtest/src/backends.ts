import {
  type ClusterListener,
  createCertificateAuthority,
  createEmbeddedCluster,
  type EmbeddedCluster,
} from "@kubescaffold/apiserver";
import type { RestConfig } from "@kubescaffold/k8s";
import { getConfig } from "@kubescaffold/runtime";

import { setupBinaries } from "./binaries/setup-binaries.ts";
import { type AssetOptions, resolveAsset } from "./control-plane/assets.ts";
import { startControlPlane } from "./control-plane/control-plane.ts";
import { type EnvironmentOptions, isOutputAttached, timeoutsOf } from "./environment-options.ts";
import { AssetMissingError, BackendUnsupportedError } from "./errors.ts";

/** A person or a program that requests are made for. */
export interface EnvironmentUser {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** A server that an environment has started or found. */
export interface Backend {
  /** How an administrator reaches it from this process. */
  readonly config: RestConfig;
  /** The server itself where it runs in this process: faults, audit, snapshots. */
  readonly cluster?: EmbeddedCluster;
  /** Returns how an administrator reaches it from another process; the embedded server begins to listen then. */
  readonly listen: () => Promise<RestConfig>;
  /** Gives a user a credential of its own. */
  readonly addUser: (user: EnvironmentUser) => Promise<RestConfig>;
  readonly stop: () => Promise<void>;
}

/** Makes the embedded server; it listens, with TLS, when somebody asks how another process reaches it. */
export async function startEmbeddedBackend({ clock, controllers, workloads }: EnvironmentOptions): Promise<Backend> {
  const cluster = createEmbeddedCluster({
    ...(clock === undefined ? {} : { clock }),
    lifecycleControllers: controllers !== false,
    workloadSimulation: workloads === true,
  });
  cluster.server.start();
  return embeddedBackend(cluster);
}

function embeddedBackend(cluster: EmbeddedCluster): Backend {
  let listener: Promise<ClusterListener> | undefined;
  return {
    config: cluster.config,
    cluster,
    listen: async () => {
      listener ??= cluster.listen({ tls: true });
      return (await listener).config;
    },
    addUser: async (user) => cluster.addUser(user, listener === undefined ? undefined : (await listener).config),
    stop: async () => cluster.close(),
  };
}

/** Starts etcd, kube-apiserver and, where asked for, the controllers from local programs; users get client certificates. */
export async function startBinariesBackend(options: EnvironmentOptions): Promise<Backend> {
  const assets = await assetOptions(options);
  const authority = await createCertificateAuthority("envtest-users");
  const controlPlane = await startControlPlane({
    assets,
    clientCa: authority.cert,
    controllerManager: options.controllers ?? (await hasControllerManager(assets)),
    workloads: options.workloads === true,
    apiServerArgs: options.apiServerArgs ?? [],
    attachOutput: isOutputAttached(options),
    ...timeoutsOf(options),
  });
  const { config } = controlPlane.apiServer;
  return {
    config,
    listen: async () => config,
    addUser: async ({ name, groups = [] }) => {
      const pair = await authority.issueClient({ user: name, groups });
      return { ...config, credentials: { kind: "anonymous" }, tls: { ...config.tls, ...pair } };
    },
    stop: controlPlane.stop,
  };
}

async function assetOptions(options: EnvironmentOptions): Promise<AssetOptions> {
  const { binaryAssetsDirectory, downloadBinaryAssets, env = process.env } = options;
  if (binaryAssetsDirectory !== undefined) return { env, directory: binaryAssetsDirectory };
  return downloadBinaryAssets === undefined ? { env } : { env, directory: await setupBinaries(downloadBinaryAssets) };
}

// The archives that upstream publishes have none.
async function hasControllerManager(assets: AssetOptions): Promise<boolean> {
  try {
    await resolveAsset("kube-controller-manager", assets);
    return true;
  } catch (error) {
    if (error instanceof AssetMissingError) return false;
    throw error;
  }
}

/** Uses a cluster that runs already, the one that kubectl would use unless a config is given; stopping leaves it alone. */
export async function useExistingBackend(options: EnvironmentOptions): Promise<Backend> {
  const config = options.config ?? (await getConfig());
  return {
    config,
    listen: async () => config,
    addUser: async ({ name }) => {
      throw new BackendUnsupportedError(`cannot add the user ${name}: an existing cluster has its own users`, {
        hint: "use addServiceAccount, or run the test against the embedded or the binaries backend",
      });
    },
    stop: async () => undefined,
  };
}
