import { existsSync } from "node:fs";
import path from "node:path";

import type { Dashboard } from "@kubescaffold/dashboard";
import type { ResourceName } from "@kubescaffold/dashboard/cluster";
import type { FaultTargets, ManagerFaults } from "@kubescaffold/dashboard/development";
import type { DevelopmentCluster } from "@kubescaffold/envtest";

import { STATE_FOLDER } from "../../../machinery/commit/project-paths.ts";
import type { Invocation } from "../../command/command.ts";
import { CancelledError, InvalidFlagError } from "../../command/errors.ts";
import type { ServerReady } from "./dev-event.ts";
import type { ClusterTarget } from "./dev-options.ts";
import type { DevRun } from "./dev-session.ts";

/** The folder with the state of the command. */
export const STATE_DIRECTORY: string = `${STATE_FOLDER}/dev`;

/** What the page of a dashboard shows, and can do. */
export interface DashboardPage {
  readonly project: string;
  readonly projectDirectory: string;
  /** Returns the resources that the project defines now. */
  readonly resources: () => Promise<readonly ResourceName[]>;
  /** The namespaces that the manager watches; none for all. */
  readonly watchNamespaces: readonly string[];
  readonly port: number;
  readonly restart: () => Promise<void>;
  readonly faults: ManagerFaults | undefined;
}

