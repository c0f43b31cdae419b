import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { jsonSize } from "../../src/checks/crd-size.ts";
import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const ANNOTATION_LIMIT = 256 * 1024;
const RECORD = "kubectl.kubernetes.io/last-applied-configuration";

// A real kubectl 1.35 against a real server 1.35.4 takes the first size of each pair and refuses the second.
describe("a large CRD", () => {
  it.each([
    ["plain text", "x", {}],
    ["text that is longer in JSON", 'a < b & c > "d" \\ é \u2028 e', {}],
    ["annotations of its own", "x", { team: "one" }],
  ])("of %s is named from the first byte that client-side apply cannot record", async (_, text, annotations) => {
    const withText = (padding: number): Promise<GenerateResult> => generate(text + "x".repeat(padding), annotations);
    const room = ANNOTATION_LIMIT - recorded(await withText(0));
    expect((await withText(room)).diagnostics).toEqual([]);
    const { diagnostics, files } = await withText(room + 1);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "CRD_TOO_LARGE_TO_APPLY" }]);
    expect(files).toHaveLength(1);
  });

  it("is shown with its largest branches and the fix", async () => {
    const { diagnostics } = await generate("x".repeat(ANNOTATION_LIMIT), {});
    expect(diagnostics[0]?.message).toMatch(
      /^the CRD widgets\.size\.example\.com has \d+ bytes as JSON, .* stores at most 262144 bytes .*; largest: v1 spec\.big \d+ bytes \((?:9\d|100) %\), all descriptions \d+ bytes \((?:9\d|100) %\)$/u,
    );
    expect(diagnostics[0]?.hint).toContain("maxDescLen=0");
    expect(diagnostics[0]?.hint).toContain("--server-side");
  });

  it("beyond what etcd stores is an error", async () => {
    const { diagnostics, files } = await generate("x".repeat(1_572_864), {});
    expect(diagnostics).toMatchObject([{ severity: "error", code: "CRD_TOO_LARGE" }]);
    expect(files).toEqual([]);
    expect((await generate("x".repeat(1_500_000), {})).diagnostics).toMatchObject([{ code: "CRD_TOO_LARGE_TO_APPLY" }]);
  });
});

it("characters that HTML knows take six bytes, as Go writes them", () => {
  expect(jsonSize({ a: "<>&" })).toBe('{"a":"\\u003c\\u003e\\u0026"}'.length);
  expect(jsonSize({ a: "é\u2028" })).toBe(Buffer.byteLength('{"a":"é\\u2028"}'));
});

function generate(text: string, annotations: Readonly<Record<string, string>>): Promise<GenerateResult> {
  const markers = Object.entries(annotations).map(
    ([key, value]) => ` * +kubebuilder:metadata:annotations="${key}=${value}"\n`,
  );
  const source = `// +groupName=size.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
/**
 * A widget.
${markers.join("")} */
export interface Widget extends KubernetesObject {
  spec: {
    /** ${text} */
    big?: string;
  };
}
`;
  return runGenerators({ root: "/p", arguments: ["crd", "paths=./..."], host: memoryHost({ "/p/v1/a.ts": source }) });
}

// Counted by the letter: the object as kubectl writes it into its annotation.
function recorded({ files }: GenerateResult): number {
  const object = readYaml(files[0]?.content ?? "") as {
    readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  };
  const own = Object.entries(object.metadata.annotations).flat().join("");
  const text = JSON.stringify(object).replaceAll(/[<>&\u2028]/gu, "\\u0000");
  return Buffer.byteLength(`${text}\n${RECORD}${own}`);
}
