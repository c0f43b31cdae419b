import type { AuditEntry } from "@kubescaffold/apiserver";
import { describe, expect, it } from "vitest";

import { permissionsOf, type RoleReader } from "../../../src/server/objects/permissions.ts";

const USER = "system:serviceaccount:demo:manager";

interface Rule {
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Binding {
  readonly subject: Readonly<Record<string, string>>;
  readonly rule: Rule;
  readonly namespace?: string;
}

// Each binding has its own role, for Pods.
function rolesOf(bindings: readonly Binding[]): RoleReader {
  const named = bindings.map((binding, index) => ({ ...binding, name: `r${String(index)}` }));
  return {
    list: ({ resource }) =>
      named
        .filter(({ namespace }) => (resource === "rolebindings") === (namespace !== undefined))
        .filter(() => resource.endsWith("bindings"))
        .map(({ name, namespace, subject }) => ({
          metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
          roleRef: { kind: namespace === undefined ? "ClusterRole" : "Role", name },
          subjects: [subject],
        })),
    get: (_resource, { name }) => {
      const found = named.find((each) => each.name === name);
      return found === undefined
        ? undefined
        : { metadata: {}, rules: [{ apiGroups: [""], resources: ["pods"], ...found.rule }] };
    },
  };
}

function entry(verb: string, { allowed = 1, denied = 0, resource = "pods" }: Partial<AuditEntry> = {}): AuditEntry {
  return { user: USER, verb, group: "", resource, namespace: "demo", path: "", allowed, denied };
}

const ACCOUNT = { kind: "ServiceAccount", namespace: "demo", name: "manager" };

describe("the permissions of a service account", () => {
  it.each<[string, Binding, boolean]>([
    ["its account", { subject: ACCOUNT, rule: { verbs: ["get"] } }, true],
    [
      "its account, in the namespace of the binding",
      { subject: { kind: "ServiceAccount", name: "manager" }, rule: { verbs: ["get"] }, namespace: "demo" },
      true,
    ],
    ["its user name", { subject: { kind: "User", name: USER }, rule: { verbs: ["get"] } }, true],
    [
      "the group of its namespace",
      { subject: { kind: "Group", name: "system:serviceaccounts:demo" }, rule: { verbs: ["get"] } },
      true,
    ],
    ["another account", { subject: { ...ACCOUNT, name: "other" }, rule: { verbs: ["get"] } }, false],
    ["another user", { subject: { kind: "User", name: "ada" }, rule: { verbs: ["get"] } }, false],
    [
      "its account in another namespace",
      { subject: { kind: "ServiceAccount", name: "manager" }, rule: { verbs: ["get"] }, namespace: "other" },
      false,
    ],
  ])("are those of roles that are bound to %s", (_name, binding, isBound) => {
    const uses = permissionsOf(rolesOf([binding]), { user: USER, requests: [] });
    expect(uses.map(({ state, verb }) => `${state} ${verb}`)).toEqual(isBound ? ["unused get"] : []);
  });

  it("are missing where a streamed watch works without the right to list", () => {
    const roles = rolesOf([{ subject: ACCOUNT, rule: { verbs: ["watch"] } }]);
    const uses = permissionsOf(roles, { user: USER, requests: [entry("list"), entry("watch")] });
    expect(uses).toMatchObject([
      {
        verb: "list",
        state: "missing",
        marker: '+kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch',
      },
      { verb: "watch", state: "used" },
    ]);
  });

  it("are used where a role of all users permits them, with the role", () => {
    const everyone = { kind: "Group", name: "system:authenticated" };
    const roles = rolesOf([{ subject: everyone, rule: { verbs: ["get", "list"] } }]);
    expect(permissionsOf(roles, { user: USER, requests: [entry("get")] })).toMatchObject([
      { verb: "get", state: "used", source: "ClusterRole r0" },
    ]);
  });

  it("have the names of objects in the marker to remove", () => {
    const roles = rolesOf([{ subject: ACCOUNT, rule: { verbs: ["get"], resourceNames: ["a", "b"] } }]);
    expect(permissionsOf(roles, { user: USER, requests: [] })).toMatchObject([
      { state: "unused", marker: '+kubebuilder:rbac:groups="",resources=pods,resourceNames=a;b,verbs=get' },
    ]);
  });

  it("name the marker to remove where a marker and another file grant the same", () => {
    const roles = rolesOf([
      { subject: ACCOUNT, rule: { verbs: ["get"] } },
      { subject: ACCOUNT, rule: { verbs: ["get"] } },
    ]);
    for (const foreign of ["r0", "r1"]) {
      const sourceOf = ({ name }: { readonly name: string }): { readonly source: string } | undefined =>
        name === foreign ? { source: "x.yaml" } : undefined;
      expect(permissionsOf(roles, { user: USER, requests: [], sourceOf })).toMatchObject([
        { state: "unused", marker: '+kubebuilder:rbac:groups="",resources=pods,verbs=get' },
      ]);
    }
  });
});
