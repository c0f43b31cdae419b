import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Secret, ServiceAccount } from "@kubescaffold/k8s/core/v1";
import { Role, RoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type {
  DashboardMessage,
  FaultState,
  ObjectChange,
  ObjectDetail,
  ObjectHistory,
  PermissionRemoved,
  PermissionUse,
  WriteResult,
} from "../../../src/server/contract/protocol.ts";
import { JumpingClock } from "../../../src/server/development/jumping-clock.ts";
import { ManagerFaults } from "../../../src/server/development/manager-faults.ts";
import { type DashboardOptions, startDashboard } from "../../../src/server/development/start-dashboard.ts";
import type { Dashboard } from "../../../src/server/serving/dashboard.ts";
import { type OpenPage, openPage, writePage } from "../support/served-page.ts";

const MANAGER = "system:serviceaccount:default:manager";

let cluster: EmbeddedCluster;
let client: LiveClient;
let manager: RestConfig;
let clock: JumpingClock;
const dashboards: Dashboard[] = [];

beforeEach(() => {
  clock = new JumpingClock();
  cluster = createEmbeddedCluster({ recordHistory: true, clock });
  client = createClient(cluster.config);
  manager = cluster.addUser({ name: MANAGER, groups: ["system:serviceaccounts", "system:authenticated"] });
});

afterEach(async () => {
  await Promise.all(dashboards.splice(0).map(async (dashboard) => await dashboard.close()));
  await cluster.close();
});

async function start(options: Partial<DashboardOptions> = {}): Promise<{ dashboard: Dashboard; page: OpenPage }> {
  const dashboard = await startDashboard({
    cluster,
    project: "guestbook",
    server: "https://127.0.0.1:1",
    managerUser: MANAGER,
    pageDirectory: await writePage(),
    ...options,
  });
  dashboards.push(dashboard);
  return { dashboard, page: await openPage(dashboard.address) };
}

const isObject =
  (name: string, change: ObjectChange["change"]) =>
  (message: DashboardMessage): message is ObjectChange =>
    message.type === "object" && message.object.name === name && message.change === change;

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return ConfigMap.create({ metadata: { namespace: "default", name }, data });
}

describe("the stream of a dashboard", () => {
  it("begins with what the process can do, then has the objects, and their changes", async () => {
    await client.create(configMap("before"));
    const { page } = await start();
    const stream = page.stream();
    await stream.until(isObject("before", "existing"));
    expect(stream.messages[0]).toEqual({
      type: "hello",
      project: "guestbook",
      mode: "dev",
      capabilities: ["write", "history", "permissions", "faults"],
      server: "https://127.0.0.1:1",
      serverVersion: expect.stringMatching(/^v1\.\d+/u) as string,
      managerUser: MANAGER,
    });
    const created = await client.create(configMap("after"));
    const { object } = await stream.until(isObject("after", "created"));
    expect(object).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMap",
      resource: "configmaps",
      uid: created.metadata.uid,
    });
    await client.delete(created);
    await stream.until(isObject("after", "deleted"));
    stream.close();
  });

  it("has the present again after a lost connection", async () => {
    const { page, dashboard } = await start();
    const first = page.stream();
    await first.until((message): message is DashboardMessage => message.type === "hello");
    first.close();
    const gone = await client.create(configMap("gone"));
    await client.delete(gone);
    await client.create(configMap("kept"));
    dashboard.publish({ type: "manager", at: 1, state: "starting" });
    dashboard.publish({ type: "manager", at: 2, state: "ready" });
    const second = page.stream();
    await second.until(isObject("kept", "existing"));
    expect(second.messages.filter(({ type }) => type === "manager")).toEqual([
      { type: "manager", at: 2, state: "ready" },
    ]);
    expect(second.messages.some(isObject("gone", "existing"))).toBe(false);
    second.close();
  });

  it("has batches of at most 500 messages", async () => {
    const { page, dashboard } = await start();
    for (let index = 0; index < 1800; index += 1) {
      dashboard.publish({ type: "log", at: index, level: "info", logger: "", message: `line ${String(index)}` });
    }
    const stream = page.stream();
    await stream.until((message): message is DashboardMessage => message.type === "log" && message.at === 1799);
    expect(Math.max(...stream.events)).toBeLessThanOrEqual(500);
    const lines = stream.messages.flatMap((message) => (message.type === "log" ? [message.at] : []));
    expect(lines).toEqual(Array.from({ length: 1800 }, (_, index) => index));
    stream.close();
  });

  it("closes the connection of a page that does not read, and serves it again", async () => {
    const { page, dashboard } = await start({ stream: { waitingBytes: 1_000_000, flushMs: 1 } });
    const slow = page.stream();
    const quick = page.stream();
    await slow.until((message): message is DashboardMessage => message.type === "hello");
    slow.pause();
    const text = "x".repeat(100_000);
    for (let at = 1; at <= 300; at += 1) {
      dashboard.publish({ type: "log", at, level: "info", logger: "", message: text });
      await quick.until((message): message is DashboardMessage => message.type === "log" && message.at === at);
    }
    slow.resume();
    await slow.closed;
    expect(slow.messages.filter(({ type }) => type === "log").length).toBeLessThan(300);
    dashboard.publish({ type: "log", at: 1_000_000, level: "info", logger: "", message: "end" });
    await quick.until((message): message is DashboardMessage => message.type === "log" && message.message === "end");
    quick.close();
    const again = page.stream();
    await again.until((message): message is DashboardMessage => message.type === "log" && message.message === "end");
    again.close();
  });
});

