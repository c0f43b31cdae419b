import { ConfigMap, Event, Pod } from "@kubescaffold/k8s/core/v1";
import { RoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  type ClusterDashboard,
  type ClusterDashboardOptions,
  startClusterDashboard,
} from "../../../src/server/cluster/start-cluster-dashboard.ts";
import type {
  ControllerSample,
  DashboardMessage,
  LogLine,
  ObjectChange,
  ObjectHistory,
  PermissionUse,
  ReplicaList,
  SourceProblems,
} from "../../../src/server/contract/protocol.ts";
import { type OpenPage, openPage, writePage } from "../support/served-page.ts";
import { MANAGER_USER, NAMESPACE, type OperatorCluster, PROJECT, startOperatorCluster } from "./running-operator.ts";

// Against a test that hangs, on a busy machine as well.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let operator: OperatorCluster;
const dashboards: ClusterDashboard[] = [];

beforeEach(async () => {
  operator = await startOperatorCluster();
});

afterEach(async () => {
  await Promise.all(dashboards.splice(0).map(async (each) => await each.close()));
  await operator.close();
});

async function start(options: Partial<ClusterDashboardOptions> = {}): Promise<OpenPage> {
  const dashboard = await startClusterDashboard({
    project: "guestbook",
    projectDirectory: PROJECT,
    resources: [{ group: "webapp.demo", resource: "guestbooks" }],
    config: operator.config,
    metricsIntervalMs: 50,
    readLogLine,
    pageDirectory: await writePage(),
    ...options,
  });
  dashboards.push(dashboard);
  return await openPage(dashboard.address);
}

function readLogLine(text: string): LogLine {
  const { level, msg, error, controller } = JSON.parse(text) as Readonly<Record<string, string>>;
  return {
    type: "log",
    at: 1,
    level: level === "error" ? "error" : "info",
    logger: "",
    message: msg ?? "",
    ...(error === undefined ? {} : { error }),
    ...(controller === undefined ? {} : { controller }),
  };
}

const isObject =
  (kind: string, name: string) =>
  (message: DashboardMessage): message is ObjectChange =>
    message.type === "object" && message.object.kind === kind && message.object.name === name;

const isController =
  (test: (sample: ControllerSample) => boolean) =>
  (message: DashboardMessage): message is ControllerSample =>
    message.type === "controller" && test(message);

const isReplicas =
  (test: (list: ReplicaList) => boolean) =>
  (message: DashboardMessage): message is ReplicaList =>
    message.type === "replicas" && test(message);

const hasProblem =
  (source: string, text = "") =>
  (message: DashboardMessage): message is SourceProblems =>
    message.type === "problems" &&
    message.problems.some((each) => each.source === source && each.message.includes(text));

const isPermission =
  (state: PermissionUse["state"], resource: string) =>
  (message: DashboardMessage): message is PermissionUse =>
    message.type === "permission" && message.state === state && message.resource === resource;

