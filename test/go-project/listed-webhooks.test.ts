import { describe, expect, it } from "vitest";

import { readCrds } from "../../packages/generators/src/importer/crd-facts.ts";
import { withSpokes } from "../../src/go-project/listed-webhooks.ts";
import type { ProjectResource, ProjectWebhooks } from "../../src/project/project-config.ts";

const STORED = "v2";

const CRDS = readCrds(
  [
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      spec: {
        group: "crew.sea.io",
        names: { kind: "Boat" },
        versions: ["v1", "v2", "v3"].map((name) => ({
          name,
          storage: name === STORED,
          schema: { openAPIV3Schema: { type: "object" } },
        })),
      },
    },
  ],
  "config/crd/bases/crew.sea.io_boats.yaml",
);

function boat(version: string, webhooks?: ProjectWebhooks): ProjectResource {
  return {
    api: { crdVersion: "v1" },
    domain: "sea.io",
    group: "crew",
    kind: "Boat",
    version,
    ...(webhooks === undefined ? {} : { webhooks }),
  };
}

function webhooksAfter(...resources: readonly ProjectResource[]): readonly (ProjectWebhooks | undefined)[] {
  const project = { version: "3", domain: "sea.io", layout: [], projectName: "fleet", repo: "fleet", resources };
  return (withSpokes({ project, readFrom: [] }, CRDS).project.resources ?? []).map(({ webhooks }) => webhooks);
}

const OPEN: ProjectWebhooks = { conversion: true, webhookVersion: "v1" };

describe("the conversions of a Go project", () => {
  it("are those of all other versions where PROJECT lists none", () => {
    expect(webhooksAfter(boat("v1"), boat("v2", OPEN), boat("v3"))).toEqual([
      undefined,
      { ...OPEN, spoke: ["v1", "v3"] },
      undefined,
    ]);
  });

  it("go to the stored version if several are said to be the hub", () => {
    expect(webhooksAfter(boat("v1", { ...OPEN, defaulting: true }), boat("v2", OPEN))).toEqual([
      { defaulting: true, webhookVersion: "v1" },
      { ...OPEN, spoke: ["v1"] },
    ]);
  });

  it("go to the version that lists its spokes, whichever is stored", () => {
    const hub = { ...OPEN, spoke: ["v2"] };
    expect(webhooksAfter(boat("v1", hub), boat("v2", OPEN))).toEqual([hub, undefined]);
  });

  it("are none for a kind of one version, whose webhook could not be built", () => {
    expect(webhooksAfter(boat("v1", OPEN))).toEqual([undefined]);
  });
});
