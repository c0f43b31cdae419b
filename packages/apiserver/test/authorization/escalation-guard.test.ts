import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { bindingOf, RBAC, requestsOf, roleOf, type Requests } from "../support/cluster-requests.ts";

const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const SECRETS = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
const WRITE = {
  apiGroups: ["rbac.authorization.k8s.io"],
  resources: ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
  verbs: ["create", "update", "patch", "get"],
};

let cluster: EmbeddedCluster;
let admin: Requests;
let alice: Requests;

beforeEach(async () => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  alice = requestsOf(cluster.addUser({ name: "alice" }));
  await grant([WRITE, { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }]);
});

afterEach(async () => cluster.close());

async function grant(rules: readonly object[]): Promise<void> {
  await admin.post(`${RBAC}/clusterroles`, roleOf("ClusterRole", `alice-${String(rules.length)}`, rules));
  await admin.post(
    `${RBAC}/clusterrolebindings`,
    bindingOf("ClusterRoleBinding", `alice-${String(rules.length)}`, {
      kind: "ClusterRole",
      name: `alice-${String(rules.length)}`,
      users: ["alice"],
    }),
  );
}

describe("the escalation guard", () => {
  it("lets users pass on what they hold, and administrators everything", async () => {
    const held = { apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"], verbs: ["get"] };
    expect(await alice.post(ROLES, roleOf("Role", "held", [held]))).toMatchObject({ status: 201 });
    expect(await admin.post(ROLES, roleOf("Role", "all", [SECRETS]))).toMatchObject({ status: 201 });
  });

  it("refuses a role that grants more, with all that is missing", async () => {
    const more = { apiGroups: ["", "apps"], resources: ["secrets", "configmaps"], verbs: ["get", "list"] };
    expect(await alice.post(ROLES, roleOf("Role", "more", [more]))).toMatchObject({
      status: 403,
      body: {
        reason: "Forbidden",
        message: [
          'roles.rbac.authorization.k8s.io "more" is forbidden: user "alice" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
          '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}',
          '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
          '{APIGroups:["apps"], Resources:["configmaps"], Verbs:["get" "list"]}',
          '{APIGroups:["apps"], Resources:["secrets"], Verbs:["get" "list"]}',
        ].join("\n"),
        details: { name: "more", group: "rbac.authorization.k8s.io", kind: "roles" },
      },
    });
    expect(await admin.get(`${ROLES}/more`)).toMatchObject({ status: 404 });
  });

  it("refuses a role of more parts than it compares, and answers others meanwhile", async () => {
    const list = (prefix: string): readonly string[] =>
      Array.from({ length: 4000 }, (_, index) => prefix + String(index));
    const wide = { apiGroups: list("g"), resources: list("r"), verbs: list("v") };
    const { status, body } = await alice.post(ROLES, roleOf("Role", "wide", [wide]));
    expect(status).toBe(403);
    expect(body["message"]).toContain("and more: a role is compared in at most 200000 parts");
    await grant([wide, WRITE, WRITE]);
    expect(await alice.post(ROLES, roleOf("Role", "wide", [wide]))).toMatchObject({ status: 201 });
  });

  it("looks at updates too, except where only owners and finalizers change", async () => {
    await admin.post(ROLES, roleOf("Role", "all", [SECRETS]));
    expect(await alice.patch(`${ROLES}/all`, { metadata: { labels: { a: "b" } } })).toMatchObject({ status: 403 });
    expect(await alice.patch(`${ROLES}/all`, { metadata: { finalizers: ["example.com/x"] } })).toMatchObject({
      status: 200,
    });
    await admin.post(ROLES, roleOf("Role", "none", []));
    expect(await alice.patch(`${ROLES}/none`, { rules: [SECRETS] })).toMatchObject({ status: 403 });
    expect(await alice.patch(`${ROLES}/none`, { metadata: { labels: { a: "b" } } })).toMatchObject({ status: 200 });
  });

  it("keeps aggregation for cluster administrators", async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
    const answer = await alice.post(`${RBAC}/clusterroles`, roleOf("ClusterRole", "agg", [], { aggregationRule }));
    expect(answer.body["message"]).toBe(
      'clusterroles.rbac.authorization.k8s.io "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
  });

  it("refuses bindings to roles that grant more, and names those that are missing", async () => {
    const toAdmin = bindingOf("ClusterRoleBinding", "x", {
      kind: "ClusterRole",
      name: "cluster-admin",
      users: ["bob"],
    });
    const refused = await alice.post(`${RBAC}/clusterrolebindings`, toAdmin);
    expect(refused.status).toBe(403);
    expect(refused.body["message"]).toContain(
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"]',
    );
    const toNothing = bindingOf("RoleBinding", "x", { kind: "Role", name: "missing", users: ["bob"] });
    expect(await alice.post(BINDINGS, toNothing)).toMatchObject({
      status: 404,
      body: { message: 'rolebindings.rbac.authorization.k8s.io "missing" not found' },
    });
  });

  it("is lifted by the verbs escalate and bind", async () => {
    const lift = { ...WRITE, verbs: ["escalate"] };
    const bind = { ...WRITE, resources: ["clusterroles"], resourceNames: ["view"], verbs: ["bind"] };
    await grant([lift, bind, SECRETS]);
    const pods = { apiGroups: [""], resources: ["pods"], verbs: ["delete"] };
    expect(await alice.post(ROLES, roleOf("Role", "more", [pods]))).toMatchObject({ status: 201 });
    const bindTo = async (name: string): Promise<number> =>
      (await alice.post(BINDINGS, bindingOf("RoleBinding", name, { kind: "ClusterRole", name, users: ["bob"] })))
        .status;
    expect(await bindTo("view")).toBe(201);
    expect(await bindTo("edit")).toBe(403);
  });
});
