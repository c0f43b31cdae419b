import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { describe, expect, it } from "vitest";

import { CONTROLLER_POLICIES } from "../../../cluster/src/cluster/cluster-controllers.ts";
import { bootstrapPolicy } from "../../src/authorization/bootstrap-policy.ts";
import { defaultRelease } from "../../src/release/release.ts";
import { bindingOf, configMapOf, RBAC, requestsOf } from "../support/cluster-requests.ts";

describe("bootstrapPolicy", () => {
  it("binds only roles that it has, each object of a name once", () => {
    const names = (kind: string): readonly unknown[] =>
      bootstrapPolicy(defaultRelease, CONTROLLER_POLICIES)
        .filter((object) => object["kind"] === kind)
        .map((object) => (object["metadata"] as { readonly name: string }).name);
    const roles = names("ClusterRole");
    expect(new Set(roles).size).toBe(roles.length);
    const bound = bootstrapPolicy(defaultRelease, CONTROLLER_POLICIES)
      .filter((object) => object["kind"] === "ClusterRoleBinding")
      .map((object) => (object["roleRef"] as { readonly name: string }).name);
    expect(bound.length).toBeGreaterThan(0);
    for (const role of bound) expect(roles).toContain(role);
  });

  it("lets view read, edit write, and neither read more than it should", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    for (const role of ["view", "edit", "admin"]) {
      const binding = bindingOf("RoleBinding", role, { kind: "ClusterRole", name: role, users: [role] });
      await admin.post(`${RBAC}/namespaces/default/rolebindings`, binding);
    }
    const folder = "/api/v1/namespaces/default";
    const tried = async (name: string): Promise<readonly number[]> => {
      const user = requestsOf(cluster.addUser({ name }));
      const answers = [
        await user.get(`${folder}/configmaps`),
        await user.get(`${folder}/secrets`),
        await user.post(`${folder}/configmaps`, configMapOf(name)),
        await user.get(`${RBAC}/namespaces/default/roles`),
        await user.get("/api/v1/namespaces"),
        await user.get("/version"),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await tried("view")).toEqual([200, 403, 403, 403, 403, 200]);
    expect(await tried("edit")).toEqual([200, 200, 201, 403, 403, 200]);
    expect(await tried("admin")).toEqual([200, 200, 201, 200, 403, 200]);
    await cluster.close();
  });
});
