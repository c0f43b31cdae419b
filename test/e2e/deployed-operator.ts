import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";

import { type DevelopmentCluster, startDevelopmentCluster } from "@kubescaffold/envtest";
import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Pod } from "@kubescaffold/k8s/core/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import type { LiveClient } from "@kubescaffold/runtime";

import { userEnvironment } from "../support/run-program.ts";

/** An operator project that is deployed in an embedded cluster. */
export interface DeployedOperator {
  readonly cluster: DevelopmentCluster;
  readonly client: LiveClient;
  /** The kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** Returns the names of the manager's Pods. */
  readonly pods: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

type MainProcess = Parameters<
  Extract<Parameters<DevelopmentCluster["cluster"]["images"]["define"]>[1], (process: never) => unknown>
>[0];

/**
 * Deploys an operator project as `config/default` does: CRDs, roles, webhooks, and a Deployment whose Pods run `cmd/main.ts` in separate processes, with
 * its metrics server behind port 8443 of the Pod, and its server of profiles, if it has one, behind port 6060.
 */
export async function deployOperator(
  project: string,
  { replicas }: { readonly replicas: number },
): Promise<DeployedOperator> {
  const cluster = await startDevelopmentCluster({
    projectDirectory: project,
    stateDirectory: path.join(project, ".kubescaffold", "cluster"),
  });
  const { client, namespace, kubeconfigPath } = cluster;
  // A manager finds it by itself where a kubelet mounts it.
  addManagerOption(project, `leaderElectionNamespace: ${JSON.stringify(namespace)}`);
  const managers = new Managers(cluster, project);
  cluster.cluster.images.define("controller:*", async (main) => await managers.run(main));
  await client.create(deploymentOf(project, namespace, replicas));
  return {
    cluster,
    client,
    kubeconfig: kubeconfigPath,
    pods: async () => (await client.list(Pod, { namespace })).items.map(({ metadata }) => metadata.name ?? ""),
    stop: async () => {
      await cluster.stop();
      await managers.ended();
    },
  };
}

// Ports of the Pod, and the servers of the manager behind them.
const SERVERS = [
  [8443, "metrics"],
  [6060, "pprof"],
] as const;
const STARTED_SERVER = /"server":"(?<server>\w+)".*"port":(?<port>\d+)/u;

/** The processes of the managers, of which one at a time serves the webhooks: all Pods have the same address. */
class Managers {
  readonly #cluster: DevelopmentCluster;
  readonly #project: string;
  readonly #children = new Set<ChildProcess>();
  #webhooks: ChildProcess | undefined;

  constructor(cluster: DevelopmentCluster, project: string) {
    this.#cluster = cluster;
    this.#project = project;
  }

  async run({ args, signal, log, ports }: MainProcess): Promise<number> {
    const { managerKubeconfigPath, webhooks } = this.#cluster;
    const servesWebhooks = webhooks !== undefined && this.#webhooks === undefined;
    const child = spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        "cmd/main.ts",
        ...args.filter((word) => !/^--(?:metrics|health-probe)-bind-address/u.test(word)),
        `--kubeconfig=${managerKubeconfigPath}`,
        "--metrics-bind-address=127.0.0.1:0",
        "--health-probe-bind-address=0",
        ...(servesWebhooks
          ? [
              "--webhook-host=127.0.0.1",
              `--webhook-port=${String(webhooks.port)}`,
              `--webhook-cert-path=${webhooks.certDirectory}`,
            ]
          : []),
      ],
      {
        cwd: this.#project,
        env: { ...userEnvironment(), ...(servesWebhooks ? {} : { ENABLE_WEBHOOKS: "false" }) },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#children.add(child);
    if (servesWebhooks) this.#webhooks = child;
    const closed = once(child, "close");
    signal.addEventListener("abort", () => void child.kill("SIGTERM"), { once: true });
    if (signal.aborted) child.kill("SIGTERM");
    const portOf = new Map<string, number>();
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        const { server, port } = STARTED_SERVER.exec(line)?.groups ?? {};
        if (server !== undefined) portOf.set(server, Number(port));
        log(line);
      });
    for (const [port, server] of SERVERS)
      ports.listen(port, (connection) => {
        const upstream = connect(portOf.get(server) ?? 0, "127.0.0.1");
        upstream.on("error", () => connection.destroy());
        connection.on("error", () => upstream.destroy());
        connection.pipe(upstream).pipe(connection);
      });
    const [status] = (await closed) as [number | null];
    this.#children.delete(child);
    if (this.#webhooks === child) this.#webhooks = undefined;
    return status ?? 1;
  }

  async ended(): Promise<void> {
    const running = [...this.#children];
    for (const child of running) child.kill("SIGKILL");
    await Promise.all(running.map(async (child) => child.exitCode ?? child.signalCode ?? (await once(child, "close"))));
  }
}

/** Adds an option such as `pprofBindAddress: "127.0.0.1:0"` to the manager of a project. */
export function addManagerOption(project: string, option: string): void {
  const file = path.join(project, "cmd", "main.ts");
  const text = readFileSync(file, "utf8");
  const changed = text.replace(/leaderElectionId:.*/u, `$&\n    ${option},`);
  if (changed === text) throw new Error(`there is no leaderElectionId in ${file}`);
  writeFileSync(file, changed);
}

// As kustomize names it.
function deploymentOf(project: string, namespace: string, replicas: number): Deployment {
  const file = path.join(project, "config", "manager", "manager.yaml");
  const documents = readYamlDocuments(readFileSync(file, "utf8"), { file }) as readonly Deployment[];
  const deployment = documents.find(({ kind }) => kind === "Deployment");
  const container = deployment?.spec?.template.spec?.containers[0];
  if (deployment?.spec === undefined || container === undefined) throw new Error(`there is no Deployment in ${file}`);
  const prefix = namespace.replace(/system$/u, "");
  const { template } = deployment.spec;
  return {
    ...deployment,
    metadata: { ...deployment.metadata, namespace, name: `${prefix}${deployment.metadata.name ?? ""}` },
    spec: {
      ...deployment.spec,
      replicas,
      template: {
        ...template,
        spec: {
          ...template.spec,
          serviceAccountName: `${prefix}controller-manager`,
          containers: [{ ...container, args: ["--metrics-bind-address=:8443", ...(container.args ?? [])] }],
        },
      },
    },
  };
}
