import { describe, expect, it } from "vitest";

import type { Authenticator, Authorizer, VirtualResource } from "../../src/pipeline/extension-points.ts";
import { CONFIG_MAPS, configMap, TestServer } from "../support/test-server.ts";

const byName: Authenticator = {
  authenticate: (request) => {
    const token = request.header("authorization")?.replace("Bearer ", "");
    if (token === undefined) {
      return { kind: "none" };
    }
    return token === "bad" ? { kind: "refused" } : { kind: "user", user: { name: token, groups: [] } };
  },
};

const onlyReads: Authorizer = {
  authorize: ({ verb }) => ({ allowed: verb === "get" || verb === "list", reason: "" }),
};

const as = (name: string): Record<string, string> => ({ Authorization: `Bearer ${name}` });

describe("the request handler", () => {
  it("row 110: answers 401 to wrong credentials and 403 to anonymous requests that may not", async () => {
    const server = new TestServer({ authenticators: [() => byName], authorizer: () => onlyReads });
    const unknown = await server.get(CONFIG_MAPS, as("bad"));
    expect([unknown.code, unknown.body.message, unknown.body.reason]).toEqual([401, "Unauthorized", "Unauthorized"]);
    const anonymous = await server.delete(`${CONFIG_MAPS}/a`);
    expect([anonymous.code, anonymous.body.message]).toEqual([
      403,
      'configmaps "a" is forbidden: User "system:anonymous" cannot delete resource "configmaps" in API group "" in the namespace "default"',
    ]);
  });

  it("refuses anonymous requests where they are not allowed", async () => {
    const server = new TestServer({ authenticators: [() => byName], allowAnonymous: false });
    expect((await server.get(CONFIG_MAPS)).code).toBe(401);
  });

  it("row 107: names verb, resource, group and scope in a refusal", async () => {
    const server = new TestServer({ authenticators: [() => byName], authorizer: () => onlyReads });
    const message = async (method: string, path: string): Promise<string> =>
      (await server.call(method, path, undefined, as("u"))).body.message as string;
    expect(await message("DELETE", "/apis/apps/v1/namespaces/default/deployments/d")).toBe(
      'deployments.apps "d" is forbidden: User "u" cannot delete resource "deployments" in API group "apps" in the namespace "default"',
    );
    expect(await message("DELETE", "/api/v1/nodes/n")).toBe(
      'nodes "n" is forbidden: User "u" cannot delete resource "nodes" in API group "" at the cluster scope',
    );
    expect(await message("PUT", "/apis/apps/v1/namespaces/default/deployments/d/status")).toContain(
      'cannot update resource "deployments/status" in API group "apps"',
    );
    expect(await message("POST", "/x")).toBe('forbidden: User "u" cannot post path "/x"');
  });

  it("answers health to everyone", async () => {
    const server = new TestServer({ authorizer: () => ({ authorize: () => ({ allowed: false, reason: "" }) }) });
    expect((await server.get("/readyz")).text).toBe("ok");
    expect((await server.get("/version")).code).toBe(403);
  });

  it("counts verbs by user, allowed and denied", async () => {
    const server = new TestServer({ authenticators: [() => byName], authorizer: () => onlyReads });
    await server.get(CONFIG_MAPS, as("u"));
    await server.get(CONFIG_MAPS, as("u"));
    await server.call("DELETE", `${CONFIG_MAPS}/a`, undefined, as("u"));
    expect(server.server.audit.entries("u")).toEqual([
      {
        user: "u",
        verb: "delete",
        group: "",
        resource: "configmaps",
        namespace: "default",
        path: "",
        allowed: 0,
        denied: 1,
      },
      {
        user: "u",
        verb: "list",
        group: "",
        resource: "configmaps",
        namespace: "default",
        path: "",
        allowed: 2,
        denied: 0,
      },
    ]);
    server.server.audit.clear();
    expect(server.server.audit.entries()).toEqual([]);
  });

  it("needs the right to create for a PUT that creates", async () => {
    const noCreates: Authorizer = { authorize: ({ verb }) => ({ allowed: verb !== "create", reason: "" }) };
    const server = new TestServer({ authorizer: () => noCreates });
    const { code } = await server.put("/apis/coordination.k8s.io/v1/namespaces/default/leases/l", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "l" },
    });
    expect(code).toBe(403);
  });

  it("runs admission plugins in order, mutating before checks and validating after", async () => {
    const seen: string[] = [];
    const server = new TestServer({
      admission: [
        () => ({
          name: "first",
          mutate: ({ object, operation }) => {
            seen.push(`mutate ${operation} uid=${String(object?.metadata.uid)}`);
            return object === undefined ? undefined : { ...object, data: { added: "1" } };
          },
        }),
        () => ({
          name: "second",
          mutate: ({ object }) => {
            seen.push(`second sees ${JSON.stringify(object?.["data"])}`);
            return undefined;
          },
          validate: ({ object, name, warn }) => {
            seen.push(`validate ${name} uid=${typeof object?.metadata.uid}`);
            warn("careful");
          },
        }),
      ],
    });
    const { body, warning } = await server.post(CONFIG_MAPS, configMap("a"));
    expect([body.data, warning]).toEqual([{ added: "1" }, '299 - "careful"']);
    expect(seen).toEqual(["mutate CREATE uid=undefined", 'second sees {"added":"1"}', "validate a uid=string"]);
  });

  it("answers creates of virtual resources", async () => {
    const echo: VirtualResource = {
      group: "authorization.k8s.io",
      version: "v1",
      resource: "selfsubjectaccessreviews",
      subresource: "",
      kind: { group: "authorization.k8s.io", version: "v1", kind: "SelfSubjectAccessReview" },
      create: ({ object, user }) => ({ ...object, status: { allowed: true, reason: user.name } }),
    };
    const server = new TestServer({ virtualResources: [() => [echo]] });
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb: "get", resource: "pods" } },
    };
    const { code, body } = await server.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review);
    expect([code, body.status]).toEqual([201, { allowed: true, reason: "kubernetes-admin" }]);
    const without = await new TestServer().post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review);
    expect(without.code).toBe(501);
  });

  it("fails the configured number of times with the configured code", async () => {
    const server = new TestServer();
    server.server.faults.add({
      kind: "error",
      code: 429,
      retryAfterSeconds: 3,
      times: 1,
      match: { resource: "configmaps" },
    });
    const { code, headers } = await server.get(CONFIG_MAPS);
    expect([code, headers.get("retry-after")]).toEqual([429, "3"]);
    expect((await server.get(CONFIG_MAPS)).code).toBe(200);
  });

  it("waits for the configured time on its clock", async () => {
    const server = new TestServer();
    const remove = server.server.faults.add({ kind: "latency", delayMs: 5000, match: { verb: "list" } });
    let isAnswered = false;
    const answer = server.get(CONFIG_MAPS).then(() => (isAnswered = true));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(isAnswered).toBe(false);
    server.clock.step(5000);
    await answer;
    remove();
    expect((await server.get(CONFIG_MAPS)).code).toBe(200);
  });

  it("closes a connection without a response on request", async () => {
    const server = new TestServer();
    server.server.faults.add({ kind: "disconnect", times: 1 });
    await expect(server.get(CONFIG_MAPS)).rejects.toMatchObject({ code: "APISERVER_DISCONNECTED" });
    expect((await server.get(CONFIG_MAPS)).code).toBe(200);
  });
});
