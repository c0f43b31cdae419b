import { expect, it } from "vitest";

import { webhookGenerator } from "../../src/webhook/generate-webhooks.ts";
import { generatorInput } from "../support/generator-input.ts";

const WEBHOOK = `// +kubebuilder:webhook:path=/v,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=v.example.com,admissionReviewVersions=v1
`;

it("writes the configurations into one manifest, below the header", async () => {
  const input = await generatorInput({ "internal/webhook/v1/a.ts": WEBHOOK });
  const { artifacts } = webhookGenerator({ ...input, header: "# Header\n" });
  expect(artifacts.map((each) => [each.kind, each.name])).toEqual([["config", "manifests.yaml"]]);
  expect(artifacts[0]?.content.startsWith("# Header\n---\n")).toBe(true);
});
