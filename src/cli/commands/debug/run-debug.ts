import type { Invocation } from "../../command/command.ts";
import { DeployError, ExternalProgramError } from "../../command/errors.ts";
import { type Program, readProgram, requireProgram, runProgram } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";
import { requireCluster } from "../deploy/require-cluster.ts";

const OPEN_INSPECTOR = ["/nodejs/bin/node", "--eval", "process.kill(1, 'SIGUSR1')"];

/** The manager to debug, and the local port of its inspector. */
export interface DebugOptions {
  /** The namespace of the manager; that of the project unless given. */
  readonly namespace: string | undefined;
  /** The Pod of the manager; the running one unless given. */
  readonly pod: string | undefined;
  readonly port: number;
  readonly kubectl: Program;
}

/** Opens the inspector of the manager in the cluster and forwards a port to it. */
export async function runDebug({ port, kubectl, ...options }: DebugOptions, invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { projectName = "" } = await readProject(invocation);
  const { namespace = `${projectName}-system` } = options;
  await requireCluster(kubectl, invocation);
  const { pod = await findPod(invocation, kubectl, { namespace, projectName }) } = options;
  const target = ["--namespace", namespace, pod];
  await requireProgram(kubectl, ["exec", ...target, "--container", "manager", "--", ...OPEN_INSPECTOR], { invocation });
  terminal.writeOut(`the inspector of ${pod} is available at localhost:${port}; press Ctrl-C to disconnect\n`);
  const status = await runProgram(kubectl, ["port-forward", ...target, `${port}:9229`], { invocation });
  if (status === 0 || status === undefined) return 0;
  throw new ExternalProgramError(
    `cannot forward port ${port} to ${pod}: ${kubectl.name} exited with status ${String(status)}`,
    { hint: "pass another port with --port if this one is in use" },
  );
}

async function findPod(
  invocation: Invocation,
  kubectl: Program,
  { namespace, projectName }: { readonly namespace: string; readonly projectName: string },
): Promise<string> {
  const labels = `control-plane=controller-manager,app.kubernetes.io/name=${projectName}`;
  const running = "--field-selector=status.phase=Running";
  const args = ["get", "pods", "--namespace", namespace, "--selector", labels, running, "--output", "name"];
  const names = await readProgram(kubectl, args, { invocation });
  const pods = names.split(/\r?\n/u).filter((name) => name !== "");
  const [pod] = pods;
  if (pod === undefined) {
    throw new DeployError(`no Pod with the labels ${labels} is running in the namespace ${namespace}`, {
      hint: "pass another namespace with --namespace, or deploy the operator first",
    });
  }
  if (pods.length > 1) {
    throw new DeployError(`several Pods of the manager are running in the namespace ${namespace}`, {
      hint: `set --pod to one of ${pods.join(", ")}`,
    });
  }
  return pod;
}
