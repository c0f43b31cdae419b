import { createEmbeddedCluster, type EmbeddedCluster, type EmbeddedClusterOptions } from "@kubescaffold/cluster";
import { afterEach, describe, expect, it } from "vitest";

const clusters: EmbeddedCluster[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});

async function statusOf(
  options: EmbeddedClusterOptions,
  token?: string,
): Promise<{ readonly code: number; readonly text: string }> {
  const cluster = createEmbeddedCluster({
    lifecycleControllers: false,
    tokens: [
      { token: "x", name: "ann", groups: [] },
      { token: "m", name: "root", groups: ["system:masters"] },
    ],
    ...options,
  });
  clusters.push(cluster);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await cluster.server.handle(new Request("http://in.process/api/v1/secrets", { headers }));
  return { code: response.status, text: await response.text() };
}

describe("authorization modes", () => {
  it("decide by roles by default", async () => {
    expect((await statusOf({}, "x")).code).toBe(403);
  });

  it("are asked in order, and the first that allows decides", async () => {
    expect((await statusOf({ authorizationModes: ["RBAC", "AlwaysAllow"] }, "x")).code).toBe(200);
    const denied = await statusOf({ authorizationModes: ["AlwaysDeny", "RBAC"] }, "x");
    expect(denied.code).toBe(403);
    expect(denied.text).toContain("Everything is forbidden.");
  });

  it("never deny members of system:masters", async () => {
    expect((await statusOf({ authorizationModes: ["AlwaysDeny"] }, "m")).code).toBe(200);
  });

  it("leave requests without credentials to the option allowAnonymous", async () => {
    expect((await statusOf({ authorizationModes: ["AlwaysAllow"] })).code).toBe(200);
    expect((await statusOf({ authorizationModes: ["AlwaysAllow"], allowAnonymous: false })).code).toBe(401);
  });
});