describe("objects in a dashboard", () => {
  it("have YAML, field owners, and a history with differences and authors", async () => {
    const { page, dashboard } = await start();
    const created = await client.apply(configMap("a", { color: "red", size: "1" }), { fieldOwner: "setup" });
    const changed = await client.update({ ...created, data: { color: "blue", size: "1" } }, { fieldOwner: "painter" });
    dashboard.receive({
      source: "kubescaffold.dev/observer",
      text: JSON.stringify([
        { kind: "reconcile-started", at: 1, controller: "paint", reconcileId: "r1", namespace: "default", name: "a" },
        {
          kind: "request",
          at: 2,
          durationMs: 1,
          reconcileId: "r1",
          verb: "update",
          usedVerbs: ["update"],
          group: "",
          version: "v1",
          resource: "configmaps",
          subresource: "",
          namespace: "default",
          name: "a",
          isDryRun: false,
          status: 200,
          resourceVersion: changed.metadata.resourceVersion,
        },
      ]),
    });
    const answer = await page.get("/api/object?apiVersion=v1&resource=configmaps&namespace=default&name=a");
    const detail = JSON.parse(answer.body) as ObjectDetail;
    expect(detail.yaml).toContain("color: blue");
    expect(detail.yaml).not.toContain("managedFields");
    expect(detail.fieldOwners).toMatchObject([
      { manager: "setup", operation: "Apply", subresource: "", paths: ["data.size"] },
      { manager: "painter", paths: ["data.color"] },
    ]);
    const { body } = await page.get(`/api/history?uid=${created.metadata.uid}`);
    const history = JSON.parse(body) as ObjectHistory;
    expect(history.versions).toMatchObject([
      { verb: "patch", user: "kubernetes-admin", manager: "setup", diff: [] },
      { verb: "update", manager: "painter", controller: "paint", reconcileId: "r1" },
    ]);
    const lines = history.versions[1]?.diff.filter(({ kind }) => kind === "added" || kind === "removed");
    expect(lines).toEqual([
      { kind: "removed", text: "  color: red" },
      { kind: "added", text: "  color: blue" },
    ]);
  });

  it("have no data if they are Secrets", async () => {
    const { page } = await start();
    const secret = Secret.create({ metadata: { namespace: "default", name: "s" }, stringData: { key: "hunter2" } });
    const created = await client.create(secret);
    await client.update({ ...created, stringData: { key: "hunter3" } });
    const stream = page.stream();
    await stream.until(isObject("s", "existing"));
    const detail = await page.get("/api/object?apiVersion=v1&resource=secrets&namespace=default&name=s");
    const history = await page.get(`/api/history?uid=${created.metadata.uid}`);
    expect(detail.body).toContain("REDACTED");
    const seen = `${detail.body}${history.body}${JSON.stringify(stream.messages)}`;
    for (const text of ["hunter2", "hunter3"]) {
      expect(seen).not.toContain(text);
      expect(seen).not.toContain(Buffer.from(text).toString("base64"));
    }
    stream.close();
  });

  it("are 404 if there are none, and 400 for incomplete requests", async () => {
    const { page } = await start();
    const missing = await page.get("/api/object?apiVersion=v1&resource=configmaps&namespace=default&name=none");
    const incomplete = await page.get("/api/object?apiVersion=v1&resource=configmaps");
    const escaping = await page.get("/api/object?apiVersion=v1/../../x&resource=configmaps&name=a");
    expect([missing.status, incomplete.status, escaping.status]).toEqual([404, 400, 400]);
  });
});

