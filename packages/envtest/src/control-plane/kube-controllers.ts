import { writeFile } from "node:fs/promises";
import path from "node:path";

import type { KubeApiServer } from "./kube-apiserver.ts";
import { kubeconfigOf } from "./kubeconfig.ts";
import { type ManagedProcess, startProcess } from "./managed-process.ts";

/** The paths of the controllers' binaries. */
interface ControllerPrograms {
  readonly controllerManager?: string;
  readonly scheduler?: string;
  /** Simulates nodes and running Pods. */
  readonly kwok?: string;
}

/** Options of {@link startKubeControllers}. */
interface KubeControllersOptions {
  readonly programs: ControllerPrograms;
  readonly apiServer: KubeApiServer;
  readonly directory: string;
  readonly attachOutput?: boolean;
  /** Signs CertificateSigningRequests. Default: they are not signed. */
  readonly signer?: { readonly cert: string; readonly key: string };
}

/** Starts the programs as administrators of a running API server; it does not wait for them, since only their writes are visible. */
export async function startKubeControllers(options: KubeControllersOptions): Promise<readonly ManagedProcess[]> {
  const kubeconfig = path.join(options.directory, "controllers.kubeconfig");
  await writeFile(kubeconfig, kubeconfigOf(options.apiServer.config), { mode: 0o600 });
  const stages = path.join(options.directory, "kwok-stages.yaml");
  await writeFile(stages, kwokStages());
  const signing = await signingArgs(options);
  const { controllerManager, scheduler, kwok } = options.programs;
  const start = (name: string, file: string | undefined, args: readonly string[]): readonly ManagedProcess[] =>
    file === undefined ? [] : [startProcess({ name, file, args, attachOutput: options.attachOutput === true })];
  return [
    ...start("kube-controller-manager", controllerManager, [...controllerManagerArgs(kubeconfig, options), ...signing]),
    ...start("kube-scheduler", scheduler, [`--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--secure-port=0"]),
    ...start("kwok", kwok, kwokArgs(kubeconfig, stages)),
  ];
}

// Leases prevent the controller manager from marking Nodes as unreachable.
function kwokArgs(kubeconfig: string, stages: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--config=${stages}`,
    "--manage-all-nodes=true",
    "--node-lease-duration-seconds=40",
    "--server-address=127.0.0.1:0",
  ];
}

async function signingArgs({ signer, directory }: KubeControllersOptions): Promise<readonly string[]> {
  if (signer === undefined) return [];
  const [cert, key] = ["signer.crt", "signer.key"].map((name) => path.join(directory, name)) as [string, string];
  await writeFile(cert, signer.cert);
  await writeFile(key, signer.key, { mode: 0o600 });
  return [`--cluster-signing-cert-file=${cert}`, `--cluster-signing-key-file=${key}`];
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

/**
 * Returns the configuration with which kwok completes Nodes and Pods immediately: Nodes become ready, Pods run,
 * Pods of Jobs succeed, and deleted Pods are removed.
 */
function kwokStages(): string {
  return [NODE_READY, POD_RUNNING, POD_SUCCEEDED, POD_GONE].map((stage) => JSON.stringify(stage)).join("\n---\n");
}

interface Match {
  readonly key: string;
  readonly operator: "Exists" | "DoesNotExist" | "In" | "NotIn";
  readonly values?: readonly string[];
}

const IS_ALIVE: Match = { key: ".metadata.deletionTimestamp", operator: "DoesNotExist" };
const IS_NOT_READY: Match = {
  key: '.status.conditions.[] | select( .type == "Ready" ) | .status',
  operator: "NotIn",
  values: ["True"],
};

// With this annotation, a test writes the status of a Node or Pod itself.
const IS_SIMULATED: Match = { key: '.metadata.annotations["kubescaffold.dev/simulate"]', operator: "DoesNotExist" };

const NODE_READY = stage("node-ready", "Node", [IS_NOT_READY, IS_SIMULATED], {
  statusTemplate: `
{{ $now := Now }}
conditions:
- {type: Ready, status: "True", reason: KubeletReady, message: simulated, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }}}
addresses:
- {type: Hostname, address: {{ .metadata.name | Quote }}}
allocatable: {cpu: 1k, memory: 1Ti, pods: 1M}
capacity: {cpu: 1k, memory: 1Ti, pods: 1M}
phase: Running
`,
});

const POD_RUNNING = stage(
  "pod-running",
  "Pod",
  [IS_ALIVE, IS_NOT_READY, IS_SIMULATED, { key: ".status.phase", operator: "In", values: ["Pending"] }],
  {
    statusTemplate: `
{{ $now := Now }}
phase: Running
startTime: {{ $now | Quote }}
conditions:
{{ range $type := list "PodReadyToStartContainers" "Initialized" "ContainersReady" "Ready" }}
- {type: {{ $type }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- {name: {{ .name | Quote }}, image: {{ .image | Quote }}, ready: true, started: true, restartCount: 0, state: {running: {startedAt: {{ $now | Quote }}}}}
{{ end }}
`,
  },
);

const POD_SUCCEEDED = stage(
  "pod-succeeded",
  "Pod",
  [
    IS_ALIVE,
    { key: ".status.phase", operator: "In", values: ["Running"] },
    { key: ".metadata.ownerReferences.[].kind", operator: "In", values: ["Job"] },
  ],
  {
    statusTemplate: `
{{ $now := Now }}
phase: Succeeded
containerStatuses:
{{ range .spec.containers }}
- {name: {{ .name | Quote }}, image: {{ .image | Quote }}, ready: false, started: false, restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }}}}}
{{ end }}
`,
  },
);

const POD_GONE = stage("pod-gone", "Pod", [{ key: ".metadata.deletionTimestamp", operator: "Exists" }], {
  delete: true,
});

function stage(
  name: string,
  kind: string,
  matchExpressions: readonly Match[],
  next: Readonly<Record<string, unknown>>,
): unknown {
  return {
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name },
    spec: { resourceRef: { apiGroup: "v1", kind }, selector: { matchExpressions }, next },
  };
}
