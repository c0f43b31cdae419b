// A definition with five CEL rules, for writes that evaluate them.
import { installCrds } from "@kubescaffold/envtest";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

const RULES = [
  "self.minimum <= self.replicas",
  "self.replicas <= self.maximum",
  "self.image.startsWith('registry.example.com/')",
  "self.names.all(name, name.size() < 20)",
  "self.replicas >= oldSelf.replicas || self.replicas >= self.minimum",
].map((rule) => ({ rule }));

const SPEC = {
  type: "object",
  required: ["replicas", "minimum", "maximum", "image", "names"],
  properties: {
    replicas: { type: "integer" },
    minimum: { type: "integer" },
    maximum: { type: "integer" },
    image: { type: "string", maxLength: 200 },
    names: { type: "array", maxItems: 20, items: { type: "string", maxLength: 50 } },
  },
  "x-kubernetes-validations": RULES,
};

const DEFINITION = CustomResourceDefinition.create({
  metadata: { name: "ruleds.bench.kubescaffold.dev" },
  spec: {
    group: "bench.kubescaffold.dev",
    names: { kind: "Ruled", listKind: "RuledList", plural: "ruleds", singular: "ruled" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: SPEC } } },
      },
    ],
  },
});

/** Creates the definition, and returns when its kind is served. */
export async function installDefinition(config) {
  await installCrds(config, { crds: [DEFINITION] });
}
