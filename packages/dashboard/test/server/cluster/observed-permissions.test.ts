import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Observation } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ObservedPermissions } from "../../../src/server/cluster/observed-permissions.ts";
import type { DashboardMessage, PermissionUse } from "../../../src/server/contract/protocol.ts";

const ROLE = "rbac.authorization.k8s.io";

function manifests(verbs: readonly string[]): readonly KubernetesObject[] {
  const rules = [{ apiGroups: ["apps"], resources: ["deployments"], verbs }];
  const subjects = [{ kind: "ServiceAccount", name: "manager", namespace: "demo" }];
  const roleRef = { apiGroup: ROLE, kind: "ClusterRole", name: "manager-role" };
  const typed = (kind: string, fields: object): KubernetesObject =>
    ({ apiVersion: `${ROLE}/v1`, kind, ...fields }) as KubernetesObject;
  return [
    typed("ClusterRole", { metadata: { name: "manager-role" }, rules }),
    typed("ClusterRoleBinding", { metadata: { name: "manager" }, roleRef, subjects }),
  ];
}

function request(verb: string, more: Partial<Extract<Observation, { kind: "request" }>> = {}): Observation {
  return {
    kind: "request",
    at: 0,
    durationMs: 1,
    verb,
    usedVerbs: [verb],
    group: "apps",
    version: "v1",
    resource: "deployments",
    subresource: "",
    namespace: "default",
    name: "web",
    isDryRun: false,
    status: 200,
    ...more,
  };
}

describe("the permissions of a manager that runs as another user", () => {
  let shown: Map<string, PermissionUse>;
  let rbac: readonly KubernetesObject[];
  let file: string;
  let permissions: ObservedPermissions;

  beforeEach(async () => {
    shown = new Map();
    rbac = manifests(["get", "create"]);
    file = "role.yaml";
    permissions = new ObservedPermissions({
      readManifests: async () =>
        await Promise.resolve({
          namespace: "demo",
          namePrefix: "",
          serviceAccountName: "manager",
          rbac,
          rbacFiles: rbac.map(() => file),
        }),
      publish,
    });
    await vi.waitUntil(() => shown.size === 2);
  });

  afterEach(() => permissions.stop());

  function publish(message: DashboardMessage): void {
    if (message.type === "permission") shown.set(`${message.verb} ${message.resource}`, message);
    if (message.type === "permission-removed") shown.delete(`${message.verb} ${message.resource}`);
  }

  it("are unused until the manager uses them", () => {
    expect(shown.get("create deployments")).toMatchObject({ state: "unused", namespace: "" });
    permissions.observe(request("create", { status: 201 }));
    expect(shown.get("create deployments")).toMatchObject({ state: "used", allowed: 1 });
    expect(shown.get("get deployments")?.state).toBe("unused");
  });

  it("are missing if the cluster allows what the roles do not grant, with the marker to add", () => {
    permissions.observe(request("patch", { subresource: "status" }));
    expect(shown.get("patch deployments/status")).toMatchObject({
      state: "missing",
      namespace: "default",
      allowed: 1,
      marker: expect.stringMatching(/groups=apps,resources=deployments\/status,verbs=.*patch/u),
    });
  });

  it("are denied if the cluster refuses them, too", () => {
    permissions.observe(request("delete", { status: 403, deniedVerb: "delete" }));
    expect(shown.get("delete deployments")).toMatchObject({ state: "denied", allowed: 0, denied: 1 });
  });

  it("are used if admission refuses the request", () => {
    permissions.observe(request("create", { status: 403 }));
    expect(shown.get("create deployments")).toMatchObject({ state: "used", allowed: 1, denied: 0 });
  });

  it("include all verbs of a request, and of a refused apply only the one that was denied", () => {
    permissions.observe(request("watch", { namespace: "", usedVerbs: ["list", "watch"] }));
    expect(shown.get("list deployments")).toMatchObject({ state: "missing", namespace: "" });
    expect(shown.get("watch deployments")?.state).toBe("missing");
    permissions.observe(request("patch", { status: 201, usedVerbs: ["create", "patch"] }));
    expect(shown.get("create deployments")?.state).toBe("used");
    expect(shown.get("patch deployments")?.state).toBe("missing");
    permissions.observe(request("patch", { group: "batch", resource: "jobs", status: 403, deniedVerb: "create" }));
    expect(shown.get("create jobs")?.state).toBe("denied");
    expect(shown.has("patch jobs")).toBe(false);
  });

  it("name no marker to remove for a role that no marker made, and while the manager grants permissions", async () => {
    expect(shown.get("get deployments")?.marker).toBe("+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get");
    permissions.observe(request("create", { group: ROLE, resource: "roles", status: 201 }));
    permissions.observe(request("create"));
    await vi.waitFor(() => expect(shown.get("get deployments")).not.toHaveProperty("marker"));
    expect(shown.get("get deployments")).toMatchObject({ state: "unused", note: expect.stringContaining("roles") });
    file = "leader_election_role.yaml";
    permissions.managerStarted();
    await vi.waitFor(() =>
      expect(shown.get("get deployments")).toMatchObject({
        state: "unused",
        source: "config/rbac/leader_election_role.yaml",
        note: expect.stringContaining("--leader-elect"),
      }),
    );
    expect(shown.get("get deployments")).not.toHaveProperty("marker");
  });

  it("include those of other responses than success", () => {
    permissions.observe(request("get", { status: 404 }));
    permissions.observe(request("create", { status: 0 }));
    expect(shown.get("get deployments")?.state).toBe("used");
    expect(shown.get("create deployments")?.state).toBe("unused");
  });

  it("are counted from zero for the next process, with the roles of the project by then", async () => {
    permissions.observe(request("update"));
    expect(shown.get("update deployments")?.state).toBe("missing");
    rbac = manifests(["update"]);
    permissions.managerStarted();
    await vi.waitFor(() => expect(shown.get("update deployments")?.state).toBe("unused"));
    expect([...shown.keys()]).toEqual(["update deployments"]);
  });
});
