import { Environment } from "@kubescaffold/envtest";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { isNoMatch } from "../../src/discovery/errors.ts";

const environment = new Environment({ backend: "embedded" });
afterAll(() => environment.stop());

const LATE = { group: "late.demo", version: "v1", kind: "Late" };

it("row 57: a kind installed at run time is resolved by one request, and discovery is not repeated for known kinds", async () => {
  const config = await environment.start();
  const requested: string[] = [];
  const client = createClient({
    ...config,
    transport: async (request) => {
      requested.push(new URL(request.url).pathname);
      return await (config.transport ?? fetch)(request);
    },
  });
  await client.restMapper.restMapping({ group: "apps", version: "v1", kind: "Deployment" });
  await expect(client.restMapper.restMapping(LATE)).rejects.toSatisfy(isNoMatch);
  const administrator = createClient(config);
  await administrator.create(
    CustomResourceDefinition.create({
      metadata: { name: "lates.late.demo" },
      spec: {
        group: "late.demo",
        names: { kind: "Late", plural: "lates" },
        scope: "Cluster",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    }),
  );
  await expect
    .poll(async () => await administrator.restMapper.restMapping(LATE).catch(() => undefined))
    .toMatchObject({ gvr: { resource: "lates" } });
  requested.length = 0;
  const mapping = { gvr: { group: "late.demo", version: "v1", resource: "lates" }, scope: "cluster" };
  expect(await client.restMapper.restMapping(LATE)).toMatchObject(mapping);
  expect(await client.restMapper.restMapping(LATE)).toMatchObject(mapping);
  expect(requested).toEqual(["/apis/late.demo/v1"]);
});
