import type { RestConfig } from "@kubescaffold/k8s";
import { type Clock, realClock } from "@kubescaffold/platform/clock";
import { createClient, createRestClient, getConfig, type RestClient, silentLogger } from "@kubescaffold/runtime";
import { userOf } from "@kubescaffold/runtime";
import { type OperatorManifests, readOperatorManifests } from "@kubescaffold/runtime/operator-project";

import type { Capability } from "../contract/protocol.ts";
import { kindsOf } from "../objects/kinds.ts";
import { readDetail, readHistory } from "../objects/object-reads.ts";
import { ObjectWrites } from "../objects/object-writes.ts";
import { type Dashboard, type DashboardServing, serveDashboard } from "../serving/dashboard.ts";
import { readConnectedKinds } from "./connected-kinds.ts";
import { ConnectedWatches } from "./connected-watches.ts";
import { ObservedPermissions } from "./observed-permissions.ts";
import { Problems } from "./problems.ts";
import type { ResourceName } from "./watch-targets.ts";
import { WatchedHistory } from "./watched-history.ts";

/** Options of {@link startConnectedDashboard}. */
export interface ConnectedDashboardOptions extends Pick<DashboardServing, "pageDirectory" | "port"> {
  /** The path of the kubeconfig of the manager. */
  readonly kubeconfig: string;
  /** The name of the project. */
  readonly project: string;
  /** The folder of the project, for the roles in `config`. */
  readonly projectDirectory: string;
  /** Returns the resources that the project defines, which may change between two starts of the manager. */
  readonly resources: () => Promise<readonly ResourceName[]>;
  /** The namespace of the operator. */
  readonly namespace: string;
  /** The namespaces whose objects are shown. Default: all. */
  readonly watchNamespaces?: readonly string[];
  /** Restarts the manager. */
  readonly restart?: () => Promise<void>;
  /** The clock of delays. Default: that of the machine. */
  readonly clock?: Clock;
}

/**
 * Serves the dashboard of a manager that runs on this machine against a cluster: objects, their history from now on, and Events from the API, and what the
 * manager reports of itself. The page writes objects as the user of the kubeconfig. Permissions are those of the project's roles.
 *
 * Fails: the errors of `getConfig`, `ConnectionError` and `StatusError` when the cluster cannot be reached or rejects the user, `DashboardListenError` when the port is in use,
 * `DashboardPageMissingError` when the page was not built. Objects that cannot be read later are a problem that the page shows.
 */
export async function startConnectedDashboard(options: ConnectedDashboardOptions): Promise<Dashboard> {
  const config = await getConfig({ kubeconfig: options.kubeconfig });
  const rest = createRestClient(config, { log: silentLogger });
  try {
    return await serve(options, { config, rest });
  } catch (error) {
    await rest.close();
    throw error;
  }
}

interface Connection {
  readonly config: RestConfig;
  readonly rest: RestClient;
}

async function serve(options: ConnectedDashboardOptions, { config, rest }: Connection): Promise<Dashboard> {
  const { project, projectDirectory, restart, clock = realClock } = options;
  const user = await userOf(rest);
  const { gitVersion } = await rest.request<{ readonly gitVersion: string }>({ method: "GET", path: "/version" });
  const readManifests = async (): Promise<OperatorManifests> =>
    await readOperatorManifests(projectDirectory, options.namespace);
  const client = createClient(config, { restClient: rest });
  const writes = new ObjectWrites(config, client.restMapper);
  const history = new WatchedHistory(clock);
  const ending = new AbortController();
  let watches: ConnectedWatches | undefined;
  let permissions: ObservedPermissions | undefined;
  const dashboard = await serveDashboard(
    {
      hello: () => ({
        type: "hello",
        project,
        mode: "connected",
        capabilities: [...CAPABILITIES, ...(restart === undefined ? [] : (["restart"] as const))],
        server: config.server,
        serverVersion: gitVersion,
        managerUser: user,
      }),
      follow: (publish) => {
        permissions = new ObservedPermissions({ readManifests, publish });
        watches = new ConnectedWatches(
          { options, client, clock, history, user, readManifests, problems: new Problems(publish) },
          { publish, signal: ending.signal },
        );
        watches.update();
        return () => {
          permissions?.stop();
          ending.abort();
        };
      },
      detail: async (address) => await readDetail(rest, address),
      history: (uid, authorOf) => readHistory(history, uid, authorOf),
      kinds: async () =>
        await kindsOf(await readConnectedKinds({ client, rest }, await options.resources()), projectDirectory),
      apply: async (request) => await writes.apply(request),
      delete: async (request) => await writes.delete(request),
      restart,
      managerStarted: () => {
        permissions?.managerStarted();
        watches?.update();
      },
      observe: (observation) => permissions?.observe(observation),
    },
    options,
  );
  return {
    ...dashboard,
    close: async () => {
      await dashboard.close();
      await watches?.ended();
      await rest.close();
    },
  };
}

const CAPABILITIES: readonly Capability[] = ["write", "history", "reconciles", "webhooks", "permissions", "logs"];
