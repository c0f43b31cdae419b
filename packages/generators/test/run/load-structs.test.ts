import { expect, it } from "vitest";

import { generatorInput } from "../support/generator-input.ts";

const kindOf = (module: string, name: string): string => `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { ${name} } from "${module}";
export interface Widget extends KubernetesObject {
  spec: ${name};
}
`;

it("the schema of a built-in struct is there for sources that use one", async () => {
  const { structSchema } = await generatorInput({
    "v1/a.ts": kindOf("@kubescaffold/k8s/core/v1", "LocalObjectReference"),
  });
  expect(structSchema("core/v1.LocalObjectReference")).toMatchObject({ type: "object" });
});

it("the tables are not loaded for scalars", async () => {
  const { structSchema } = await generatorInput({ "v1/a.ts": kindOf("@kubescaffold/k8s", "Quantity") });
  expect(structSchema("core/v1.LocalObjectReference")).toBeUndefined();
});
