// The operator's manager, in its own process.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts `cmd/main.ts` of a project as the manager's service account, collects what it logs, and shows what it observes on a dashboard if there is one. */
export function startManager(project, cluster, dashboard) {
  const args = [
    "--import",
    "tsx",
    "cmd/main.ts",
    `--kubeconfig=${cluster.managerKubeconfigPath}`,
    "--health-probe-bind-address=0",
    "--metrics-bind-address=0",
    "--zap-devel=false",
    "--webhook-host=127.0.0.1",
    `--webhook-port=${String(cluster.webhooks.port)}`,
    `--webhook-cert-path=${cluster.webhooks.certDirectory}`,
  ];
  const child = spawn(process.execPath, args, {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe", ...(dashboard === undefined ? [] : ["ipc"])],
    env: dashboard === undefined ? process.env : { ...process.env, KUBESCAFFOLD_OBSERVE: "ipc" },
  });
  if (dashboard !== undefined) child.on("message", (message) => dashboard.receive(message));
  let log = "";
  child.stdout.on("data", (chunk) => (log += chunk));
  child.stderr.on("data", (chunk) => (log += chunk));
  return {
    pid: child.pid,
    log: () => log,
    /** The end of its log, as text. */
    lastLines: () => log.split("\n").slice(-20).join("\n"),
    /** The log lines that are errors, as text. */
    errors: () => log.split("\n").filter((line) => line.includes('"level":"error"')),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      return code;
    },
  };
}
