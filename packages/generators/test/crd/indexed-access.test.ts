import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const HEAD = `// +groupName=example.com
import type { int32 } from "@kubescaffold/k8s";
import type { NamespacedObject, ObjectMeta } from "@kubescaffold/k8s/meta/v1";
import type { Container, ContainerPort } from "@kubescaffold/k8s/core/v1";
interface Inner { text?: string; list?: Item[]; union?: string | null; object?: { deep?: boolean } | null; numbers: ReadonlyArray<int32> }
interface Item { id: string }
interface Outer { inner: Inner }
type List = Item[];
type Of<T> = T;
`;

async function schemaOf(type: string): Promise<{ readonly schema: string; readonly findings: string }> {
  const kind = `/** +kubebuilder:object:root=true */\nexport interface A extends NamespacedObject { spec: { field?: ${type} } }\n`;
  const host = memoryHost({ "/project/api/v1/types.ts": HEAD + kind });
  const { files, diagnostics } = await runGenerators({ root: "/project", arguments: ["crd", "paths=./..."], host });
  const yaml = files[0]?.content ?? "";
  const start = yaml.indexOf("              field:\n");
  return {
    schema: yaml.slice(start, yaml.indexOf("\n            type: object", start)),
    findings: renderDiagnostics(diagnostics),
  };
}

describe("an indexed access", () => {
  it.each([
    ['Outer["inner"]["text"]', "string"],
    ['Inner["list"][number]', "Item"],
    ['NonNullable<Inner["list"]>[number]', "Item"],
    ["List[number]", "Item"],
    ['List[number]["id"]', "string"],
    ['Of<Outer>["inner"]["numbers"][number]', "int32"],
    ['NonNullable<Outer["inner"]["object"]>["deep"]', "boolean"],
    ['NonNullable<Inner["union"]>', "string"],
    ['NonNullable<Outer["inner"]["union"]>', "string"],
    ['Container["name"]', "string"],
    ['NonNullable<Container["ports"]>[number]["hostPort"]', "int32"],
    ['NonNullable<Container["ports"]>[number]', "Item_of_ports"],
    ['Pick<ObjectMeta, "labels">', "{ labels?: Record<string, string> }"],
    ['ObjectMeta["annotations"]', "Record<string, string>"],
  ])("%s means the same as %s", async (type, plain) => {
    const [access, named] = [await schemaOf(type), await schemaOf(plain === "Item_of_ports" ? "ContainerPort" : plain)];
    expect(access.findings).toBe("");
    // Only items of the list itself have the default that makes the protocol a key.
    expect(access.schema.replace("                  default: TCP\n", "")).toBe(
      named.schema.replace("                  default: TCP\n", ""),
    );
  });

  it("to a list of a built-in type has the list's own keys", async () => {
    const { schema, findings } = await schemaOf('Container["ports"]');
    expect(findings).toBe("");
    expect(schema).toContain(
      "x-kubernetes-list-map-keys:\n                - containerPort\n                - protocol",
    );
  });

  it.each(['Pick<ObjectMeta, "generateName">', 'Inner["text"][number]', 'Inner["text" | "list"]'])(
    "%s without a schema is an error whose hint does not propose it again",
    async (type) => {
      const { findings } = await schemaOf(type);
      expect(findings).toContain("GENERATE_UNSUPPORTED_TYPE");
      expect(findings).not.toContain('T["name"]');
    },
  );
});