describe("writes of a dashboard", () => {
  const apply = async (
    page: OpenPage,
    text: string,
    isDryRun: boolean,
  ): Promise<{ status: number; result: WriteResult }> => {
    const { status, body } = await page.post("/api/apply", { text, isDryRun });
    return { status, result: JSON.parse(body) as WriteResult };
  };
  const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\ndata:\n  a: b\n";

  it("are server-side applies as the user dashboard", async () => {
    const { page } = await start();
    expect(await apply(page, text, false)).toMatchObject({ status: 200, result: { kind: "written", warnings: [] } });
    const made = await client.get(ConfigMap, { namespace: "default", name: "made" });
    expect(cluster.history(made).versions).toMatchObject([
      { user: "dashboard", fieldManager: "dashboard", verb: "patch" },
    ]);
    const removed = await page.post("/api/delete", {
      apiVersion: "v1",
      resource: "configmaps",
      namespace: "default",
      name: "made",
    });
    expect(removed.status).toBe(200);
    await expect(client.get(ConfigMap, { namespace: "default", name: "made" })).rejects.toThrow("not found");
  });

  it("are only validated in a dry run", async () => {
    const { page } = await start();
    expect(await apply(page, text, true)).toMatchObject({ status: 200, result: { kind: "written" } });
    await expect(client.get(ConfigMap, { namespace: "default", name: "made" })).rejects.toThrow("not found");
  });

  it("return the fields that the server refused", async () => {
    const { page } = await start();
    const invalid = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 99999}]}\n";
    expect(await apply(page, invalid, true)).toMatchObject({
      status: 422,
      result: {
        kind: "refused",
        causes: [
          { field: "spec.ports[0].port", message: expect.stringContaining("65535") },
          { field: "spec.ports[0].targetPort", message: expect.stringContaining("65535") },
        ],
      },
    });
    const unknown = await apply(page, `${text}colour: red\n`, true);
    expect(unknown).toMatchObject({ result: { kind: "refused", message: expect.stringContaining("colour") } });
  });

  it.each<[string, string]>([
    ["{a: [", "flow"],
    ["", "cannot apply 0 objects"],
    [`${text}---\n${text}`, "cannot apply 2 objects"],
    ["kind: ConfigMap", "apiVersion and kind are required"],
    ["apiVersion: v1\nkind: ConfigMap", "metadata.name is required"],
    ["apiVersion: v9\nkind: Nothing\nmetadata: {name: a}", "Nothing"],
  ])("refuse %j", async (given, message) => {
    const { page } = await start();
    const { status, result } = await apply(page, given, false);
    expect([status, result.kind]).toEqual([422, "refused"]);
    expect(result).toMatchObject({ message: expect.stringContaining(message) });
  });
});

