import type { Clock } from "@kubescaffold/apiserver";
import type { RestConfig } from "@kubescaffold/k8s";

import type { SetupBinariesOptions } from "./binaries/setup-binaries.ts";
import { EnvironmentOptionsError } from "./errors.ts";
import type { WebhookInstallOptions } from "./webhooks/webhook-serving.ts";

/**
 * Which server an environment uses: the `embedded` one inside this process, a real control plane from local `binaries`, or an `existing` cluster.
 */
export type BackendName = "embedded" | "binaries" | "existing";

/** What an environment is made of; every field may be left out. */
export interface EnvironmentOptions {
  /**
   * Which server; when absent `KUBESCAFFOLD_ENVTEST_BACKEND` decides, then `USE_EXISTING_CLUSTER=true`, then `KUBEBUILDER_ASSETS` (binaries),
   * and else it is the embedded one.
   */
  readonly backend?: BackendName;
  /** Files and folders of manifests whose CustomResourceDefinitions are installed. */
  readonly crdDirectoryPaths?: readonly string[];
  /** More definitions to install. */
  readonly crds?: readonly unknown[];
  /** Whether a missing path of {@link EnvironmentOptions.crdDirectoryPaths} is an error; it is, unless switched off. */
  readonly errorIfCrdPathMissing?: boolean;
  /** How long a definition may take until it is served; 10 seconds by default. */
  readonly crdTimeoutMs?: number;
  /** Deletes the definitions when the environment stops; of use on an existing cluster alone. */
  readonly cleanUpCrds?: boolean;
  /** Webhook configurations to install, and where their server will listen. */
  readonly webhooks?: WebhookInstallOptions;
  /**
   * Runs the controllers of namespaces, owners and service accounts. The embedded server has them unless this is false; binaries run
   * kube-controller-manager when it is there, and must have it when this is true.
   */
  readonly controllers?: boolean;
  /** Lets Deployments have Pods that become ready: simulated by the embedded server, by kube-scheduler and kwok with binaries. */
  readonly workloads?: boolean;
  /** The embedded server's time. */
  readonly clock?: Clock;
  /** How to reach the existing cluster; found like kubectl does when absent. */
  readonly config?: RestConfig;
  /** Where etcd and kube-apiserver are; before `KUBEBUILDER_ASSETS`. */
  readonly binaryAssetsDirectory?: string;
  /** Which etcd and kube-apiserver are downloaded, unless they have been, when no directory is given. */
  readonly downloadBinaryAssets?: SetupBinariesOptions;
  /** More arguments for kube-apiserver. */
  readonly apiServerArgs?: readonly string[];
  readonly startTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
  /** Shows the output of binaries on standard error. */
  readonly attachControlPlaneOutput?: boolean;
  /** The variables to read, those of this process by default. */
  readonly env?: Variables;
}

/** Variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

const BACKENDS: readonly BackendName[] = ["embedded", "binaries", "existing"];

/** Returns the backend that options and variables ask for. Fails: {@link EnvironmentOptionsError} when a variable names none. */
export function backendOf({ backend, env = process.env }: EnvironmentOptions): BackendName {
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
  return env["KUBEBUILDER_ASSETS"] ? "binaries" : "embedded";
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** Returns how long the control plane may take to start and to stop. */
export function timeoutsOf(options: EnvironmentOptions): {
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
} {
  const { env = process.env } = options;
  return {
    startTimeoutMs:
      options.startTimeoutMs ?? durationMs("KUBEBUILDER_CONTROLPLANE_START_TIMEOUT", env) ?? DEFAULT_TIMEOUT_MS,
    stopTimeoutMs:
      options.stopTimeoutMs ?? durationMs("KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT", env) ?? DEFAULT_TIMEOUT_MS,
  };
}

/** Says whether the output of binaries is shown. */
export function isOutputAttached({ attachControlPlaneOutput, env = process.env }: EnvironmentOptions): boolean {
  return attachControlPlaneOutput ?? env["KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT"]?.toLowerCase() === "true";
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

// Go's form: 1m30s, 500ms.
function durationMs(name: string, env: Variables): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/gu)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new EnvironmentOptionsError(`cannot read ${name}: ${text} is no duration such as 60s or 1m30s`);
  }
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit ?? ""] ?? 0), 0);
}
