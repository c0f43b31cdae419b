import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { RBAC, requestsOf, roleOf, type Requests } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const ROLES = `${RBAC}/clusterroles`;
const WIDGETS = { apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] };
const GADGETS = { apiGroups: ["example.com"], resources: ["gadgets"], verbs: ["get"] };

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(async () => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  cluster.server.start();
  await cluster.server.idle();
});

afterEach(async () => cluster.close());

async function createRole(name: string, rules: readonly object[], labels: object): Promise<void> {
  const role = roleOf("ClusterRole", name, rules, { metadata: { name, labels } });
  expect(await admin.post(ROLES, role)).toMatchObject({ status: 201 });
  await cluster.server.idle();
}

async function rulesOf(name: string): Promise<readonly unknown[]> {
  return ((await admin.get(`${ROLES}/${name}`)).body["rules"] ?? []) as readonly unknown[];
}

describe("the aggregation of cluster roles", () => {
  it("collects the rules of the roles that are selected, each once, and gives them up again", async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { to: "all" } }, { matchLabels: { to: "more" } }] };
    await admin.post(ROLES, roleOf("ClusterRole", "all", [GADGETS], { aggregationRule }));
    await cluster.server.idle();
    expect(await rulesOf("all")).toEqual([]);
    await createRole("b", [WIDGETS], { to: "all" });
    await createRole("a", [GADGETS, WIDGETS], { to: "more" });
    expect(await rulesOf("all")).toEqual([WIDGETS, GADGETS]);
    await admin.delete(`${ROLES}/b`);
    await cluster.server.idle();
    expect(await rulesOf("all")).toEqual([GADGETS, WIDGETS]);
  });

  it("passes on from view to edit to admin what a user adds to view", async () => {
    const before = await rulesOf("admin");
    await createRole("widgets-viewer", [WIDGETS], { "rbac.authorization.k8s.io/aggregate-to-view": "true" });
    for (const name of ["view", "edit", "admin"]) expect(await rulesOf(name)).toContainEqual(WIDGETS);
    expect(await rulesOf("admin")).toEqual(expect.arrayContaining([...before]));
  });
});
