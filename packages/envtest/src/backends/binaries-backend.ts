import { createCertificateAuthority } from "@kubescaffold/apiserver";

import { setupBinaries } from "../binaries/setup-binaries.ts";
import { resolveAsset, type AssetOptions } from "../control-plane/assets.ts";
import { startControlPlane } from "../control-plane/control-plane.ts";
import { isOutputAttached, timeoutsOf, type EnvironmentOptions } from "../environment-options.ts";
import { AssetMissingError } from "../errors.ts";
import type { Backend } from "./backend.ts";

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
