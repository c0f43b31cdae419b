import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it, onTestFinished } from "vitest";

import { SampleObjects } from "../../src/verify/sample-objects.ts";
import { startWorld, type World } from "../../src/verify/world.ts";

const OPERATOR = path.join(import.meta.dirname, "operator");
const SERVICE = { apiVersion: "v1", kind: "Service", metadata: { name: "shop" } };
const SITE = { apiVersion: "verify.example.com/v1", kind: "Site", metadata: { name: "demo" } };

async function start(objects: readonly string[]): Promise<World> {
  const world = await startWorld({ command: "true", crds: [path.join(OPERATOR, "crd.yaml")], objects });
  onTestFinished(async () => await world.stop());
  return world;
}

describe("the world of a run", () => {
  it("has the objects that exist before the operator starts", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-objects-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, "settings.yaml");
    writeFileSync(file, "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { color: blue }\n");
    const { client } = await start([file]);
    const found = await client.get(ConfigMap, { namespace: "default", name: "settings" });
    expect(found.data).toEqual({ color: "blue" });
  });

  it("expects the watches of custom resources, and those of built-in kinds if there are no others", async () => {
    const { client, cluster } = await start([]);
    const watched = (...samples: readonly object[]): readonly string[] =>
      new SampleObjects(client, cluster.server, { samples: samples as never, changes: [] })
        .watchesOf("operator")
        .map(({ resource }) => resource);
    expect(watched(SERVICE)).toEqual(["services"]);
    expect(watched(SERVICE, SITE)).toEqual(["sites"]);
  });
});
