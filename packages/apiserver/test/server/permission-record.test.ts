import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { bindingOf, configMapOf, RBAC, requestsOf, roleOf } from "../support/cluster-requests.ts";

const USER = "ada";
const MAPS = "/api/v1/namespaces/default/configmaps";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
const STREAM = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

let cluster: EmbeddedCluster;
let user: RestConfig;

beforeEach(() => {
  cluster = createEmbeddedCluster();
  user = cluster.addUser({ name: USER, groups: ["system:authenticated"] });
});

afterEach(async () => {
  await cluster.close();
});

async function grant(rules: readonly object[]): Promise<void> {
  const admin = requestsOf(cluster.config);
  await admin.post(`${RBAC}/clusterroles`, roleOf("ClusterRole", "r", rules));
  const binding = bindingOf("ClusterRoleBinding", "r", { kind: "ClusterRole", name: "r", users: [USER] });
  expect((await admin.post(`${RBAC}/clusterrolebindings`, binding)).status).toBe(201);
}

function recorded(): readonly string[] {
  return cluster.server.audit
    .entries(USER)
    .map(({ verb, group, resource, namespace, path, allowed, denied }) =>
      [
        verb,
        `${resource}${group === "" ? "" : `.${group}`}${path}`,
        namespace || "-",
        `${String(allowed)}/${String(denied)}`,
      ].join(" "),
    )
    .toSorted();
}

interface Shape {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly headers?: readonly (readonly [string, string])[];
  readonly uses: readonly string[];
}

const APPLY = [["content-type", "application/apply-patch+yaml"]] as const;
const LEASE = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" } };
const DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/web";

