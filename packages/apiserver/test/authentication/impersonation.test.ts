import { createEmbeddedCluster } from "@kubescaffold/cluster";
import type { StatusError } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { impersonate } from "../../src/authentication/impersonation.ts";
import type { Authorizer } from "../../src/pipeline/extension-points.ts";
import { defaultRelease, type Release, withGates } from "../../src/release/release.ts";
import { bindingOf, RBAC, requestsOf, roleOf } from "../support/cluster-requests.ts";

const ALICE = { name: "alice", groups: ["system:authenticated"] };
const ALLOW: Authorizer = { authorize: () => ({ allowed: true, reason: "" }) };
const NOTHING = { record: () => undefined };

function headers(values: Readonly<Record<string, string | readonly string[]>>): Parameters<typeof impersonate>[0] {
  return {
    header: (name) => [values[name] ?? []].flat().join(", ") || undefined,
    headerValues: (name) => [values[name] ?? []].flat(),
    headerNames: () => Object.keys(values),
  };
}

describe("impersonate", () => {
  it("leaves a user alone who asks for nothing", async () => {
    expect(
      await impersonate(headers({ accept: "*/*" }), {
        user: ALICE,
        authorizer: ALLOW,
        permissions: NOTHING,
        release: defaultRelease,
      }),
    ).toBe(ALICE);
  });

  it("takes user, groups, uid and extras from the headers and adds the group of the authenticated", async () => {
    const request = headers({
      "impersonate-user": "bob",
      "impersonate-group": ["devs", "ops"],
      "impersonate-uid": "u1",
      "impersonate-extra-scopes": ["view", "edit"],
      "impersonate-extra-acme.com%2fproject": "one",
    });
    expect(
      await impersonate(request, { user: ALICE, authorizer: ALLOW, permissions: NOTHING, release: defaultRelease }),
    ).toEqual({
      name: "bob",
      uid: "u1",
      groups: ["devs", "ops", "system:authenticated"],
      extra: { scopes: ["view", "edit"], "acme.com/project": ["one"] },
    });
  });

  it.each([
    [{ "impersonate-user": "system:anonymous" }, ["system:unauthenticated"]],
    [{ "impersonate-user": "bob", "impersonate-group": "system:unauthenticated" }, ["system:unauthenticated"]],
    [
      { "impersonate-user": "system:serviceaccount:n:robot" },
      ["system:serviceaccounts", "system:serviceaccounts:n", "system:authenticated"],
    ],
    [{ "impersonate-user": "system:serviceaccount:n:robot", "impersonate-group": "x" }, ["x", "system:authenticated"]],
  ])("implies the groups of %o", async (values, groups) => {
    const user = await impersonate(headers(values), {
      user: ALICE,
      authorizer: ALLOW,
      permissions: NOTHING,
      release: defaultRelease,
    });
    expect(user).toEqual({ name: values["impersonate-user"], groups });
  });

  it.each([
    [
      { "impersonate-group": ["devs", "b"] },
      "[{Group  devs    } {Group  b    }]",
      '&user.DefaultInfo{Name:"", UID:"", Groups:[]string{"devs", "b"}, Extra:map[string][]string(nil)}',
    ],
    [
      { "impersonate-uid": "u1", "impersonate-extra-scopes": "edit" },
      "[{UserExtra  edit  authentication.k8s.io/v1  scopes} {UID  u1  authentication.k8s.io/v1  }]",
      '&user.DefaultInfo{Name:"", UID:"u1", Groups:[]string(nil), Extra:map[string][]string{"scopes":[]string{"edit"}}}',
    ],
  ])("refuses %o without a user", async (values, older, newer) => {
    const messageOf = async (release: Release): Promise<unknown> => {
      const given = { user: ALICE, authorizer: ALLOW, permissions: NOTHING, release };
      return await impersonate(headers(values), given).catch((error: StatusError) => error.status);
    };
    expect(await messageOf(withGates(defaultRelease, { ConstrainedImpersonation: false }))).toMatchObject({
      code: 400,
      message: `requested ${older} without impersonating a user`,
    });
    expect(await messageOf(defaultRelease)).toMatchObject({
      code: 400,
      message: `requested ${newer} without impersonating a user name`,
    });
  });

  it("takes every value as it is, whatever its characters", async () => {
    const request = headers({
      "impersonate-user": ["a, b", "c"],
      "impersonate-group": ["g, h", "i,j", ""],
      "impersonate-extra-__proto__": "x",
      "impersonate-extra-constructor": ["y", "z"],
      "impersonate-extra-acme.com%2FPROJECT": "p",
      "impersonate-extra-%zz": "q",
    });
    const {
      name,
      groups,
      extra = {},
    } = await impersonate(request, { user: ALICE, authorizer: ALLOW, permissions: NOTHING, release: defaultRelease });
    expect([name, groups]).toEqual(["a, b", ["g, h", "i,j", "", "system:authenticated"]]);
    expect(Object.entries(extra)).toEqual([
      ["__proto__", ["x"]],
      ["constructor", ["y", "z"]],
      ["acme.com/project", ["p"]],
      ["%zz", ["q"]],
    ]);
  });

  it.each([
    "system:serviceaccount:-a:b",
    "system:serviceaccount:a:B",
    "system:serviceaccount:a:b:c",
    "system:serviceaccount:a:b..c",
    "system:serviceaccount::b",
    `system:serviceaccount:${"a".repeat(64)}:b`,
  ])("takes %s for no service account", async (name) => {
    const user = await impersonate(headers({ "impersonate-user": name }), {
      user: ALICE,
      authorizer: ALLOW,
      permissions: NOTHING,
      release: defaultRelease,
    });
    expect(user).toEqual({ name, groups: ["system:authenticated"] });
  });

  it("asks for each part by its own resource and name, as the one who impersonates", async () => {
    const asked: string[] = [];
    const authorizer: Authorizer = {
      authorize: ({ user, verb, group, resource, subresource, namespace, name }) => {
        asked.push([user.name, verb, group, resource, subresource, namespace, name].join("|"));
        return { allowed: true, reason: "" };
      },
    };
    const request = headers({
      "impersonate-user": "system:serviceaccount:n:robot",
      "impersonate-group": "devs",
      "impersonate-uid": "u1",
      "impersonate-extra-scopes": "view",
    });
    await impersonate(request, { user: ALICE, authorizer, permissions: NOTHING, release: defaultRelease });
    expect(asked).toEqual([
      "alice|impersonate||serviceaccounts||n|robot",
      "alice|impersonate||groups|||devs",
      "alice|impersonate|authentication.k8s.io|userextras|scopes||view",
      "alice|impersonate|authentication.k8s.io|uids|||u1",
    ]);
  });
});

