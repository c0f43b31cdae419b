import { checkNumbers } from "@kubescaffold/k8s";
import type { RestConfig } from "@kubescaffold/k8s";
import { parseGoDuration } from "@kubescaffold/platform";
import type { Clock } from "@kubescaffold/platform/clock";

import { EnvironmentOptionsError } from "../failures/errors.ts";
import type { WebhookInstallOptions } from "../install/webhook-serving.ts";
import type { EnvironmentAuthn } from "./environment-users.ts";

/** The server of an environment: the `embedded` one in this process, a control plane from local `binaries`, or an `existing` cluster. */
export type BackendName = "embedded" | "binaries" | "existing";

/**
 * Options of an {@link Environment}.
 *
 * controller-runtime: pkg/envtest.Environment
 */
export interface EnvironmentOptions {
  /**
   * The server. Default: `KUBESCAFFOLD_ENVTEST_BACKEND`, then `existing` for `USE_EXISTING_CLUSTER=true`, then `binaries` for
   * {@link EnvironmentOptions.downloadBinaryAssets} and `KUBEBUILDER_ASSETS`, otherwise `embedded`.
   */
  readonly backend?: BackendName;
  /**
   * The minor version of Kubernetes: 1.34 to 1.37. The embedded server is of this version, and other servers must be; a version such as `1.36.2` selects its
   * minor version, and `latest` the newest. Default: `KUBESCAFFOLD_KUBERNETES_VERSION`, then that of PROJECT, otherwise 1.37; an existing cluster, and binaries
   * without any of these, may be of any version.
   */
  readonly kubernetesVersion?: string;
  /** The folder whose PROJECT file states the version of Kubernetes, or that of a parent. Default: the current folder. */
  readonly projectDirectory?: string;
  /** Files and folders of manifests whose CustomResourceDefinitions are installed. Default: none. */
  readonly crdDirectoryPaths?: readonly string[];
  /** Additional definitions to install. Default: none. */
  readonly crds?: readonly unknown[];
  /** Fails for a missing path of {@link EnvironmentOptions.crdDirectoryPaths}. Default: true. */
  readonly errorIfCrdPathMissing?: boolean;
  /** Milliseconds until a definition must be served. Default: 10000. */
  readonly crdTimeoutMs?: number;
  /** Deletes the definitions when the environment stops; useful on an existing cluster only. Default: false. */
  readonly cleanUpCrds?: boolean;
  /** Webhook configurations to install, and the address of their server. Default: none. */
  readonly webhooks?: WebhookInstallOptions;
  /**
   * Runs the controllers of namespaces, owners, and service accounts. Default: true for the embedded server; binaries run
   * kube-controller-manager if it is available, and require it when this is true.
   */
  readonly controllers?: boolean;
  /** Runs the Pods of workloads: simulated by the embedded server, with kube-scheduler and kwok for binaries. Default: false. */
  readonly workloads?: boolean;
  /**
   * The clock of the embedded server, and in a test suite of its managers and the deadlines of their requests, too; other backends refuse it.
   * Default: the system clock.
   */
  readonly clock?: Clock;
  /** The config of the existing cluster. Default: that of kubectl. */
  readonly config?: RestConfig;
  /**
   * The folder of etcd and kube-apiserver; takes precedence over `KUBEBUILDER_ASSETS`. With {@link EnvironmentOptions.downloadBinaryAssets}, the folder that
   * contains a folder for each version, such as `k8s` in the store of setup-envtest, which is the default then.
   */
  readonly binaryAssetsDirectory?: string;
  /** Uses etcd and kube-apiserver of {@link EnvironmentOptions.downloadBinaryAssetsVersion}, and downloads them if they are missing; selects the backend `binaries`. Default: false. */
  readonly downloadBinaryAssets?: boolean;
  /** The version to download, as in the options of `setupBinaries`. Default: the newest of the requested minor version of Kubernetes, or else `latest`. */
  readonly downloadBinaryAssetsVersion?: string;
  /** The URL of the index of archives. Default: that of controller-tools. */
  readonly downloadBinaryAssetsIndexUrl?: string;
  /** Additional arguments of kube-apiserver. Default: none. */
  readonly apiServerArgs?: readonly string[];
  /** Additional arguments of etcd, which take precedence; for the backend `binaries`. Default: none. */
  readonly etcdArgs?: readonly string[];
  /** Authenticates the users of `Environment.addUser`; for the backend `binaries`. Default: client certificates. */
  readonly authn?: EnvironmentAuthn;
  /** Milliseconds that the control plane may take to start. Default: `KUBEBUILDER_CONTROLPLANE_START_TIMEOUT`, otherwise 20000. */
  readonly startTimeoutMs?: number;
  /** Milliseconds that the control plane may take to stop. Default: `KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT`, otherwise 20000. */
  readonly stopTimeoutMs?: number;
  /** Prints the output of binaries on standard error. Default: `KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT`, otherwise false. */
  readonly attachControlPlaneOutput?: boolean;
  /** The environment variables. Default: those of the process. */
  readonly env?: Variables;
}

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

