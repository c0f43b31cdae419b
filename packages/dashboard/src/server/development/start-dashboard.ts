import { createClient, createRestClient } from "@kubescaffold/runtime";
import { type OperatorManifests, readOperatorManifests } from "@kubescaffold/runtime/operator-project";

import type { Capability } from "../contract/protocol.ts";
import { kindsOf } from "../objects/kinds.ts";
import { readDetail, readHistory } from "../objects/object-reads.ts";
import { DASHBOARD_USER, ObjectWrites } from "../objects/object-writes.ts";
import { type Dashboard, type DashboardServing, serveDashboard } from "../serving/dashboard.ts";
import { kindsOfCluster } from "./cluster-kinds.ts";
import { followObjects } from "./cluster-objects.ts";
import type { DevelopmentCluster } from "./development-cluster.ts";
import { ManagerFaults } from "./manager-faults.ts";
import { PermissionFeed } from "./permission-feed.ts";

/** Options of {@link startDashboard}. */
export interface DashboardOptions extends DashboardServing {
  /** The cluster; with its option `recordHistory`, the page shows the history of objects. */
  readonly cluster: DevelopmentCluster;
  /** The name of the project. */
  readonly project: string;
  /** The folder of the project, for its kinds and samples. Default: none. */
  readonly projectDirectory?: string;
  /** The URL of the API server, as users know it. */
  readonly server: string;
  /** The user name of the manager. */
  readonly managerUser: string;
  /** What the page can do beside reading and writing objects. Default: `permissions` and `faults`. */
  readonly capabilities?: readonly Capability[];
  /** Restarts the manager, for the capability `restart`. */
  readonly restart?: () => Promise<void>;
  /** The faults that the page offers, and that others may inject, too. Default: those of the requests of the manager. */
  readonly faults?: ManagerFaults;
}

/**
 * Serves the dashboard of an embedded cluster on the loopback address.
 *
 * Fails: `DashboardListenError` when the port is in use, `DashboardPageMissingError` when the page was not built.
 */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { cluster, managerUser, projectDirectory, restart } = options;
  const { server } = cluster;
  const config = cluster.addUser({ name: DASHBOARD_USER, groups: ["system:masters"] });
  const rest = createRestClient(config);
  const { gitVersion } = await rest.request<{ readonly gitVersion: string }>({ method: "GET", path: "/version" });
  const writes = new ObjectWrites(config, createClient(config, { restClient: rest }).restMapper);
  const faults = options.faults ?? new ManagerFaults({ faults: server.faults, user: managerUser });
  let permissions: PermissionFeed | undefined;
  const hasHistory = recordsHistory(cluster);
  const capabilities: readonly Capability[] = [
    "write",
    ...(hasHistory ? (["history"] as const) : []),
    ...(restart === undefined ? [] : (["restart"] as const)),
    ...(options.capabilities ?? ["permissions", "faults"]),
  ];
  const dashboard = await serveDashboard(
    {
      hello: () => ({
        type: "hello",
        project: options.project,
        mode: "dev",
        capabilities,
        server: options.server,
        serverVersion: gitVersion,
        managerUser,
      }),
      follow: (publish) => {
        const unfollow = followObjects(server.context, publish);
        permissions = new PermissionFeed({ server, user: managerUser, publish, readManifests: manifestsOf(options) });
        for (const state of faults.states()) publish(state);
        const stopFaults = faults.observe(publish);
        return () => {
          unfollow();
          permissions?.stop();
          stopFaults();
        };
      },
      detail: async (address) => await readDetail(rest, address),
      ...(hasHistory ? { history: (uid, authorOf) => readHistory(cluster, uid, authorOf) } : {}),
      kinds: async () => await kindsOf(kindsOfCluster(server.context), projectDirectory),
      apply: async (request) => await writes.apply(request),
      delete: async (request) => await writes.delete(request),
      setFault: (name, isOn) => faults.set(name, isOn),
      restart,
      managerStarted: () => permissions?.managerStarted(),
      managerEnded: () => faults.managerEnded(),
    },
    options,
  );
  return {
    ...dashboard,
    close: async () => {
      await dashboard.close();
      await rest.close();
    },
  };
}

// The namespace of the operator is that of its service account.
function manifestsOf({
  projectDirectory,
  managerUser,
}: DashboardOptions): (() => Promise<OperatorManifests>) | undefined {
  const [, , namespace] = managerUser.split(":");
  return projectDirectory === undefined
    ? undefined
    : async () => await readOperatorManifests(projectDirectory, namespace);
}

function recordsHistory(cluster: DevelopmentCluster): boolean {
  try {
    cluster.history({});
    return true;
  } catch {
    return false;
  }
}
