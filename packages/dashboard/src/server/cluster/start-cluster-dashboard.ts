import type { RestConfig } from "@kubescaffold/k8s";
import { type Clock, realClock } from "@kubescaffold/platform/clock";
import { createRestClient, getConfig, type RestClient, silentLogger } from "@kubescaffold/runtime";
import { userOf } from "@kubescaffold/runtime";
import { readOperatorManifests } from "@kubescaffold/runtime/operator-project";

import type { LogLine } from "../contract/protocol.ts";
import { readDetail, readHistory } from "../objects/object-reads.ts";
import { type Dashboard, type DashboardServing, serveDashboard } from "../serving/dashboard.ts";
import { followManager } from "./follow-manager.ts";
import { type ResourceName, watchedResources } from "./watch-targets.ts";
import { WatchedHistory } from "./watched-history.ts";

/** Options of {@link startClusterDashboard}. */
export interface ClusterDashboardOptions extends Pick<DashboardServing, "pageDirectory" | "port"> {
  /** The name of the project. */
  readonly project: string;
  /** The folder of the project, for the names and roles in `config`. */
  readonly projectDirectory: string;
  /** The resources that the project defines. */
  readonly resources: readonly ResourceName[];
  /** The connection to the cluster. Default: that of `kubeconfig` and `context`. */
  readonly config?: RestConfig;
  /** The path of the kubeconfig. Default: `KUBECONFIG`, or `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig. Default: the current context. */
  readonly context?: string;
  /** The namespace of the manager. Default: that of `config/default`. */
  readonly namespace?: string;
  /** The labels of the manager's Pods. Default: those of `config/manager`. */
  readonly selector?: string;
  /** The namespaces whose objects are shown. Default: all. */
  readonly watchNamespaces?: readonly string[];
  /** Whose token reads the metrics: that of the manager's service account, which is requested, or that of the kubeconfig, which the Pod receives. Default: `manager`. */
  readonly metricsToken?: "manager" | "kubeconfig";
  /** The time between two reads of the metrics. Default: 5000. */
  readonly metricsIntervalMs?: number;
  /** Reads a line of the manager's log; undefined if it is not structured. Default: none is. */
  readonly readLogLine?: (text: string) => LogLine | undefined;
  /** The clock of intervals and delays. Default: that of the machine. */
  readonly clock?: Clock;
}

/** A dashboard of a cluster. */
export interface ClusterDashboard extends Pick<Dashboard, "address" | "newAddress" | "close"> {
  /** The URL of the API server. */
  readonly server: string;
  /** The namespace of the manager. */
  readonly namespace: string;
}

const METRICS_INTERVAL_MS = 5000;

/**
 * Serves the dashboard of a manager that runs in a cluster, on the loopback address: what the API, Events, logs, and metrics say of it. It changes nothing.
 *
 * Fails: the errors of `getConfig`, `ConnectionError` and `StatusError` when the cluster cannot be reached or rejects the user, `DashboardListenError` when the
 * port is in use, `DashboardPageMissingError` when the page was not built. What cannot be read later is a problem that the page shows.
 */
export async function startClusterDashboard(options: ClusterDashboardOptions): Promise<ClusterDashboard> {
  const config = options.config ?? (await getConfig(kubeconfigOf(options)));
  const rest = createRestClient(config, { log: silentLogger });
  try {
    return await serve(options, { config, rest });
  } catch (error) {
    await rest.close();
    throw error;
  }
}

async function serve(
  options: ClusterDashboardOptions,
  { config, rest }: { readonly config: RestConfig; readonly rest: RestClient },
): Promise<ClusterDashboard> {
  const { project, clock = realClock } = options;
  const user = await userOf(rest);
  const { gitVersion } = await rest.request<{ readonly gitVersion: string }>({ method: "GET", path: "/version" });
  const { namespace, namePrefix, rbac, serviceAccountName } = await operatorOf(options);
  const history = new WatchedHistory(clock);
  let stop = async (): Promise<void> => Promise.resolve();
  const dashboard = await serveDashboard(
    {
      hello: () => ({
        type: "hello",
        project,
        mode: "cluster",
        capabilities: ["metrics", "history", "permissions", "logs"],
        server: config.server,
        serverVersion: gitVersion,
        managerUser: `system:serviceaccount:${namespace}:${serviceAccountName}`,
      }),
      follow: (publish) => {
        stop = followManager(
          {
            config,
            rest,
            scope: {
              namespace,
              selector: options.selector ?? `control-plane=controller-manager,app.kubernetes.io/name=${project}`,
              resources: options.resources,
              watched: watchedResources(rbac),
              namespaces: options.watchNamespaces ?? [],
            },
            user,
            namePrefix,
            metricsToken: options.metricsToken ?? "manager",
            metricsIntervalMs: options.metricsIntervalMs ?? METRICS_INTERVAL_MS,
            readLogLine: options.readLogLine ?? (() => undefined),
            clock,
            log: silentLogger,
            history,
          },
          publish,
        );
        return () => undefined;
      },
      detail: async (address) => await readDetail(rest, address),
      history: (uid) => readHistory(history, uid, () => undefined),
      kinds: () => Promise.resolve([]),
    },
    options,
  );
  return {
    address: dashboard.address,
    newAddress: () => dashboard.newAddress(),
    server: config.server,
    namespace,
    close: async () => {
      await dashboard.close();
      await stop();
      await rest.close();
    },
  };
}

function kubeconfigOf({ kubeconfig, context }: ClusterDashboardOptions): Parameters<typeof getConfig>[0] {
  return {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}

// A project that was deployed from elsewhere may lack its manifests.
async function operatorOf({
  project,
  projectDirectory,
  namespace,
}: ClusterDashboardOptions): ReturnType<typeof readOperatorManifests> {
  try {
    return await readOperatorManifests(projectDirectory, namespace);
  } catch {
    const namePrefix = `${project}-`;
    return {
      namespace: namespace ?? `${namePrefix}system`,
      namePrefix,
      serviceAccountName: `${namePrefix}controller-manager`,
      rbac: [],
      rbacFiles: [],
    };
  }
}
