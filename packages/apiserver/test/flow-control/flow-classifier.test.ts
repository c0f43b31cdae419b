import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { API_SERVER } from "../../src/request/request-context.ts";

const SCHEMAS = { group: "flowcontrol.apiserver.k8s.io", resource: "flowschemas" } as const;

let cluster: EmbeddedCluster;

beforeEach(() => {
  cluster = createEmbeddedCluster();
});

afterEach(async () => cluster.close());

async function schemaOf(user: string): Promise<string | undefined> {
  const { transport, credentials } = cluster.addUser({ name: user });
  const token = credentials?.kind === "token" ? credentials.token : "";
  const response = await transport?.(
    new Request("http://cluster/version", { headers: { authorization: `Bearer ${token}` } }),
  );
  const uid = response?.headers.get("x-kubernetes-pf-flowschema-uid");
  return cluster.server.context.objects.list(SCHEMAS).find(({ metadata }) => metadata.uid === uid)?.metadata.name;
}

describe("responses", () => {
  it("name the FlowSchema of their user, also after a change and a restored snapshot", async () => {
    expect(await schemaOf("jane")).toBe("global-default");
    const snapshot = cluster.server.snapshot();
    const client = cluster.server.context.clientFor(API_SERVER);
    await client.create(
      { ...SCHEMAS, version: "v1", namespace: "", name: "" },
      {
        apiVersion: "flowcontrol.apiserver.k8s.io/v1",
        kind: "FlowSchema",
        metadata: { name: "janes" },
        spec: {
          priorityLevelConfiguration: { name: "workload-low" },
          matchingPrecedence: 200,
          rules: [
            {
              subjects: [{ kind: "User", user: { name: "jane" } }],
              nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/version"] }],
            },
          ],
        },
      },
    );
    expect(await schemaOf("jane")).toBe("janes");
    expect(await schemaOf("john")).toBe("global-default");
    await cluster.server.restore(snapshot);
    expect(await schemaOf("jane")).toBe("global-default");
  });
});
