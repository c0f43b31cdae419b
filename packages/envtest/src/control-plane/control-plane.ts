import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { checkNumbers } from "@kubescaffold/k8s";

import { resolveAsset, type AssetName, type AssetOptions } from "./assets.ts";
import { startKubeApiServer, type KubeApiServer } from "./kube-apiserver.ts";
import { startKubeControllers } from "./kube-controllers.ts";
import { type ManagedProcess, startEtcd } from "./managed-process.ts";

/** Options of {@link startControlPlane}. */
export interface ControlPlaneOptions {
  /** The location of the binaries. */
  readonly assets?: AssetOptions;
  /** The authorization mode of kube-apiserver. Default: `RBAC`. */
  readonly authorizationMode?: "RBAC" | "AlwaysAllow";
  /** Runs kube-controller-manager: garbage collection, namespace deletion, workloads, service accounts. Default: false. */
  readonly controllerManager?: boolean;
  /** Runs kube-scheduler and kwok, so that Pods become ready once a Node object exists. Default: false. */
  readonly workloads?: boolean;
  /** The CA of client certificates as PEM text. Default: none. */
  readonly clientCa?: string;
  /** The private key of that CA as PEM text, with which kube-controller-manager signs CertificateSigningRequests. Default: they are not signed. */
  readonly clientCaKey?: string;
  /** Additional arguments of kube-apiserver. */
  readonly apiServerArgs?: readonly string[];
  /** Additional arguments of etcd. Default: none. */
  readonly etcdArgs?: readonly string[];
  /** Milliseconds that each program may take to start. Default: 20000. */
  readonly startTimeoutMs?: number;
  /** Milliseconds that each program may take to stop. Default: 20000. */
  readonly stopTimeoutMs?: number;
  /** Prints the output of the programs on standard error. Default: false. */
  readonly attachOutput?: boolean;
}

/**
 * A running control plane.
 *
 * controller-runtime: pkg/envtest.ControlPlane
 */
export interface ControlPlane {
  /** The running kube-apiserver. */
  readonly apiServer: KubeApiServer;
  /** Stops the programs in reverse order and removes their files. */
  readonly stop: () => Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** Starts etcd, kube-apiserver, and the optional controllers from local binaries. Fails: AssetMissingError, ControlPlaneStartError. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  checkNumbers("the control plane", options, { startTimeoutMs: "duration", stopTimeoutMs: "duration" });
  const files = await resolveAssets(options);
  const directory = await mkdtemp(path.join(tmpdir(), "kubescaffold-envtest-"));
  const running: ManagedProcess[] = [];
  const stop = async (): Promise<void> => {
    try {
      for (const process of running.splice(0).reverse())
        await process.stop(options.stopTimeoutMs ?? DEFAULT_TIMEOUT_MS);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
  try {
    return { apiServer: await startAll({ files, directory, running, options }), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

type AssetFiles = Readonly<Partial<Record<AssetName, string>>> & {
  readonly etcd: string;
  readonly "kube-apiserver": string;
};

async function resolveAssets({ assets, controllerManager, workloads }: ControlPlaneOptions): Promise<AssetFiles> {
  const resolve = async (name: AssetName, isNeeded: boolean | undefined): Promise<Partial<Record<AssetName, string>>> =>
    isNeeded === true ? { [name]: await resolveAsset(name, assets) } : {};
  return {
    etcd: await resolveAsset("etcd", assets),
    "kube-apiserver": await resolveAsset("kube-apiserver", assets),
    ...(await resolve("kube-controller-manager", controllerManager)),
    ...(await resolve("kube-scheduler", workloads)),
    ...(await resolve("kwok", workloads)),
  };
}

async function startAll({
  files,
  directory,
  running,
  options,
}: {
  readonly files: AssetFiles;
  readonly directory: string;
  readonly running: ManagedProcess[];
  readonly options: ControlPlaneOptions;
}): Promise<KubeApiServer> {
  const { startTimeoutMs = DEFAULT_TIMEOUT_MS, attachOutput = false } = options;
  const etcd = await startEtcd({
    file: files.etcd,
    dataDirectory: path.join(directory, "etcd"),
    extraArgs: options.etcdArgs ?? [],
    startTimeoutMs,
    attachOutput,
  });
  running.push(etcd.process);
  const serverDirectory = path.join(directory, "kube-apiserver");
  await mkdir(serverDirectory);
  const apiServer = await startKubeApiServer({
    file: files["kube-apiserver"],
    directory: serverDirectory,
    etcdUrl: etcd.url,
    authorizationMode: options.authorizationMode ?? "RBAC",
    adminToken: randomBytes(24).toString("base64url"),
    ...(options.clientCa === undefined ? {} : { clientCa: options.clientCa }),
    extraArgs: options.apiServerArgs ?? [],
    startTimeoutMs,
    attachOutput,
  });
  running.push(apiServer.process);
  running.push(
    ...(await startKubeControllers({
      programs: controllerPrograms(files),
      apiServer,
      directory,
      attachOutput,
      ...(options.clientCa === undefined || options.clientCaKey === undefined
        ? {}
        : { signer: { cert: options.clientCa, key: options.clientCaKey } }),
    })),
  );
  return apiServer;
}

function controllerPrograms(files: AssetFiles): Readonly<Record<string, string>> {
  const { "kube-controller-manager": controllerManager, "kube-scheduler": scheduler, kwok } = files;
  const programs = { controllerManager, scheduler, kwok };
  return Object.fromEntries(
    Object.entries(programs).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