describe("a request with impersonation headers", () => {
  it("is decided and answered as the other user, and refused with the texts of a real server", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    await admin.post(
      `${RBAC}/clusterroles`,
      roleOf("ClusterRole", "imp", [
        { apiGroups: [""], resources: ["users"], verbs: ["impersonate"], resourceNames: ["bob"] },
        { apiGroups: [""], resources: ["configmaps"], verbs: ["list"] },
      ]),
    );
    await admin.post(
      `${RBAC}/clusterrolebindings`,
      bindingOf("ClusterRoleBinding", "imp", { kind: "ClusterRole", name: "imp", users: ["alice"] }),
    );
    const as = (...values: readonly (readonly [string, string])[]): ReturnType<typeof requestsOf> =>
      requestsOf(cluster.addUser({ name: "alice" }), values);
    const path = "/api/v1/namespaces/default/configmaps";
    expect(await as().get(path)).toMatchObject({ status: 200 });
    expect((await as(["Impersonate-User", "bob"]).get(path)).body["message"]).toBe(
      'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    expect((await as(["Impersonate-User", "carol"]).get(path)).body["message"]).toBe(
      'users "carol" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    const escaped = as(
      ["Impersonate-User", "bob"],
      ["Impersonate-Group", "x"],
      ["Impersonate-Group", "system:masters"],
    );
    expect(await escaped.get(path)).toMatchObject({ status: 403, body: { details: { name: "x", kind: "groups" } } });
    await cluster.close();
  });
});
