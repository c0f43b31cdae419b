import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Observation, RestMapper } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ObservedPermissions } from "../../src/cluster-dashboard/observed-permissions.ts";
import type { DashboardMessage, PermissionUse } from "../../src/dashboard/protocol.ts";

const ROLE = "rbac.authorization.k8s.io";
const DEPLOYMENTS = { group: "apps", resource: "deployments" };

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
  let permissions: ObservedPermissions;

  beforeEach(async () => {
    shown = new Map();
    rbac = manifests(["get", "create"]);
    const restMapping = async (): ReturnType<RestMapper["restMapping"]> =>
      await Promise.resolve({ gvr: { ...DEPLOYMENTS, version: "v1" }, scope: "namespaced" } as never);
    permissions = new ObservedPermissions({
      readManifests: async () =>
        await Promise.resolve({ namespace: "demo", namePrefix: "", serviceAccountName: "manager", rbac }),
      restMapper: { restMapping } as never,
      watchNamespaces: [],
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
    permissions.observe(request("delete", { status: 403 }));
    expect(shown.get("delete deployments")).toMatchObject({ state: "denied", allowed: 0, denied: 1 });
  });

  it("include those of caches, and of other responses than success", async () => {
    const cache = { kind: "cache", at: 0, apiVersion: "apps/v1", objectKind: "Deployment" } as const;
    permissions.observe({ ...cache, isMetadataOnly: false, objects: 0, isSynced: true });
    await vi.waitFor(() => expect(shown.get("watch deployments")).toMatchObject({ state: "missing", namespace: "" }));
    expect(shown.get("list deployments")?.state).toBe("missing");
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
