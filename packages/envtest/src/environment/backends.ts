import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import {
  type ClusterListener,
  createCertificateAuthority,
  createEmbeddedCluster,
  type EmbeddedCluster,
} from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { getConfig } from "@kubescaffold/runtime";

import { defaultStoreDirectory, releasesFolder } from "../binaries/binary-store.ts";
import { setupBinariesIn } from "../binaries/setup-binaries.ts";
import { type AssetOptions, resolveAsset } from "../control-plane/assets.ts";
import { startControlPlane } from "../control-plane/control-plane.ts";
import { AssetMissingError, BackendUnsupportedError } from "../failures/errors.ts";
import {
  announcedVersion,
  type RequestedVersion,
  requireVersion,
  type VersionSources,
} from "../kubernetes-version/requested-version.ts";
import { type EnvironmentOptions, isOutputAttached, timeoutsOf } from "./environment-options.ts";
import type { EnvironmentAuthn, EnvironmentUser } from "./environment-users.ts";

/** A running API server of an environment. */
export interface Backend {
  /** The administrator's config for this process. */
  readonly config: RestConfig;
  /** The embedded server with faults, audit log, and snapshots; undefined for other backends. */
  readonly cluster?: EmbeddedCluster;
  /** Returns the administrator's config for other processes; the embedded server starts to listen. */
  readonly listen: () => Promise<RestConfig>;
  /** Creates credentials for a user and returns a config with them. */
  readonly addUser: (user: EnvironmentUser) => Promise<RestConfig>;
  /** Stops the server. */
  readonly stop: () => Promise<void>;
}

/** Starts the embedded server; it listens with TLS from the first call of `listen` on. */
export async function startEmbeddedBackend(options: EnvironmentOptions): Promise<Backend> {
  const { clock, controllers, workloads } = options;
  const cluster = createEmbeddedCluster({
    kubernetesVersion: announcedVersion(versionSources(options)).minor,
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

/** Starts etcd, kube-apiserver, and optional controllers from local binaries; users get client certificates, unless the options have an `authn`. */
export async function startBinariesBackend(options: EnvironmentOptions): Promise<Backend> {
  const requested = announcedVersion(versionSources(options));
  const assets = await assetOptions(options, requested);
  const users = await userAuthentication(options);
  try {
    const controlPlane = await startControlPlane({
      assets,
      ...(users.clientCa === undefined ? {} : { clientCa: users.clientCa.cert, clientCaKey: users.clientCa.key }),
      controllerManager: options.controllers ?? (await hasControllerManager(assets)),
      workloads: options.workloads === true,
      apiServerArgs: [...users.apiServerArgs, ...(options.apiServerArgs ?? [])],
      etcdArgs: options.etcdArgs ?? [],
      attachOutput: isOutputAttached(options),
      ...timeoutsOf(options),
    });
    const { config } = controlPlane.apiServer;
    await requireVersion(config, requested).catch(async (error: unknown) => {
      await controlPlane.stop();
      throw error;
    });
    return {
      config,
      listen: async () => config,
      addUser: (user) => users.addUser(user, config),
      stop: async () => {
        try {
          await controlPlane.stop();
        } finally {
          await users.stop();
        }
      },
    };
  } catch (error) {
    await users.stop();
    throw error;
  }
}

interface UserAuthentication {
  readonly clientCa?: { readonly cert: string; readonly key: string };
  readonly apiServerArgs: readonly string[];
  readonly addUser: (user: EnvironmentUser, config: RestConfig) => Promise<RestConfig>;
  readonly stop: () => Promise<void>;
}

async function userAuthentication({ authn }: EnvironmentOptions): Promise<UserAuthentication> {
  return authn === undefined ? clientCertificates() : customAuthentication(authn);
}

async function clientCertificates(): Promise<UserAuthentication> {
  const authority = await createCertificateAuthority("envtest-users");
  return {
    clientCa: authority,
    apiServerArgs: [],
    addUser: async ({ name, groups = [] }, config) => {
      const pair = await authority.issueClient({ user: name, groups });
      return { ...config, credentials: { kind: "anonymous" }, tls: { ...config.tls, ...pair } };
    },
    stop: async () => undefined,
  };
}

async function customAuthentication(authn: EnvironmentAuthn): Promise<UserAuthentication> {
  const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-authn-"));
  const stop = async (): Promise<void> => {
    try {
      await authn.stop?.();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  try {
    return {
      apiServerArgs: await authn.configure(folder),
      addUser: (user, config) => authn.addUser(user, config),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function versionSources({ kubernetesVersion, env, projectDirectory }: EnvironmentOptions): VersionSources {
  return { kubernetesVersion, ...(env === undefined ? {} : { env }), directory: projectDirectory };
}

async function assetOptions(options: EnvironmentOptions, { minor, source }: RequestedVersion): Promise<AssetOptions> {
  const { binaryAssetsDirectory: directory, downloadBinaryAssets = false, env = process.env } = options;
  if (!downloadBinaryAssets) return directory === undefined ? { env, minor } : { env, directory };
  const version = options.downloadBinaryAssetsVersion ?? (source === "default" ? "latest" : `${minor}.x`);
  const indexUrl = options.downloadBinaryAssetsIndexUrl;
  const folder = directory ?? releasesFolder(defaultStoreDirectory(env));
  return {
    env,
    directory: await setupBinariesIn(folder, { version, ...(indexUrl === undefined ? {} : { indexUrl }) }),
  };
}

// Upstream's archives do not contain it.
async function hasControllerManager(assets: AssetOptions): Promise<boolean> {
  try {
    await resolveAsset("kube-controller-manager", assets);
    return true;
  } catch (error) {
    if (error instanceof AssetMissingError) return false;
    throw error;
  }
}

/** Uses a running cluster, by default that of kubectl; stopping does not affect it. */
export async function useExistingBackend(options: EnvironmentOptions): Promise<Backend> {
  const config = options.config ?? (await getConfig());
  const requested = announcedVersion(versionSources(options));
  // PROJECT states what the operator is developed for, and an existing cluster need not be of that version.
  if (requested.source !== "project") await requireVersion(config, requested);
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