/** What the manager runs against: the embedded cluster, or that of a kubeconfig. */
export interface DevCluster {
  readonly namespace: string;
  readonly managerKubeconfigPath: string;
  readonly managerUser: string;
  readonly webhooks: DevelopmentCluster["webhooks"];
  /** Serves a page that shows the cluster. */
  readonly serveDashboard: (page: DashboardPage) => Promise<Dashboard>;
  /** Returns the faults of the embedded cluster; undefined for that of a kubeconfig. */
  readonly faultsOf: ((pauseManager: FaultTargets["pauseManager"]) => ManagerFaults) | undefined;
  /** Whether the manager serves the certificate in the folder of `webhooks`, and makes none itself. */
  readonly servesFiles: boolean;
  /** Variables of the manager. */
  readonly env: Readonly<Record<string, string>>;
  readonly ready: ServerReady;
  update(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the embedded cluster, or connects to that of `--kubeconfig` and installs the project after a question. */
export async function startDevCluster(run: DevRun, terminal: Invocation["terminal"]): Promise<DevCluster> {
  const { target } = run.options;
  return target === undefined ? await startEmbedded(run) : await connect(run, target, terminal);
}

async function startEmbedded({ invocation: { cwd }, options }: DevRun): Promise<DevCluster> {
  const { startDevelopmentCluster } = await import("@kubescaffold/envtest");
  const stateFolder = path.join(cwd, STATE_DIRECTORY, "state");
  const state = options.keepsObjects ? { folder: stateFolder, isRestored: existsSync(stateFolder) } : undefined;
  const { JumpingClock, ManagerFaults: Faults, startDashboard } = await import("@kubescaffold/dashboard/development");
  const clock = new JumpingClock();
  const embedded = await startDevelopmentCluster({
    projectDirectory: cwd,
    stateDirectory: path.join(cwd, STATE_DIRECTORY),
    ...(options.kubernetes === undefined ? {} : { kubernetesVersion: options.kubernetes }),
    port: options.port,
    workloads: options.simulatesPods,
    keepsObjects: options.keepsObjects,
    clock,
    recordHistory: options.dashboardPort !== undefined,
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
  });
  const { namespace, managerKubeconfigPath, managerUser, webhooks, certificateVariables, server, kubeconfigPath } =
    embedded;
  return {
    namespace,
    managerKubeconfigPath,
    managerUser,
    webhooks,
    serveDashboard: async ({ project, projectDirectory, port, restart, faults }) =>
      await startDashboard({
        cluster: embedded.cluster,
        project,
        projectDirectory,
        server,
        managerUser,
        capabilities: ["reconciles", "webhooks", "permissions", "faults", "logs"],
        restart,
        ...(faults === undefined ? {} : { faults }),
        port,
      }),
    faultsOf: (pauseManager) =>
      new Faults({
        faults: embedded.cluster.server.faults,
        user: managerUser,
        jumpClock: (ms) => clock.jump(ms),
        pauseManager,
      }),
    servesFiles: certificateVariables === undefined,
    env: certificateVariables ?? {},
    ready: {
      event: "server-ready",
      server,
      kubernetes: embedded.cluster.server.context.release.minor,
      kubeconfig: kubeconfigPath,
      managerUser,
      pods: options.simulatesPods ? "simulated" : "none",
      ...(state === undefined ? {} : { state }),
    },
    update: async () => await embedded.update(),
    stop: async () => await embedded.stop(),
  };
}

async function connect(
  { invocation, options, reporter }: DevRun,
  target: ClusterTarget,
  terminal: Invocation["terminal"],
): Promise<DevCluster> {
  const { connectDevelopmentCluster } = await import("@kubescaffold/envtest");
  const { kubeconfig, context, webhookUrl } = target;
  const cluster = await connectDevelopmentCluster({
    projectDirectory: invocation.cwd,
    stateDirectory: path.join(invocation.cwd, STATE_DIRECTORY),
    kubeconfig: path.resolve(invocation.cwd, kubeconfig),
    ...(context === undefined ? {} : { context }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
  });
  const { server, namespace, kubeconfigPath, user, webhooks, hasWebhooks } = cluster;
  const what = webhooks === undefined ? "CRDs" : "CRDs and webhook configurations";
  await confirm(
    `Install the ${what} of this project in ${server} (context ${cluster.context}), now and after changes?`,
    {
      isConfirmed: target.isConfirmed,
      terminal,
      canAsk: invocation.canAsk,
    },
  );
  await cluster.update();
  const note = (text: string): void => reporter.report({ event: "note", text });
  if (hasWebhooks && webhooks === undefined) {
    note("The webhooks are not installed, and the manager does not serve them: pass --webhook-url to install them.");
  }
  if (webhooks !== undefined && webhookUrl !== undefined) {
    note(
      `The API server calls the webhooks at ${webhookUrl}: forward it to https://127.0.0.1:${String(webhooks.port)}.`,
    );
  }
  return {
    namespace,
    managerKubeconfigPath: kubeconfigPath,
    managerUser: user,
    webhooks,
    serveDashboard: async ({ project, projectDirectory, resources, watchNamespaces, port, restart }) => {
      const { startConnectedDashboard } = await import("@kubescaffold/dashboard/cluster");
      const page = { project, projectDirectory, resources, watchNamespaces, port, restart };
      return await startConnectedDashboard({ ...page, kubeconfig: kubeconfigPath, namespace });
    },
    faultsOf: undefined,
    // The Secret of the certificates belongs to the project that is deployed there.
    servesFiles: true,
    env: hasWebhooks && webhooks === undefined ? { ENABLE_WEBHOOKS: "false" } : {},
    ready: { event: "server-ready", server, kubeconfig: kubeconfigPath, managerUser: user, pods: "cluster" },
    update: async () => await cluster.update(),
    stop: async () => {
      if (target.cleansUp) await cluster.cleanUp();
    },
  };
}

async function confirm(
  question: string,
  {
    isConfirmed,
    terminal,
    canAsk,
  }: {
    readonly isConfirmed: boolean;
    readonly terminal: Invocation["terminal"];
    readonly canAsk: boolean;
  },
): Promise<void> {
  if (isConfirmed) return;
  if (!canAsk) {
    throw new InvalidFlagError("cannot install in a cluster without a confirmation", {
      hint: "pass --yes, or run the command at a terminal",
    });
  }
  const { createAsker } = await import("../../prompts/prompter.ts");
  if (!(await createAsker(terminal).yesNo(question, false))) throw new CancelledError();
}