describe("the dashboard of a manager in a cluster", () => {
  it("shows replicas, controllers, objects with what they own, logs, and permissions, and changes nothing", async () => {
    await operator.allowMetrics();
    await operator.deploy(2);
    await operator.client.create(ConfigMap.create({ metadata: { namespace: "default", name: "of-somebody-else" } }));
    await operator.createGuestbook("before");
    const page = await start();
    const stream = page.stream();

    const { replicas } = await stream.until(
      isReplicas(
        (list) => list.replicas.length === 2 && list.replicas.filter(({ isLeader }) => isLeader === true).length === 1,
      ),
    );
    expect(replicas[0]).toMatchObject({ isLeader: true, hasMetrics: true, isReady: true, image: "controller:latest" });
    expect(stream.messages[0]).toMatchObject({
      type: "hello",
      mode: "cluster",
      capabilities: ["metrics", "history", "permissions", "logs"],
      managerUser: MANAGER_USER,
    });
    await stream.until(isObject("Guestbook", "before"));
    await stream.until(isObject("Service", "before-web"));
    await operator.createGuestbook("after");
    const sample = await stream.until(isController(({ reconciles }) => reconciles >= 2));
    expect(sample).toMatchObject({ controller: "guestbook", maxWorkers: 1, errors: 0, outcomes: { error: 0 } });
    expect(sample.outcomes?.success).toBe(sample.reconciles);
    expect(sample.p99Ms).toBeGreaterThan(0);
    const owned = await stream.until(isObject("Service", "after-web"));
    expect(owned.object.owners).toMatchObject([{ kind: "Guestbook", name: "after", isController: true }]);
    const line = await stream.until(
      (message): message is LogLine => message.type === "log" && message.message === "starting workers",
    );
    expect(line.pod).toBe(replicas[0]?.pod);
    await stream.until(isPermission("granted", "guestbooks"));
    await stream.until(isObject("Pod", replicas[1]?.pod ?? ""));
    await stream.until(isObject("Lease", "5727742e.demo"));

    const ofSomebodyElse = stream.messages.filter(isObject("ConfigMap", "of-somebody-else"));
    expect(ofSomebodyElse).toEqual([]);
    const detail = await page.get("/api/object?apiVersion=v1&resource=services&namespace=default&name=after-web");
    expect(detail.status).toBe(200);
    expect(JSON.parse(detail.body)).toMatchObject({ yaml: expect.stringContaining("name: after-web") as string });
    const history = await page.get(`/api/history?uid=${owned.object.uid}`);
    expect((JSON.parse(history.body) as ObjectHistory).versions[0]).toMatchObject({ verb: "create", user: "" });
    stream.close();
  });

  it("answers none of the requests that change something", async () => {
    const page = await start();
    const requests = [
      ["apply", { text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n", isDryRun: true }],
      ["delete", { apiVersion: "v1", resource: "configmaps", namespace: "default", name: "a" }],
      ["faults", { name: "latency", isOn: true }],
      ["manager", { action: "restart" }],
    ] as const;
    for (const [route, body] of requests) expect(await page.post(`/api/${route}`, body)).toMatchObject({ status: 404 });
    const none = JSON.stringify({ versions: [], isTruncated: false });
    expect(await page.get("/api/history?uid=a")).toMatchObject({ status: 200, body: none });
    expect(await page.get("/api/kinds")).toMatchObject({ status: 200, body: "[]" });
  });

  it("names the binding that metrics need, and reads them once it is there", async () => {
    await operator.deploy(1);
    const stream = (await start()).stream();
    const { problems } = await stream.until(hasProblem("metrics", "may not read the metrics"));
    expect(problems.find(({ source }) => source === "metrics")).toEqual({
      source: "metrics",
      message: `${MANAGER_USER} may not read the metrics of the manager`,
      hint: "let an administrator bind the role guestbook-metrics-reader; it takes effect within 30 seconds:",
      commands: [
        "kubectl create clusterrolebinding guestbook-dashboard-metrics-reader --clusterrole=guestbook-metrics-reader --serviceaccount=guestbook-system:guestbook-controller-manager",
      ],
    });
    await operator.allowMetrics();
    // A new process of the manager has cached no refusal.
    await deletePods();
    await stream.until(isReplicas(({ replicas }) => replicas.some(({ hasMetrics }) => hasMetrics)));
    stream.close();
  });

  it("reads metrics with the token of the kubeconfig, and objects of some namespaces, if asked to", async () => {
    await operator.deploy(1);
    await operator.createGuestbook("party");
    const options = { selector: "control-plane=controller-manager", namespace: NAMESPACE } as const;
    const stream = (await start({ ...options, metricsToken: "kubeconfig", watchNamespaces: ["default"] })).stream();
    await stream.until(isController(({ reconciles }) => reconciles > 0));
    await stream.until(isObject("Service", "party-web"));
    const elsewhere = (await start({ ...options, watchNamespaces: [NAMESPACE] })).stream();
    await elsewhere.until(isReplicas(({ replicas }) => replicas.length === 1));
    await elsewhere.until(isPermission("granted", "guestbooks"));
    expect(elsewhere.messages.filter(isObject("Guestbook", "party"))).toEqual([]);
    stream.close();
    elsewhere.close();
  });

  it("says that the manager serves no metrics", async () => {
    await operator.deploy(1, ["--leader-elect"]);
    const stream = (await start()).stream();
    const { problems } = await stream.until(hasProblem("metrics"));
    expect(problems).toMatchObject([
      { message: "the manager serves no metrics: its flag --metrics-bind-address is 0 or missing" },
    ]);
    // The rest works.
    await stream.until((message): message is LogLine => message.type === "log");
    stream.close();
  });

  it("says that there is no Pod, and shows the manager once there is one, and its successor", async () => {
    await operator.allowMetrics();
    const stream = (await start()).stream();
    const { problems } = await stream.until(hasProblem("manager"));
    expect(problems[0]?.message).toBe(
      `no Pod of the manager in the namespace ${NAMESPACE} (labels control-plane=controller-manager,app.kubernetes.io/name=guestbook)`,
    );
    await operator.deploy(1);
    const { replicas } = await stream.until(
      isReplicas((list) => list.replicas.some(({ isLeader }) => isLeader === true)),
    );
    expect(lastProblems(stream.messages)).toEqual([]);
    const [first] = replicas;
    await deletePods();
    const later = await stream.until(
      isReplicas(
        (list) =>
          list.replicas.every(({ pod }) => pod !== first?.pod) &&
          list.replicas.some(({ isLeader, hasMetrics }) => isLeader === true && hasMetrics),
      ),
    );
    expect(later.replicas).toHaveLength(1);
    stream.close();
  });

  it("says what was denied, as far as the log names it, with the marker to add", async () => {
    await operator.deploy(1);
    const stream = (await start()).stream();
    await operator.createGuestbook("denied");
    const denied = await stream.until(isPermission("denied", "secrets"));
    expect(denied).toMatchObject({
      verb: "list",
      group: "",
      marker: '+kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch',
    });
    stream.close();
  });

  it("says what a user may not read, with the commands that grant it, and shows the rest", async () => {
    await operator.deploy(1);
    const config = operator.cluster.addUser({ name: "jane", groups: ["system:authenticated"] }, operator.config);
    await operator.client.create(
      RoleBinding.create({
        metadata: { namespace: NAMESPACE, name: "jane" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "jane" }],
      }),
    );
    const stream = (await start({ config })).stream();
    const { problems: objects } = await stream.until(hasProblem("objects", "guestbooks.webapp.demo is forbidden"));
    expect(objects.find(({ message }) => message.includes("guestbooks"))).toMatchObject({
      commands: [
        "kubectl create clusterrole dashboard-guestbooks --verb=get,list,watch --resource=guestbooks.webapp.demo",
        "kubectl create clusterrolebinding dashboard-guestbooks --clusterrole=dashboard-guestbooks --user=jane",
      ],
    });
    const { problems: metrics } = await stream.until(hasProblem("metrics", "cannot request a token"));
    expect(metrics.find(({ source }) => source === "metrics")?.commands).toEqual([
      `kubectl -n ${NAMESPACE} create role dashboard-token --verb=create --resource=serviceaccounts/token`,
      `kubectl -n ${NAMESPACE} create rolebinding dashboard-token --role=dashboard-token --user=jane`,
    ]);
    await stream.until(hasProblem("permissions"));
    await stream.until((message): message is LogLine => message.type === "log");
    await stream.until(isReplicas(({ replicas }) => replicas.length === 1));
    stream.close();
  });

  it("shows Events about shown objects, and no others", async () => {
    await operator.createGuestbook("party");
    const stream = (await start()).stream();
    const { object } = await stream.until(isObject("Guestbook", "party"));
    const event = (name: string, uid: string): Event =>
      Event.create({
        metadata: { namespace: "default", name },
        involvedObject: { kind: "Guestbook", namespace: "default", name, uid },
        reason: "Tested",
        message: name,
        type: "Normal",
      });
    await operator.client.create(event("other", "0"));
    await operator.client.create(event("party", object.uid));
    const shown = await stream.until(
      (message): message is Extract<DashboardMessage, { type: "event" }> =>
        message.type === "event" && message.reason === "Tested",
    );
    expect(shown.message).toBe("party");
    stream.close();
  });

  it("fails at the start if the server rejects the user or cannot be reached", async () => {
    const rejected = { ...operator.config, credentials: { kind: "token", token: "wrong" } } as const;
    await expect(start({ config: rejected })).rejects.toMatchObject({ code: "CLIENT_STATUS" });
    const { server: _, ...rest } = operator.config;
    await expect(start({ config: { ...rest, server: "https://127.0.0.1:1" } })).rejects.toMatchObject({
      code: "CLIENT_UNREACHABLE",
    });
  });
});

async function deletePods(): Promise<void> {
  const { items } = await operator.client.list(Pod, { namespace: NAMESPACE });
  for (const pod of items) await operator.client.delete(pod);
}

function lastProblems(messages: readonly DashboardMessage[]): SourceProblems["problems"] {
  const isProblems = (message: DashboardMessage): message is SourceProblems => message.type === "problems";
  return messages.findLast(isProblems)?.problems ?? [];
}
