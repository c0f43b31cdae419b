import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const HEAD = `// +groupName=example.com
import type { int32, Quantity } from "@kubescaffold/k8s";
import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";
import type { ResourceList, ResourceRequirements } from "@kubescaffold/k8s/core/v1";
interface S3 { type: "s3"; bucket: string }
interface Gcs { type: "gcs"; bucket: string; zone?: string }
interface Local { type: "local"; path: string }
type Cloud = S3 | Gcs;
type Clouds = Cloud;
type MaybeCloud = Clouds | null;
type Either<A, B> = A | B;
type Grow<T> = T | Grow<T[]>;
type Text = string | null;
type Level = "a" | "b" | null;
type Key = \`app-\${string}\`;
type Labels = Record<string, string>;
`;

async function schemaOf(type: string): Promise<{ readonly schema: string; readonly findings: string }> {
  const kind = `/** +kubebuilder:object:root=true */\nexport interface A extends NamespacedObject { spec: { field?: ${type} } }\n`;
  const host = memoryHost({ "/project/api/v1/types.ts": HEAD + kind });
  const { files, diagnostics } = await runGenerators({ root: "/project", arguments: ["crd", "paths=./..."], host });
  const yaml = files[0]?.content ?? "";
  const start = yaml.indexOf("              field:\n");
  return {
    schema: yaml.slice(start, yaml.indexOf("\n            type: object\n        required:", start)),
    findings: renderDiagnostics(diagnostics),
  };
}

describe("a name", () => {
  it.each([
    ["Cloud | Local", "S3 | Gcs | Local"],
    ["Clouds | Local", "S3 | Gcs | Local"],
    ["Local | Cloud", "Local | S3 | Gcs"],
    ["Either<Cloud, Local>", "S3 | Gcs | Local"],
    ["Either<Either<S3, Gcs>, Local>", "S3 | Gcs | Local"],
    ["MaybeCloud | Local", "S3 | Gcs | Local | null"],
    ["Cloud | S3 | Local", "S3 | Gcs | Local"],
    ["(Cloud | Local)[]", "(S3 | Gcs | Local)[]"],
    ["Text | null", "string | null"],
    ["Partial<Labels>", "Record<string, string>"],
    ["Required<Record<string, int32>>", "Record<string, int32>"],
    ["Partial<string[]>", "string[]"],
    ["Partial<int32>", "int32"],
    ["ResourceList", "Record<string, Quantity>"],
    ["Partial<ResourceList>", "Record<string, Quantity>"],
    ['ResourceRequirements["limits"]', "ResourceList"],
  ])("in %s means the same as %s", async (named, plain) => {
    const [left, right] = [await schemaOf(named), await schemaOf(plain)];
    expect(left.findings).toBe("");
    expect(left.schema).not.toBe("");
    expect(left.schema).toBe(right.schema);
  });

  it("of nullable literals makes the union nullable", async () => {
    const { schema, findings } = await schemaOf('Level | "c"');
    expect(schema).toContain(
      "enum:\n                - a\n                - b\n                - c\n                nullable: true",
    );
    expect(findings).toContain("GENERATE_NULLABLE_ENUM");
  });
});

it("a generic union that contains larger instances of itself is one error", async () => {
  const { findings } = await schemaOf("Grow<string>");
  expect(findings.match(/ - error /gu)).toHaveLength(1);
  expect(findings).toContain("GENERATE_TOO_DEEP");
});

describe("keys of a map", () => {
  it.each(["Record<Key, string>", "Record<`app-${string}`, string>", "{ [key: `app-${string}`]: string }"])(
    "that are a template, as in %s, are one error with the rule that checks them",
    async (type) => {
      const { findings } = await schemaOf(type);
      expect(findings.match(/error/gu)).toHaveLength(1);
      expect(findings).toContain("GENERATE_MAP_KEY: the schema of a map cannot limit its keys to a template");
      expect(findings).toContain(String.raw`self.all(key, key.matches("^app-[\\s\\S]*$"))`);
    },
  );
});
