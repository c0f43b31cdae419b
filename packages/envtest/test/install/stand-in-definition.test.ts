import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createClient } from "@kubescaffold/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { Environment } from "../../src/environment/environment.ts";
import { standInDefinition } from "../../src/install/install-crds.ts";

interface Thing extends KubernetesObject {
  readonly spec?: { readonly anything: readonly string[] };
  readonly status?: { readonly ready: boolean };
}

describe("a stand-in definition", () => {
  it.each([
    ["certs.example.com", { namespaced: true }],
    ["gateway.networking.k8s.io", { namespaced: false, plural: "thinges" }],
  ])("for a kind of %s takes any object, and its status apart", async (group, options) => {
    const Thing: Kind<Thing> = defineKind<Thing>({ group, version: "v1" }, "Thing");
    const environment = new Environment({ crds: [standInDefinition(Thing, options)] });
    const client = createClient(await environment.start());
    onTestFinished(() => environment.stop());
    const metadata = { name: "one", ...(options.namespaced ? { namespace: "default" } : {}) };
    const spec = { anything: ["goes"] };
    const created = await client.create(Thing.create({ metadata, spec, status: { ready: true } }));
    expect(created.spec).toEqual(spec);
    expect(created.status).toBeUndefined();
    const written = await client.status().update({ ...created, status: { ready: true } });
    expect(written.status).toEqual({ ready: true });
  });

  it("has the plural of the kind unless another is given", () => {
    const policy = { group: "example.com", version: "v1", kind: "Policy" };
    expect(standInDefinition(policy).metadata.name).toBe("policies.example.com");
    expect(standInDefinition(policy, { plural: "policys" }).spec.names.plural).toBe("policys");
  });
});
