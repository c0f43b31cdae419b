import { writeFile } from "node:fs/promises";
import path from "node:path";

import { kubeconfigOf } from "../kubeconfig/kubeconfig.ts";
import type { KubeApiServer } from "./kube-apiserver.ts";
import { kwokStages } from "./kwok-stages.ts";
import { startProcess, type ManagedProcess } from "./managed-process.ts";

/** The programs that act on what the API server stores. */
interface ControllerPrograms {
  readonly controllerManager?: string;
  readonly scheduler?: string;
  /** Makes nodes and Pods ready without machines. */
  readonly kwok?: string;
}

/** What the programs need to run. */
export interface KubeControllersOptions {
  readonly programs: ControllerPrograms;
  readonly apiServer: KubeApiServer;
  readonly directory: string;
  readonly attachOutput?: boolean;
}

/** Starts the given programs as administrators of a running API server; they need no readiness, since others only see what they write. */
export async function startKubeControllers(options: KubeControllersOptions): Promise<readonly ManagedProcess[]> {
  const kubeconfig = path.join(options.directory, "controllers.kubeconfig");
  await writeFile(kubeconfig, kubeconfigOf(options.apiServer.config), { mode: 0o600 });
  const stages = path.join(options.directory, "kwok-stages.yaml");
  await writeFile(stages, kwokStages());
  const { controllerManager, scheduler, kwok } = options.programs;
  const start = (name: string, file: string | undefined, args: readonly string[]): readonly ManagedProcess[] =>
    file === undefined ? [] : [startProcess({ name, file, args, attachOutput: options.attachOutput === true })];
  return [
    ...start("kube-controller-manager", controllerManager, controllerManagerArgs(kubeconfig, options)),
    ...start("kube-scheduler", scheduler, [`--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--secure-port=0"]),
    ...start("kwok", kwok, kwokArgs(kubeconfig, stages)),
  ];
}

// Leases keep the controller manager from taking Nodes for dead.
function kwokArgs(kubeconfig: string, stages: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--config=${stages}`,
    "--manage-all-nodes=true",
    "--node-lease-duration-seconds=40",
    "--server-address=127.0.0.1:0",
  ];
}

function controllerManagerArgs(kubeconfig: string, { apiServer }: KubeControllersOptions): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--use-service-account-credentials=true",
    `--service-account-private-key-file=${apiServer.serviceAccountKeyFile}`,
    `--root-ca-file=${apiServer.caFile}`,
  ];
}
