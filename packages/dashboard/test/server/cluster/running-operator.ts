import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster, type MainProcess } from "@kubescaffold/cluster";
import { installCrds, installOperator } from "@kubescaffold/envtest";
import { isAlreadyExists, type RestConfig } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import { ClusterRoleBinding } from "@kubescaffold/k8s/rbac/v1";
import {
  createClient,
  createLogger,
  createManager,
  type LiveClient,
  type LogRecord,
  type Manager,
  metrics,
  newControllerManagedBy,
} from "@kubescaffold/runtime";
import { readOperatorManifests } from "@kubescaffold/runtime/operator-project";

/** The example whose manifests the operator has. */
export const PROJECT: string = path.resolve(import.meta.dirname, "../../../../../examples/guestbook");
export const NAMESPACE = "guestbook-system";
const ACCOUNT = "guestbook-controller-manager";
export const MANAGER_USER: string = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
const GUESTBOOK = { group: "webapp.demo", version: "v1", kind: "Guestbook" } as const;
const LABELS = { "control-plane": "controller-manager", "app.kubernetes.io/name": "guestbook" };

/** A cluster with the CRDs and roles of the example, and an image of a manager that runs in this process. */
export interface OperatorCluster {
  readonly cluster: EmbeddedCluster;
  readonly client: LiveClient;
  /** The administrator, over TLS. */
  readonly config: RestConfig;
  /** Creates the Deployment of the manager. */
  readonly deploy: (replicas: number, args?: readonly string[]) => Promise<void>;
  /** Lets the service account of the manager read metrics, as the page says. */
  readonly allowMetrics: () => Promise<void>;
  readonly createGuestbook: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startOperatorCluster(): Promise<OperatorCluster> {
  const cluster = createEmbeddedCluster({ workloadSimulation: true });
  const { config } = await cluster.listen({ tls: true });
  const client = createClient(cluster.config);
  await installCrds(cluster.config, { paths: [path.join(PROJECT, "config", "crd", "bases")] });
  await installOperator(client, await readOperatorManifests(PROJECT));
  cluster.images.define("controller:*", async (main) => await runManager(cluster, main));
  return {
    cluster,
    client,
    config,
    deploy: async (replicas, args = ["--metrics-bind-address=:8443", "--leader-elect"]) => {
      await client.create(deploymentOf(replicas, args));
    },
    allowMetrics: async () => {
      await client.create(
        ClusterRoleBinding.create({
          metadata: { name: "guestbook-dashboard-metrics-reader" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "guestbook-metrics-reader" },
          subjects: [{ kind: "ServiceAccount", namespace: NAMESPACE, name: ACCOUNT }],
        }),
      );
    },
    createGuestbook: async (name) => {
      await client.create({
        apiVersion: "webapp.demo/v1",
        kind: "Guestbook",
        metadata: { namespace: "default", name },
        spec: { size: 1 },
      } as never);
    },
    close: async () => await cluster.close(),
  };
}

function deploymentOf(replicas: number, args: readonly string[]): Deployment {
  return Deployment.create({
    metadata: { namespace: NAMESPACE, name: "guestbook-controller-manager", labels: LABELS },
    spec: {
      replicas,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: ACCOUNT,
          containers: [{ name: "manager", image: "controller:latest", args: [...args] }],
        },
      },
    },
  });
}

/** Runs a manager that gives each Guestbook a Service, and connects its metrics server to the port of the Pod. */
async function runManager(cluster: EmbeddedCluster, { log, signal, ports }: MainProcess): Promise<void> {
  let metricsPort = 0;
  const logger = createLogger({
    isEnabled: (verbosity) => verbosity < 2,
    write: (record) => {
      if (record.fields["server"] === "metrics") metricsPort = Number(record.fields["port"]);
      log(lineOf(record));
    },
  });
  const config = cluster.addUser({
    name: MANAGER_USER,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${NAMESPACE}`, "system:authenticated"],
  });
  const mgr = await createManager(config, {
    logger,
    metrics: {
      bindAddress: "127.0.0.1:0",
      secureServing: true,
      filter: "authentication-and-authorization",
      registry: metrics.createMetricsRegistry(),
    },
    healthProbeBindAddress: "0",
    leaderElection: true,
    leaderElectionId: "5727742e.demo",
    leaderElectionNamespace: NAMESPACE,
    leaderElectionReleaseOnCancel: true,
  });
  await addController(mgr);
  ports.listen(8443, (connection) => {
    const upstream = connect(metricsPort, "127.0.0.1");
    upstream.on("error", () => connection.destroy());
    connection.on("error", () => upstream.destroy());
    connection.pipe(upstream).pipe(connection);
  });
  await mgr.start(signal);
  if (!signal.aborted) await once(signal, "abort");
}

async function addController(mgr: Manager): Promise<void> {
  const client = mgr.getClient();
  await newControllerManagedBy(mgr)
    .named("guestbook")
    .for(GUESTBOOK)
    .complete(async ({ namespace, name }) => {
      const { uid } = (await client.get(GUESTBOOK, { namespace, name })).metadata;
      if (name === "denied") await mgr.getApiReader().list({ group: "", version: "v1", kind: "Secret" });
      const owner = { apiVersion: "webapp.demo/v1", kind: "Guestbook", name, uid, controller: true };
      const service = Service.create({
        metadata: { namespace, name: `${name}-web`, ownerReferences: [owner] },
        spec: { ports: [{ port: 80 }] },
      });
      await client.create(service).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
      return {};
    });
}

function lineOf({ severity, verbosity, name, message, fields, error }: LogRecord): string {
  return JSON.stringify({
    level: severity === "error" ? "error" : verbosity > 0 ? "debug" : "info",
    ts: new Date().toISOString(),
    logger: name,
    msg: message,
    ...fields,
    ...(error instanceof Error ? { error: error.message } : {}),
  });
}
