import type { Invocation } from "../../command/command.ts";
import { ClusterUnreachableError } from "../../command/errors.ts";
import type { Program } from "../../programs/run-program.ts";
import { readOutput } from "../../programs/run-program.ts";

/**
 * Checks that kubectl reaches the cluster of the current kubeconfig, which it otherwise reports once for each object.
 *
 * An answer that denies the request is left to the calls that follow. Fails: {@link ClusterUnreachableError}, and as `readOutput`.
 */
export async function requireCluster(kubectl: Program, { cwd }: Pick<Invocation, "cwd">): Promise<void> {
  const probe = await readQuietly(kubectl, ["get", "--raw", "/version", "--request-timeout=20s"], cwd);
  if (probe.status === 0 || probe.errors.some((line) => line.startsWith("Error from server"))) return;
  const cause = causeOf(probe.errors);
  const config = await readQuietly(kubectl, ["config", "view", "--minify", "--output", CLUSTER], cwd);
  const [context = "", server = ""] = config.text.split("\n");
  if (config.status !== 0 || context === "") {
    throw new ClusterUnreachableError(`cannot reach a cluster: no kubeconfig selects one (${cause})`, {
      hint: "set KUBECONFIG, or select a context with `kubectl config use-context`; the cluster was not changed",
    });
  }
  throw new ClusterUnreachableError(`cannot reach the cluster of the context ${context}, ${server}: ${cause}`, {
    hint: "start the cluster, or select another one with KUBECONFIG or `kubectl config use-context`; the cluster was not changed",
  });
}

const CLUSTER = String.raw`jsonpath={.current-context}{"\n"}{.clusters[0].cluster.server}`;

// The last line states the result; those before it are the log of the attempts.
function causeOf(errors: readonly string[]): string {
  const line = errors.at(-1) ?? "kubectl printed no reason";
  return line.replace(/^(?:error: |Unable to connect to the server: )/u, "");
}

async function readQuietly(
  kubectl: Program,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly text: string; readonly status: number | undefined; readonly errors: readonly string[] }> {
  let written = "";
  const write = (text: string): void => void (written += text);
  const terminal = { isInteractive: false, writeOut: write, writeError: write };
  const { text, status } = await readOutput(kubectl, args, { invocation: { cwd, terminal } });
  return { text, status, errors: written.split(/\r?\n/u).filter((line) => line.trim() !== "") };
}