const BACKENDS: readonly BackendName[] = ["embedded", "binaries", "existing"];

/** Returns the backend of the options and variables. Fails: {@link EnvironmentOptionsError} for an unknown backend. */
export function backendOf({ backend, downloadBinaryAssets, env = process.env }: EnvironmentOptions): BackendName {
  if (backend !== undefined) return backend;
  const named = env["KUBESCAFFOLD_ENVTEST_BACKEND"];
  if (named) {
    const found = BACKENDS.find((name) => name === named);
    if (found === undefined) {
      throw new EnvironmentOptionsError(`cannot use ${named} as the backend of an environment`, {
        hint: `set KUBESCAFFOLD_ENVTEST_BACKEND to one of ${BACKENDS.join(", ")}`,
      });
    }
    return found;
  }
  if (env["USE_EXISTING_CLUSTER"]?.toLowerCase() === "true") return "existing";
  return downloadBinaryAssets === true || env["KUBEBUILDER_ASSETS"] ? "binaries" : "embedded";
}

/** Checks that the server can follow the clock of the options. Fails: {@link EnvironmentOptionsError} for a server in another process. */
export function checkClock(options: EnvironmentOptions): void {
  const backend = backendOf(options);
  if (options.clock === undefined || backend === "embedded") return;
  throw new EnvironmentOptionsError(
    `cannot use the option clock with the backend ${backend}: its server has its own clock`,
    {
      hint: 'set backend: "embedded" in this test, or remove clock',
    },
  );
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** Returns the start and stop timeouts of the control plane. */
export function timeoutsOf(options: EnvironmentOptions): {
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
} {
  const { env = process.env } = options;
  const rules = { crdTimeoutMs: "duration", startTimeoutMs: "duration", stopTimeoutMs: "duration" } as const;
  checkNumbers("the environment", options, rules);
  return {
    startTimeoutMs:
      options.startTimeoutMs ?? durationMs("KUBEBUILDER_CONTROLPLANE_START_TIMEOUT", env) ?? DEFAULT_TIMEOUT_MS,
    stopTimeoutMs:
      options.stopTimeoutMs ?? durationMs("KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT", env) ?? DEFAULT_TIMEOUT_MS,
  };
}

/** Reports whether the output of binaries is printed. */
export function isOutputAttached({ attachControlPlaneOutput, env = process.env }: EnvironmentOptions): boolean {
  return attachControlPlaneOutput ?? env["KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT"]?.toLowerCase() === "true";
}

function durationMs(name: string, env: Variables): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  const milliseconds = parseGoDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new EnvironmentOptionsError(`cannot read ${name}: ${text} is not a duration such as 60s or 1m30s`);
}