describe("a dashboard", () => {
  it("lists the kinds of the project first, with their samples", async () => {
    const projectDirectory = await mkdtemp(path.join(tmpdir(), "dashboard-project-"));
    await mkdir(path.join(projectDirectory, "config", "samples"), { recursive: true });
    await mkdir(path.join(projectDirectory, "config", "crd", "bases"), { recursive: true });
    await writeFile(path.join(projectDirectory, "config", "crd", "bases", "example.com_widgets.yaml"), "");
    const sample = "# a sample\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n";
    await writeFile(path.join(projectDirectory, "config", "samples", "widget.yaml"), sample);
    const schema = { type: "object", properties: { spec: { type: "object" } } };
    await client.create({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    } as never);
    await cluster.server.idle();
    const { page } = await start({ projectDirectory });
    const kinds = JSON.parse((await page.get("/api/kinds")).body) as readonly { readonly kind: string }[];
    expect(kinds[0]).toEqual({
      apiVersion: "example.com/v1",
      kind: "Widget",
      resource: "widgets",
      isNamespaced: true,
      isOfProject: true,
      schema,
      samples: [{ file: "widget.yaml", yaml: sample }],
    });
    expect(kinds.map(({ kind }) => kind)).toContain("Deployment");
    expect(kinds.map(({ kind }) => kind)).not.toContain("SubjectAccessReview");
  });

  it("shows what the manager used, has and did not use, and was denied", async () => {
    await client.create(ServiceAccount.create({ metadata: { namespace: "default", name: "manager" } }));
    await client.create(
      Role.create({
        metadata: { namespace: "default", name: "manager" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create"] }],
      }),
    );
    await client.create(
      RoleBinding.create({
        metadata: { namespace: "default", name: "manager" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "manager" },
        subjects: [{ kind: "ServiceAccount", namespace: "default", name: "manager" }],
      }),
    );
    const own = createClient(manager);
    await own.create(configMap("own"));
    await own.list(Secret, { namespace: "default" }).catch(() => undefined);
    const { page } = await start();
    const stream = page.stream();
    await stream.until(isObject("own", "existing"));
    const uses = stream.messages.filter((message): message is PermissionUse => message.type === "permission");
    const ofConfigMaps = { group: "", resource: "configmaps", namespace: "default" };
    expect(uses).toContainEqual({
      type: "permission",
      verb: "create",
      ...ofConfigMaps,
      state: "used",
      allowed: 1,
      denied: 0,
    });
    expect(uses).toContainEqual({
      type: "permission",
      verb: "get",
      ...ofConfigMaps,
      state: "unused",
      allowed: 0,
      denied: 0,
      marker: '+kubebuilder:rbac:groups="",resources=configmaps,verbs=get',
    });
    expect(uses).toContainEqual({
      type: "permission",
      verb: "list",
      group: "",
      resource: "secrets",
      namespace: "default",
      state: "denied",
      allowed: 0,
      denied: 1,
      marker: '+kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch',
    });
    stream.close();
  });

  it("says where the roles come from that no marker of the project made", async () => {
    const projectDirectory = await mkdtemp(path.join(tmpdir(), "dashboard-"));
    const file = async (name: string, text: string): Promise<void> => {
      await mkdir(path.dirname(path.join(projectDirectory, name)), { recursive: true });
      await writeFile(path.join(projectDirectory, name), text);
    };
    const role = (name: string): string =>
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: ${name}\n`;
    await file("config/default/kustomization.yaml", "resources:\n- ../rbac\n");
    await file("config/rbac/kustomization.yaml", "resources:\n- role.yaml\n- leader_election_role.yaml\n");
    await file("config/rbac/role.yaml", role("manager"));
    await file("config/rbac/leader_election_role.yaml", role("election"));
    const rule = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["update"] };
    for (const [name, verbs] of [
      ["manager", ["get"]],
      ["election", ["update"]],
      ["foreign", ["delete"]],
    ] as const) {
      const metadata = { namespace: "default", name };
      await client.create(Role.create({ metadata, rules: [{ ...rule, verbs: [...verbs] }] }));
      await client.create(
        RoleBinding.create({
          metadata,
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
          subjects: [{ kind: "ServiceAccount", namespace: "default", name: "manager" }],
        }),
      );
    }
    const { page } = await start({ projectDirectory });
    const stream = page.stream();
    const isOf =
      (verb: string) =>
      (message: DashboardMessage): message is PermissionUse =>
        message.type === "permission" && message.verb === verb && message.source !== undefined;
    const election = await stream.until(isOf("update"));
    expect(election).toMatchObject({ state: "unused", source: "config/rbac/leader_election_role.yaml" });
    expect(election.note).toContain("--leader-elect");
    expect(election).not.toHaveProperty("marker");
    const foreign = await stream.until(isOf("delete"));
    expect(foreign.source).toBe("Role default/foreign");
    expect(foreign).not.toHaveProperty("marker");
    const own = stream.messages.find((message) => message.type === "permission" && message.verb === "get");
    expect(own).toMatchObject({ marker: "+kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get" });
    stream.close();
    await rm(projectDirectory, { recursive: true });
  });

  it("forgets the permissions of a process that another one with other rules replaced", async () => {
    await client.create(ServiceAccount.create({ metadata: { namespace: "default", name: "manager" } }));
    const role = await client.create(
      Role.create({
        metadata: { namespace: "default", name: "manager" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "delete"] }],
      }),
    );
    await client.create(
      RoleBinding.create({
        metadata: { namespace: "default", name: "manager" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "manager" },
        subjects: [{ kind: "ServiceAccount", namespace: "default", name: "manager" }],
      }),
    );
    const own = createClient(manager);
    await own.create(configMap("own"));
    await own.list(Secret, { namespace: "default" }).catch(() => undefined);
    const { page, dashboard } = await start();
    const stream = page.stream();
    await stream.until(isObject("own", "existing"));
    await client.update({
      ...role,
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "list"] }],
    });
    dashboard.managerStarted();
    const gone = await Promise.all(
      ["list secrets", "delete configmaps"].map(
        async (wanted) =>
          await stream.until(
            (message): message is PermissionRemoved =>
              message.type === "permission-removed" && `${message.verb} ${message.resource}` === wanted,
          ),
      ),
    );
    expect(gone).toHaveLength(2);
    const again = page.stream();
    await again.until(isObject("own", "existing"));
    const uses = again.messages.flatMap((message) =>
      message.type === "permission" ? [`${message.state} ${message.verb} ${message.resource}`] : [],
    );
    // The one that only the process before used counts as unused.
    expect(uses.toSorted()).toEqual(["unused create configmaps", "unused list configmaps"]);
    stream.close();
    again.close();
  });

  it("adds no requests of its pages to those of the manager", async () => {
    const { page } = await start();
    const stream = page.stream();
    await stream.until((message): message is DashboardMessage => message.type === "hello");
    await page.get("/api/object?apiVersion=v1&resource=namespaces&name=default");
    expect(cluster.server.audit.entries(MANAGER)).toEqual([]);
    stream.close();
  });

  it("injects faults into the requests of the manager alone, until they are switched off", async () => {
    const { page } = await start();
    const own = createClient(cluster.addUser({ name: MANAGER, groups: ["system:masters"] }));
    const stored = await own.create(configMap("a"));
    expect(await page.post("/api/faults", { name: "status-409", isOn: true })).toMatchObject({ status: 204 });
    await expect(own.update(stored)).rejects.toMatchObject({ status: { code: 409 } });
    await expect(client.update({ ...stored, data: { a: "b" } })).resolves.toBeDefined();
    const stream = page.stream();
    const isOn = (message: DashboardMessage): message is FaultState => message.type === "fault" && message.isOn;
    expect(await stream.until(isOn)).toMatchObject({ name: "status-409", isLasting: true });
    await page.post("/api/faults", { name: "status-409", isOn: false });
    await expect(
      own.update({ ...stored, metadata: { ...stored.metadata, resourceVersion: "" } }),
    ).resolves.toBeDefined();
    expect(await page.post("/api/faults", { name: "meteor", isOn: true })).toMatchObject({ status: 400 });
    expect(await page.post("/api/faults", { name: "pause-manager", isOn: true })).toMatchObject({ status: 400 });
    stream.close();
  });

  it("shows and ends the faults that others inject", async () => {
    const faults = new ManagerFaults({ faults: cluster.server.faults, user: MANAGER });
    const { page } = await start({ faults });
    const stream = page.stream();
    const isFault =
      (isOn: boolean) =>
      (message: DashboardMessage): message is FaultState =>
        message.type === "fault" && message.name === "status-500" && message.isOn === isOn;
    await stream.until(isFault(false));
    faults.set("status-500", true);
    await stream.until(isFault(true));
    const seen: FaultState[] = [];
    faults.observe((state) => seen.push(state));
    await page.post("/api/faults", { name: "status-500", isOn: false });
    expect(seen).toMatchObject([{ name: "status-500", isOn: false }]);
    expect(faults.states().some(({ isOn }) => isOn)).toBe(false);
    stream.close();
  });

  it("moves the clock of the server", async () => {
    const faults = new ManagerFaults({
      faults: cluster.server.faults,
      user: MANAGER,
      jumpClock: (ms) => clock.jump(ms),
    });
    const { page } = await start({ faults });
    const before = Date.now();
    await page.post("/api/faults", { name: "jump-clock", isOn: true });
    const created = await client.create(configMap("later"));
    expect(Date.parse(created.metadata.creationTimestamp) - before).toBeGreaterThan(9 * 60_000);
  });

  it("restarts the manager if the process can", async () => {
    let restarts = 0;
    const { page } = await start({
      restart: async () => {
        restarts += 1;
      },
    });
    expect(await page.post("/api/manager", { action: "explode" })).toMatchObject({ status: 400 });
    expect(await page.post("/api/manager", { action: "restart" })).toMatchObject({ status: 204 });
    expect(restarts).toBe(1);
    const other = await start();
    expect(await other.page.post("/api/manager", { action: "restart" })).toMatchObject({ status: 404 });
  });
});
