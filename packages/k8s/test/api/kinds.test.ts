import { readdirSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { Deployment } from "../../src/api/apps/v1.ts";
import { ConfigMap, Pod } from "../../src/api/core/v1.ts";
import { groupResourceToString } from "../../src/group-version.ts";
import { resourceNameOf } from "../../src/pluralize.ts";
import { builtInResources } from "../../src/tables/schemas.ts";

const api = new URL("../../src/api/", import.meta.url);
const WITHOUT_KINDS = ["admission", "apply", "meta"];
const places = readdirSync(api)
  .filter((folder) => !WITHOUT_KINDS.includes(folder))
  .flatMap((folder) => readdirSync(new URL(folder, api)).map((file) => `${folder}/${file}`));

describe("the modules of built-in kinds", () => {
  it("define a kind for every resource that has metadata", async () => {
    const defined = new Set<string>();
    for (const place of places) {
      const module = (await import(new URL(place, api).href)) as Record<
        string,
        { group?: string; version?: string; kind?: string }
      >;
      for (const [name, value] of Object.entries(module)) {
        if (value.kind === undefined) continue;
        expect(value.kind).toBe(name);
        expect(Object.isFrozen(value)).toBe(true);
        defined.add(
          `${groupResourceToString({ group: value.group ?? "", resource: resourceNameOf(name) })}/${value.version ?? ""}`,
        );
      }
    }
    const resources = builtInResources.map(
      (resource) =>
        `${groupResourceToString({ group: resource.group, resource: resource.plural })}/${resource.version}`,
    );
    expect(resources.filter((resource) => !defined.has(resource))).toEqual([]);
  });

  it("make objects that say what they are", () => {
    const deployment: Deployment = Deployment.create({
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: { spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    });
    expect(deployment).toMatchObject({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } });
    expect(Pod.create({ metadata: {} }).apiVersion).toBe("v1");
  });

  it("type the fields of objects strictly", () => {
    // @ts-expect-error the values of a config map are strings
    ConfigMap.create({ metadata: {}, data: { a: 1 } });
    // @ts-expect-error a deployment has no such field
    Deployment.create({ metadata: {}, specification: {} });
    // @ts-expect-error a container's pull policy is one of three words
    Pod.create({ metadata: {}, spec: { containers: [{ name: "a", imagePullPolicy: "Sometimes" }] } });
    expect(ConfigMap.create({ metadata: {}, data: { a: "1" } }).data).toEqual({ a: "1" });
  });
});
