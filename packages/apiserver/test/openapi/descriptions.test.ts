import type { Descriptions } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { fooCrd, TestServer } from "../support/test-server.ts";

const DESCRIPTIONS: Descriptions = {
  release: "v1.35.4",
  source: "a test",
  types: {
    "apps/v1.Deployment": { text: "Runs Pods.", fields: { spec: "What is wanted.", metadata: "Metadata of it." } },
    "apps/v1.DeploymentSpec": { fields: { replicas: "How many Pods." } },
    "core/v1.ConfigMap": { fields: { apiVersion: "The version.", kind: "The kind.", metadata: "Standard metadata." } },
    "meta/v1.ObjectMeta": { text: "Metadata of every object.", fields: { name: "The name." } },
  },
};

describe("OpenAPI documents with descriptions", () => {
  const described = (): TestServer => new TestServer({ descriptions: async () => DESCRIPTIONS });

  it("describe built-in kinds and their fields", async () => {
    const { schemas } = (await described().get("/openapi/v3/apis/apps/v1")).body.components;
    const deployment = schemas["io.k8s.api.apps.v1.Deployment"];
    expect(deployment.description).toBe("Runs Pods.");
    expect(deployment.properties.spec).toMatchObject({ description: "What is wanted.", allOf: [{}] });
    expect(schemas["io.k8s.api.apps.v1.DeploymentSpec"].properties.replicas.description).toBe("How many Pods.");
    expect(schemas["io.k8s.api.apps.v1.DaemonSet"].description).toBeUndefined();
  });

  it("describe the metadata of custom resources as that of built-in ones", async () => {
    const server = described();
    await server.define(fooCrd());
    const { schemas } = (await server.get("/openapi/v3/apis/example.com/v1")).body.components;
    const { apiVersion, kind, metadata } = schemas["com.example.v1.Foo"].properties;
    expect([apiVersion, kind, metadata].map(({ description }) => description)).toEqual([
      "The version.",
      "The kind.",
      "Standard metadata.",
    ]);
    expect(schemas["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"].properties.name.description).toBe("The name.");
  });

  it("describe definitions of version 2", async () => {
    const { definitions } = (await described().get("/openapi/v2")).body;
    expect(definitions["io.k8s.api.apps.v1.Deployment"]).toMatchObject({
      description: "Runs Pods.",
      properties: { spec: { description: "What is wanted." } },
    });
  });

  it("have other hashes, since clients keep documents by them", async () => {
    const hashes = async (server: TestServer): Promise<unknown> => (await server.get("/openapi/v3")).body.paths;
    const plain = await hashes(new TestServer());
    expect(await hashes(described())).not.toEqual(plain);
    expect(await hashes(described())).toEqual(await hashes(described()));
    expect(await hashes(new TestServer({ descriptions: async () => undefined }))).toEqual(plain);
  });

  it("read descriptions once, with the first request for a document", async () => {
    let reads = 0;
    const server = new TestServer({
      descriptions: async () => {
        reads += 1;
        return DESCRIPTIONS;
      },
    });
    await server.get("/apis/apps/v1");
    expect(reads).toBe(0);
    await server.get("/openapi/v3/apis/apps/v1");
    await server.get("/openapi/v3/api/v1");
    expect(reads).toBe(1);
  });
});
