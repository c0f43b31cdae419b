import { Environment } from "@kubescaffold/envtest";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { isNoMatch } from "../../src/discovery/errors.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";

const environment = new Environment();
afterAll(() => environment.stop());

const LATE = { group: "late.demo", version: "v1", kind: "Late" };

it("row 57: a kind installed at run time is resolved by one request, and discovery is not repeated for known kinds", async () => {
  const config = await environment.start();
  const log = createRecordingLogger();
  const client = createClient(config, { log, requestLog: ["url"] });
  const requested = (): readonly string[] =>
    log.records.flatMap(({ fields: { url } }) => (typeof url === "string" ? [new URL(url).pathname] : []));
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
  const before = requested().length;
  const mapping = { gvr: { group: "late.demo", version: "v1", resource: "lates" }, scope: "cluster" };
  expect(await client.restMapper.restMapping(LATE)).toMatchObject(mapping);
  expect(await client.restMapper.restMapping(LATE)).toMatchObject(mapping);
  expect(requested().slice(before)).toEqual(["/apis/late.demo/v1"]);
});
