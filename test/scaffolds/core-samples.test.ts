import { Environment } from "@kubescaffold/envtest";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { builtInResources } from "@kubescaffold/k8s/tables";
import { type Client, createClient, patch } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { coreSampleOf } from "../../src/scaffolds/core-samples.ts";

// Kinds that a controller can be made for, and that someone can make an object of.
const KINDS = builtInResources.filter(({ verbs }) => ["create", "watch"].every((verb) => verbs.includes(verb)));

describe("samples of Kubernetes' own kinds", () => {
  const environment = new Environment({ backend: "embedded" });
  let client: Client;

  beforeAll(async () => {
    client = createClient(await environment.start());
  });

  afterAll(() => environment.stop());

  async function changeAndDelete({ apiVersion, kind, metadata }: KubernetesObject): Promise<string> {
    const { name = "", namespace } = metadata;
    const key = namespace === undefined ? { name } : { name, namespace };
    await client.patch({ apiVersion, kind, metadata: { ...key, annotations: { changed: "true" } } }, patch.merge());
    await client.delete({ apiVersion, kind, metadata: key });
    return "embedded";
  }

  it.each(KINDS)(
    "$group/$version $kind: the server takes it, and a change of it",
    async ({ group, version, kind, namespaced }) => {
      const { name, isNamespaced, fields } = coreSampleOf(group, kind);
      expect(isNamespaced).toBe(namespaced);
      const metadata = { name, ...(namespaced ? { namespace: "default" } : {}) };
      const apiVersion = group === "" ? version : `${group}/${version}`;
      const sample: KubernetesObject = { apiVersion, kind, metadata, ...valueOf(fields) };
      const outcome = await client.create(sample).then(
        async (created) => await changeAndDelete(created),
        (error: unknown) => String(error),
      );
      expect(outcome).toBe("embedded");
    },
  );
});

function valueOf(fields: readonly string[]): Partial<KubernetesObject> {
  // oxlint-disable-next-line typescript/no-implied-eval -- the lines are those of this repository
  return new Function(`return {${fields.join("\n")}}`)() as Partial<KubernetesObject>;
}
