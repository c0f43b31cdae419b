import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig, Transport } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { ConfigMap, Node, Secret } from "@kubescaffold/k8s/core/v1";
import { ClusterRole, ClusterRoleBinding, type PolicyRule, Role, RoleBinding } from "@kubescaffold/k8s/rbac/v1";
import {
  createClient,
  createManager,
  createRestClient,
  type LiveClient,
  type Manager,
  metrics,
  newControllerManagedBy,
  type Observation,
  patch,
  silentLogger,
} from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { permissionsOf } from "../../../src/server/objects/permissions.ts";

const MANAGER = "system:serviceaccount:default:manager";
const GROUPS = ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"];
const NAMESPACE = "default";

interface Run {
  readonly manager: Manager;
  /** A client without a cache. */
  readonly live: LiveClient;
}

/** What an operator may do in a reconcile. */
const BEHAVIORS: Readonly<Record<string, (run: Run) => Promise<unknown>>> = {
  "reads a Secret from the cache": async ({ manager }) =>
    await manager.getClient().get(Secret, { namespace: NAMESPACE, name: "there" }),
  "lists Nodes from the cache": async ({ manager }) => await manager.getClient().list(Node),
  "reads a Secret live": async ({ live }) => await live.get(Secret, { namespace: NAMESPACE, name: "there" }),
  "lists Deployments live": async ({ live }) => await live.list(Deployment, { namespace: NAMESPACE }),
  "watches Deployments": async ({ live }) => {
    for await (const _event of live.watch(Deployment, { namespace: NAMESPACE })) break;
  },
  "creates a ConfigMap": async ({ live }) => await live.create(configMap("made")),
  "updates a ConfigMap": async ({ live }) => await live.update(configMap("there")),
  "patches a ConfigMap": async ({ live }) => {
    const base = configMap("there");
    return await live.patch({ ...base, data: { patched: "1" } }, patch.mergeFrom(base));
  },
  "applies a ConfigMap that exists": async ({ live }) =>
    await live.apply(configMap("there"), { fieldOwner: "operator", forceOwnership: true }),
  "applies a ConfigMap that does not exist": async ({ live }) =>
    await live.apply(configMap("applied"), { fieldOwner: "operator" }),
  "updates a Lease that does not exist": async ({ live }) =>
    await live.update(Lease.create({ metadata: { namespace: NAMESPACE, name: "put" }, spec: {} })),
  "deletes a Secret": async ({ live }) =>
    await live.delete(Secret.create({ metadata: { namespace: NAMESPACE, name: "there" } })),
  "deletes a collection": async ({ live }) =>
    await live.deleteAllOf(Secret, { namespace: NAMESPACE, labelSelector: "none=such" }),
};

// A real server, and so the rules that a role grants, are not visible to what observes a manager.
const ONLY_FOR_SERVERS: typeof BEHAVIORS = {
  "grants a Role": async ({ live }) =>
    await live.create(
      Role.create({
        metadata: { namespace: NAMESPACE, name: "granted" },
        rules: [{ apiGroups: ["batch"], resources: ["jobs", "jobs/status"], verbs: ["get", "patch"] }],
      }),
    ),
};

function configMap(name: string): ConfigMap {
  return ConfigMap.create({ metadata: { namespace: NAMESPACE, name } });
}

interface Outcome {
  readonly error: unknown;
  readonly denied: readonly string[];
  /** What the server recorded, and what an observer did. */
  readonly byServer: readonly Used[];
  readonly byObserver: readonly Used[];
}

interface Used {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
}

interface Operator {
  readonly behaviors: readonly ((run: Run) => Promise<unknown>)[];
  readonly isNamespaced: boolean;
}

/** Runs an operator until its first reconcile has ended; it has the given permissions only. */
async function run(
  { behaviors, isNamespaced }: Operator,
  { permissions, hasWatchList }: { readonly permissions: readonly Used[]; readonly hasWatchList: boolean },
): Promise<Outcome> {
  const cluster = createEmbeddedCluster();
  try {
    await seed(cluster, permissions);
    const user = cluster.addUser({ name: MANAGER, groups: GROUPS });
    const config = hasWatchList ? user : withoutWatchList(user);
    const observations: Observation[] = [];
    const stop = new AbortController();
    let error: unknown = "no reconcile has ended";
    const manager = await createManager(config, {
      logger: silentLogger,
      metrics: { bindAddress: "0", registry: metrics.createMetricsRegistry() },
      healthProbeBindAddress: "0",
      observer: { observe: (each) => void observations.push(each) },
      controller: { skipNameValidation: true, cacheSyncTimeoutMs: 1000 },
      cache: isNamespaced ? { defaultNamespaces: { [NAMESPACE]: {} } } : {},
    });
    const live = createClient(config, {
      restClient: createRestClient(config, { observer: { observe: (each) => void observations.push(each) } }),
    });
    await newControllerManagedBy(manager)
      .for(ConfigMap)
      .complete(async () => {
        if (stop.signal.aborted) return;
        error = undefined;
        try {
          for (const behavior of behaviors) await behavior({ manager, live });
        } catch (thrown) {
          error = thrown;
        }
        stop.abort();
      });
    await manager.start(stop.signal).catch((thrown: unknown) => (error ??= thrown));
    return { error, ...recordsOf(cluster, observations) };
  } finally {
    await cluster.close();
  }
}

