import { StatusError } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import {
  DeniedPermissions,
  grantedPermissions,
  type RoleLists,
} from "../../../src/server/cluster/granted-permissions.ts";
import { Problems, requestProblem, subjectFlag } from "../../../src/server/cluster/problems.ts";
import { watchedResources, watchTargets } from "../../../src/server/cluster/watch-targets.ts";
import type { DashboardMessage } from "../../../src/server/contract/protocol.ts";

describe("problems", () => {
  it("are published when they change", () => {
    const messages: DashboardMessage[] = [];
    const problems = new Problems((message) => void messages.push(message));
    problems.set("a", { source: "metrics", message: "no" });
    problems.set("a", { source: "metrics", message: "no" });
    problems.set("b", undefined);
    problems.set("a", undefined);
    expect(messages).toEqual([
      { type: "problems", problems: [{ source: "metrics", message: "no" }] },
      { type: "problems", problems: [] },
    ]);
  });

  it("name the commands of a missing permission for the user, quoted for a shell", () => {
    const needed = { verbs: ["get"], resource: "pods/log", namespace: "demo", role: "dashboard-logs" };
    const forbidden = new StatusError({
      apiVersion: "v1",
      kind: "Status",
      metadata: {},
      status: "Failure",
      reason: "Forbidden",
      code: 403,
      message: "no",
    });
    expect(requestProblem("logs", forbidden, { ...needed, user: "oidc:it's me" }).commands).toEqual([
      "kubectl -n demo create role dashboard-logs --verb=get --resource=pods/log",
      String.raw`kubectl -n demo create rolebinding dashboard-logs --role=dashboard-logs --user='oidc:it'\''s me'`,
    ]);
    expect(requestProblem("logs", new Error("lost"), { ...needed, user: "me" })).toEqual({
      source: "logs",
      message: "lost",
    });
    expect(subjectFlag("system:serviceaccount:ops:bot")).toBe("--serviceaccount=ops:bot");
  });
});

const ACCOUNT = "system:serviceaccount:demo:manager";

describe("the permissions of a manager", () => {
  it("are those of its roles, in their namespaces", () => {
    const subject = { kind: "ServiceAccount", namespace: "demo", name: "manager" };
    const rule = (resource: string) => ({ apiGroups: ["apps"], resources: [resource], verbs: ["get", "list"] });
    const lists: RoleLists = {
      clusterroles: [
        { metadata: { name: "wide" }, rules: [rule("deployments"), { nonResourceURLs: ["/metrics"], verbs: ["get"] }] },
      ],
      clusterrolebindings: [
        { metadata: { name: "a" }, roleRef: { kind: "ClusterRole", name: "wide" }, subjects: [subject] },
        {
          metadata: { name: "b" },
          roleRef: { kind: "ClusterRole", name: "wide" },
          subjects: [{ ...subject, name: "other" }],
        },
        { metadata: { name: "gone" }, roleRef: { kind: "ClusterRole", name: "gone" }, subjects: [subject] },
      ],
      roles: [{ metadata: { name: "local", namespace: "demo" }, rules: [rule("statefulsets")] }],
      rolebindings: [
        {
          metadata: { name: "c", namespace: "demo" },
          roleRef: { kind: "Role", name: "local" },
          subjects: [{ kind: "Group", name: "system:serviceaccounts:demo" }],
        },
      ],
    };
    expect(
      grantedPermissions(lists, ACCOUNT).map(({ verb, group, resource, namespace, state }) =>
        [state, verb, `${resource}.${group}`, namespace].join(" "),
      ),
    ).toEqual([
      "granted get deployments.apps ",
      "granted list deployments.apps ",
      "granted get statefulsets.apps demo",
      "granted list statefulsets.apps demo",
    ]);
  });

  it("were denied as its messages say, and nobody else's", () => {
    const denied = new DeniedPermissions();
    const message = `services is forbidden: User "${ACCOUNT}" cannot list resource "services" in API group "" in the namespace "team"`;
    denied.read(message, ACCOUNT);
    expect(denied.read(message, ACCOUNT)).toEqual({
      type: "permission",
      verb: "list",
      group: "",
      resource: "services",
      namespace: "team",
      state: "denied",
      allowed: 0,
      denied: 2,
      marker: '+kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch',
    });
    expect(denied.read(message, "system:serviceaccount:demo:other")).toBeUndefined();
    expect(denied.read("all is well", ACCOUNT)).toBeUndefined();
  });
});

describe("what is watched", () => {
  const observer = { pod: () => undefined, lease: () => undefined, synced: () => undefined, isOwnLease: () => false };

  it("are the resources of the manager's roles, without subresources and wildcards", () => {
    const role = (name: string, rules: readonly object[]) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name },
      rules,
    });
    expect(
      watchedResources([
        role("demo-manager-role", [
          { apiGroups: ["", "apps"], resources: ["services", "services/status", "*"], verbs: ["watch"] },
          { apiGroups: ["*"], resources: ["things"], verbs: ["*"] },
          { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
        ]),
        role("demo-leader-election-role", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["watch"] }]),
      ]),
    ).toEqual([
      { group: "", resource: "services" },
      { group: "apps", resource: "services" },
    ]);
  });

  it("are the operator, its kinds, and what they may own, once in each namespace", () => {
    const targets = watchTargets(
      {
        namespace: "demo-system",
        selector: "a=b",
        resources: [{ group: "demo", resource: "things" }],
        watched: [
          { group: "demo", resource: "things" },
          { group: "batch", resource: "cronjobs" },
          { group: "", resource: "events" },
        ],
        namespaces: ["team-a", "team-b"],
      },
      observer,
    );
    const named = targets.map(
      ({ resource, namespace, labelSelector = "-" }) => `${namespace}/${resource} ${labelSelector}`,
    );
    expect(named).toEqual([
      ...["deployments", "replicasets", "pods"].map((each) => `demo-system/${each} a=b`),
      "demo-system/leases -",
      ...["demo-system", "team-a", "team-b"].map((each) => `${each}/events -`),
      ...["team-a", "team-b"].flatMap((each) =>
        ["things", "cronjobs", "deployments", "replicasets", "pods", "jobs"].map((resource) => `${each}/${resource} -`),
      ),
    ]);
  });
});
