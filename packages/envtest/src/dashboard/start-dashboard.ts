import { type EmbeddedCluster, SERVER_VERSION } from "@kubescaffold/apiserver";
import { createClient, createRestClient } from "@kubescaffold/runtime";

import { followObjects } from "./cluster-objects.ts";
import { type Dashboard, type DashboardServing, serveDashboard } from "./dashboard.ts";
import { kindsOf } from "./kinds.ts";
import { ManagerFaults } from "./manager-faults.ts";
import { readDetail, readHistory } from "./object-reads.ts";
import { DASHBOARD_USER, ObjectWrites } from "./object-writes.ts";
import { permissionsOf } from "./permissions.ts";
import type { Capability, DashboardMessage } from "./protocol.ts";

/** Options of {@link startDashboard}. */
export interface DashboardOptions extends DashboardServing {
  /** The cluster; with its option `recordHistory`, the page shows the history of objects. */
  readonly cluster: EmbeddedCluster;
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
  /** Stops and continues the process of the manager, for a fault. */
  readonly pauseManager?: (isPaused: boolean) => void;
  /** Moves the clock of the server forward, for a fault. */
  readonly jumpClock?: (ms: number) => void;
}

const PERMISSIONS_INTERVAL_MS = 2000;

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
  const writes = new ObjectWrites(config, createClient(config, { restClient: rest }).restMapper);
  let faults: ManagerFaults | undefined;
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
        serverVersion: SERVER_VERSION.gitVersion,
        managerUser,
      }),
      follow: (publish) => {
        const unfollow = followObjects(server.context, publish);
        const stopPermissions = followPermissions(server, managerUser, publish);
        faults = new ManagerFaults({ ...options, faults: server.faults, user: managerUser }, publish);
        return () => {
          unfollow();
          stopPermissions();
        };
      },
      detail: async (address) => await readDetail(rest, address),
      ...(hasHistory ? { history: (uid, authorOf) => readHistory(cluster, uid, authorOf) } : {}),
      kinds: async () => await kindsOf(server.context, projectDirectory),
      apply: async (request) => await writes.apply(request),
      delete: async (request) => await writes.delete(request),
      setFault: (name, isOn) => faults?.set(name, isOn) === true,
      restart,
      managerEnded: () => faults?.managerEnded(),
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

function recordsHistory(cluster: EmbeddedCluster): boolean {
  try {
    cluster.history({});
    return true;
  } catch {
    return false;
  }
}

function followPermissions(
  server: EmbeddedCluster["server"],
  user: string,
  publish: (message: DashboardMessage) => void,
): () => void {
  const known = new Map<string, string>();
  const read = (): void => {
    for (const permission of permissionsOf(server, user)) {
      const { verb, group, resource, namespace } = permission;
      const key = `${verb} ${group} ${resource} ${namespace}`;
      const printed = JSON.stringify(permission);
      if (known.get(key) === printed) continue;
      known.set(key, printed);
      publish(permission);
    }
  };
  read();
  const timer = setInterval(read, PERMISSIONS_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