function recordsOf(cluster: EmbeddedCluster, observations: readonly Observation[]): Omit<Outcome, "error"> {
  const { server } = cluster;
  const uses = permissionsOf(server.context.objects, { user: MANAGER, requests: server.audit.entries(MANAGER) });
  return {
    denied: uses.filter(({ state }) => state === "denied").map(({ verb, resource }) => `${verb} ${resource}`),
    byServer: uses.filter(({ state }) => state === "used" || state === "missing"),
    byObserver: observations.flatMap((each) =>
      each.kind !== "request" || each.deniedVerb !== undefined
        ? []
        : each.usedVerbs.map((verb) => ({
            verb,
            group: each.group,
            resource: each.subresource === "" ? each.resource : `${each.resource}/${each.subresource}`,
            namespace: each.namespace,
          })),
    ),
  };
}

async function seed(cluster: EmbeddedCluster, permissions: readonly Used[]): Promise<void> {
  const admin = createClient(cluster.config);
  const subjects = [{ kind: "ServiceAccount", namespace: NAMESPACE, name: "manager" }];
  const roleRef = (kind: string): { apiGroup: string; kind: string; name: string } => ({
    apiGroup: "rbac.authorization.k8s.io",
    kind,
    name: "manager",
  });
  const rulesIn = (namespace: string): PolicyRule[] =>
    permissions
      .filter((each) => each.namespace === namespace)
      .map(({ verb, group, resource }) => ({ apiGroups: [group], resources: [resource], verbs: [verb] }));
  const metadata = { name: "manager" };
  const inNamespace = { ...metadata, namespace: NAMESPACE };
  for (const object of [
    ClusterRole.create({ metadata, rules: rulesIn("") }),
    ClusterRoleBinding.create({ metadata, roleRef: roleRef("ClusterRole"), subjects }),
    Role.create({ metadata: inNamespace, rules: rulesIn(NAMESPACE) }),
    RoleBinding.create({ metadata: inNamespace, roleRef: roleRef("Role"), subjects }),
    configMap("there"),
    Secret.create({ metadata: { namespace: NAMESPACE, name: "there" } }),
    Deployment.create({
      metadata: { namespace: NAMESPACE, name: "there" },
      spec: {
        selector: { matchLabels: { app: "there" } },
        template: {
          metadata: { labels: { app: "there" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
      },
    }),
  ]) {
    await admin.create(object);
  }
}

// As API servers whose feature gate WatchList is off.
function withoutWatchList(config: RestConfig): RestConfig {
  const { transport } = config;
  if (transport === undefined) throw new TypeError("the config has no transport");
  const message =
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: "Invalid",
    code: 422,
  };
  const refusing: Transport = async (request) =>
    new URL(request.url).searchParams.has("sendInitialEvents")
      ? Response.json(status, { status: 422 })
      : await transport(request);
  return { ...config, transport: refusing };
}

const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
const RESOURCES = [
  ["", "configmaps"],
  ["", "nodes"],
  ["", "secrets"],
  ["apps", "deployments"],
  ["batch", "jobs"],
  ["batch", "jobs/status"],
  ["coordination.k8s.io", "leases"],
  ["rbac.authorization.k8s.io", "roles"],
] as const;

const EVERYTHING: readonly Used[] = RESOURCES.flatMap(([group, resource]) =>
  VERBS.map((verb) => ({ verb, group, resource, namespace: "" })),
);

// A seeded generator: the same operators in each run.
function randomOperators(count: number): readonly (readonly [string, Operator])[] {
  let state = 20_251_128;
  const isChosen = (): boolean => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 31 === 1;
  };
  return Array.from({ length: count }, () => {
    const chosen = Object.entries(BEHAVIORS).filter(isChosen);
    const isNamespaced = isChosen();
    const name = [isNamespaced ? "in one namespace" : "in all namespaces", ...chosen.map(([each]) => each)].join(", ");
    return [name, { isNamespaced, behaviors: chosen.map(([, behavior]) => behavior) }] as const;
  });
}

const SINGLE: readonly (readonly [string, Operator])[] = Object.entries(BEHAVIORS).map(([name, behavior]) => [
  name,
  { isNamespaced: false, behaviors: [behavior] },
]);

describe("an operator with exactly the permissions that were recorded as used", () => {
  it.each([...SINGLE, ...randomOperators(8)])("reconciles, with and without WatchList: %s", async (_name, operator) => {
    for (const recordedWithWatchList of [true, false]) {
      const first = await run(operator, { permissions: EVERYTHING, hasWatchList: recordedWithWatchList });
      expect(first.error).toBeUndefined();
      for (const permissions of [first.byServer, first.byObserver]) {
        for (const hasWatchList of [true, false]) {
          expect(await run(operator, { permissions, hasWatchList })).toMatchObject({ error: undefined, denied: [] });
        }
      }
    }
  });

  it.each(Object.entries(ONLY_FOR_SERVERS))("reconciles by the record of the server: %s", async (_name, behavior) => {
    const operator = { isNamespaced: false, behaviors: [behavior] };
    const { byServer, error } = await run(operator, { permissions: EVERYTHING, hasWatchList: true });
    expect(error).toBeUndefined();
    for (const hasWatchList of [true, false]) {
      const again = await run(operator, { permissions: byServer, hasWatchList });
      expect(again).toMatchObject({ error: undefined, denied: [] });
    }
  });

  it("does not start without one of them", async () => {
    const operator = { isNamespaced: false, behaviors: [] };
    const { byServer } = await run(operator, { permissions: EVERYTHING, hasWatchList: true });
    expect(byServer.map(({ verb, resource }) => `${verb} ${resource}`).toSorted()).toEqual([
      "list configmaps",
      "watch configmaps",
    ]);
    const watching = byServer.filter(({ verb }) => verb === "watch");
    expect((await run(operator, { permissions: watching, hasWatchList: false })).error).toBeDefined();
  });
});
