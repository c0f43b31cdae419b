import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { AuthorizationDecision } from "../../src/pipeline/extension-points.ts";
import type { UserInfo } from "../../src/request/request-context.ts";
import { bindingOf, RBAC, requestsOf, roleOf, type Requests } from "../support/cluster-requests.ts";

const PODS = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
});

afterEach(async () => cluster.close());

async function decide(user: UserInfo, namespace: string): Promise<AuthorizationDecision> {
  const about = { group: "", version: "v1", resource: "pods", subresource: "", name: "p", namespace };
  return cluster.server.context.authorizer.authorize({
    isResourceRequest: true,
    path: "",
    verb: "get",
    ...about,
    user,
  });
}

describe("the RBAC authorizer", () => {
  it("allows members of system:masters everything, without a reason", async () => {
    const root = { name: "root", groups: ["system:masters"] };
    expect(await decide(root, "default")).toEqual({ allowed: true, reason: "" });
    expect(await decide({ name: "root", groups: [] }, "default")).toEqual({ allowed: false, reason: "" });
  });

  it("lets a role binding grant a cluster role in its own namespace alone", async () => {
    await admin.post(`${RBAC}/clusterroles`, roleOf("ClusterRole", "reader", PODS));
    const bindings = `${RBAC}/namespaces/default/rolebindings`;
    await admin.post(bindings, bindingOf("RoleBinding", "b", { kind: "ClusterRole", name: "reader", users: ["jane"] }));
    const jane = { name: "jane", groups: [] };
    expect(await decide(jane, "default")).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/default" of ClusterRole "reader" to User "jane"',
    });
    expect(await decide(jane, "kube-system")).toEqual({ allowed: false, reason: "" });
    expect(await decide(jane, "")).toEqual({ allowed: false, reason: "" });
    expect(await decide({ name: "joe", groups: ["jane"] }, "default")).toMatchObject({ allowed: false });
  });

  it("lets a cluster role binding grant in every namespace, to groups and to service accounts", async () => {
    await admin.post(`${RBAC}/clusterroles`, roleOf("ClusterRole", "reader", PODS));
    await admin.post(`${RBAC}/clusterrolebindings`, {
      ...bindingOf("ClusterRoleBinding", "b", { kind: "ClusterRole", name: "reader", users: [] }),
      subjects: [
        { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "devs" },
        { kind: "ServiceAccount", name: "robot", namespace: "kube-system" },
      ],
    });
    for (const namespace of ["default", "kube-system", ""]) {
      expect(await decide({ name: "jane", groups: ["devs"] }, namespace)).toMatchObject({ allowed: true });
    }
    const robot = { name: "system:serviceaccount:kube-system:robot", groups: [] };
    expect((await decide(robot, "default")).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to ServiceAccount "robot/kube-system"',
    );
    const other = { name: "system:serviceaccount:default:robot", groups: [] };
    expect(await decide(other, "default")).toMatchObject({ allowed: false });
  });

  it("names the roles that are bound and missing, each once", async () => {
    const bindings = `${RBAC}/namespaces/default/rolebindings`;
    for (const [binding, kind, role] of [
      ["a", "Role", "gone"],
      ["b", "ClusterRole", "away"],
      ["c", "Role", "gone"],
    ] as const)
      await admin.post(bindings, bindingOf("RoleBinding", binding, { kind, name: role, users: ["jane"] }));
    expect((await decide({ name: "jane", groups: [] }, "default")).reason).toBe(
      'rbac: RBAC: [role.rbac.authorization.k8s.io "gone" not found, clusterrole.rbac.authorization.k8s.io "away" not found]',
    );
  });
});