const SHAPES: Readonly<Record<string, Shape>> = {
  list: { path: MAPS, uses: ["list configmaps default 1/0"] },
  "list of all namespaces": { path: "/api/v1/configmaps", uses: ["list configmaps - 1/0"] },
  get: { path: `${MAPS}/there`, uses: ["get configmaps default 1/0"] },
  "get with watch": { path: `${MAPS}/there?watch=1`, uses: ["get configmaps default 1/0"] },
  "list by name": { path: `${MAPS}?fieldSelector=metadata.name=there`, uses: ["list configmaps default 1/0"] },
  watch: { path: `${MAPS}?watch=1`, uses: ["watch configmaps default 1/0"] },
  "streamed watch": {
    path: `${MAPS}?watch=true&${STREAM}`,
    uses: ["list configmaps default 1/0", "watch configmaps default 1/0"],
  },
  "streamed watch of all namespaces": {
    path: `/api/v1/configmaps?watch=1&${STREAM}`,
    uses: ["list configmaps - 1/0", "watch configmaps - 1/0"],
  },
  "streamed watch by the old path": {
    path: `/api/v1/watch/namespaces/default/configmaps?${STREAM}`,
    uses: ["list configmaps default 1/0", "watch configmaps default 1/0"],
  },
  "streamed watch of one object": {
    path: `${MAPS}?watch=1&fieldSelector=metadata.name=there&${STREAM}`,
    uses: ["list configmaps default 1/0", "watch configmaps default 1/0"],
  },
  "streamed watch of a cluster-wide resource": {
    path: `/api/v1/nodes?watch=1&${STREAM}`,
    uses: ["list nodes - 1/0", "watch nodes - 1/0"],
  },
  "watch that sends no initial events": {
    path: `${MAPS}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    uses: ["watch configmaps default 1/0"],
  },
  create: { method: "POST", path: MAPS, body: configMapOf("new"), uses: ["create configmaps default 1/0"] },
  update: { method: "PUT", path: `${MAPS}/there`, body: configMapOf("there"), uses: ["update configmaps default 1/0"] },
  "update that creates": {
    method: "PUT",
    path: `${LEASES}/l`,
    body: LEASE,
    uses: ["create leases.coordination.k8s.io default 1/0", "update leases.coordination.k8s.io default 1/0"],
  },
  patch: { method: "PATCH", path: `${MAPS}/there`, body: {}, uses: ["patch configmaps default 1/0"] },
  apply: {
    method: "PATCH",
    path: `${MAPS}/there?fieldManager=a`,
    body: configMapOf("there"),
    headers: APPLY,
    uses: ["patch configmaps default 1/0"],
  },
  "apply that creates": {
    method: "PATCH",
    path: `${MAPS}/new?fieldManager=a`,
    body: configMapOf("new"),
    headers: APPLY,
    uses: ["create configmaps default 1/0", "patch configmaps default 1/0"],
  },
  delete: { method: "DELETE", path: `${MAPS}/there`, uses: ["delete configmaps default 1/0"] },
  deletecollection: {
    method: "DELETE",
    path: `${MAPS}?labelSelector=none`,
    uses: ["deletecollection configmaps default 1/0"],
  },
  "subresource that is missing": {
    path: `${DEPLOYMENT}/status`,
    uses: ["get deployments/status.apps default 1/0"],
  },
  review: {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb: "delete", resource: "nodes" } },
    },
    uses: ["create selfsubjectaccessreviews.authorization.k8s.io - 1/0"],
  },
  impersonation: {
    path: MAPS,
    headers: [
      ["impersonate-user", "bob"],
      ["impersonate-group", "devs"],
    ],
    uses: ["impersonate groups - 1/0", "impersonate users - 1/0"],
  },
  "role that is granted": {
    method: "POST",
    path: ROLES,
    body: roleOf("Role", "made", [
      { apiGroups: ["apps"], resources: ["deployments", "deployments/scale"], verbs: ["get"] },
    ]),
    uses: [
      "create roles.rbac.authorization.k8s.io default 1/0",
      "get deployments.apps default 1/0",
      "get deployments/scale.apps default 1/0",
    ],
  },
  path: { path: "/version", uses: ["get /version - 1/0"] },
};

/** All that the shapes need, without `escalate` and `bind`, which would be used instead of the rules that a role grants. */
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "impersonate"];

describe("the record of permissions", () => {
  it.each(Object.entries(SHAPES))("has all verbs that a request uses: %s", async (_name, shape) => {
    await grant([{ apiGroups: ["*"], resources: ["*"], verbs: VERBS }]);
    const admin = requestsOf(cluster.config);
    await admin.post(MAPS, configMapOf("there"));
    await send(shape);
    expect(recorded()).toEqual(shape.uses);
  });

  it.each([
    ["streamed watch", "watch configmaps default 0/1"],
    ["watch", "watch configmaps default 0/1"],
    ["list", "list configmaps default 0/1"],
  ])("has only the verb that was denied: %s", async (name, denied) => {
    const shape = SHAPES[name];
    if (shape === undefined) throw new Error(`no shape ${name}`);
    await send(shape);
    expect(recorded()).toEqual([denied]);
  });

  it("has the right to create as denied where an apply lacks it", async () => {
    await grant([{ apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] }]);
    const shape = SHAPES["apply that creates"];
    if (shape === undefined) throw new Error("no shape");
    await send(shape);
    expect(recorded()).toEqual(["create configmaps default 0/1", "patch configmaps default 1/0"]);
  });

  it("has escalate and bind instead of what a role grants, for users who have them", async () => {
    await grant([{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["*"], verbs: ["create", "escalate"] }]);
    await send({ ...SHAPES["role that is granted"], method: "POST", path: ROLES, uses: [] });
    expect(recorded()).toEqual([
      "create roles.rbac.authorization.k8s.io default 1/0",
      "escalate roles.rbac.authorization.k8s.io default 1/0",
    ]);
  });
});

// Nothing reads the answer, so a watch ends at once.
async function send({ method = "GET", path, body, headers = [] }: Shape): Promise<void> {
  const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const all = new Headers({ "content-type": contentType, ...tokenOf(user) });
  for (const [name, value] of headers) all.set(name, value);
  const init = { method, headers: all, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await user.transport?.(new Request(`http://cluster${path}`, init));
  await response?.body?.cancel();
}

function tokenOf({ credentials }: RestConfig): Readonly<Record<string, string>> {
  return credentials?.kind === "token" ? { authorization: `Bearer ${credentials.token}` } : {};
}
