import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

async function generated(members: string, types = ""): Promise<{ readonly yaml: string; readonly findings: string }> {
  const source = `// +groupName=example.com
import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";
${types}
/** +kubebuilder:object:root=true */
export interface A extends NamespacedObject { spec: {
${members}
} }
`;
  const host = memoryHost({ "/project/api/v1/types.ts": source });
  const { files, diagnostics } = await runGenerators({ root: "/project", arguments: ["crd", "paths=./..."], host });
  return { yaml: files[0]?.content ?? "", findings: renderDiagnostics(diagnostics) };
}

describe("hints about values", () => {
  it.each([
    ["// +kubebuilder:default=12e4\n  a?: string;", 'quote it, so that it is a string: "12e4"'],
    ["// +kubebuilder:default=1.30\n  a?: string;", 'quote it, so that it is a string: "1.30"'],
    ["// +kubebuilder:default=true\n  a?: string;", 'quote it, so that it is a string: "true"'],
    [
      "// +kubebuilder:validation:Pattern=^a{1,2}$\n  a?: string;",
      "put the value in backticks: +kubebuilder:validation:Pattern=`^a{1,2}$`",
    ],
    [
      "// +kubebuilder:validation:Enum=1.30;1.31\n  a?: string;",
      'quote the values: +kubebuilder:validation:Enum="1.30";"1.31"',
    ],
  ])("repeat what the user wrote: %s", async (members, hint) => {
    const { findings } = await generated(members);
    expect(/^ +hint: (?<hint>.*)$/mu.exec(findings)?.groups?.["hint"]).toBe(hint);
  });
});

describe("raw keywords of a type", () => {
  it("replace its own documentation, not that of a property that uses it", async () => {
    const raw =
      '/** +kubescaffold:schema={"description":"of the type","example":"x","minLength":3} */\nexport type Raw = string;';
    const { yaml } = await generated(
      "/** of the property */\n  a?: Raw;\n  b?: Raw;\n  /** of the list\n   * +kubebuilder:example={y} */\n  c?: Raw[];",
      raw,
    );
    const spec = yaml.slice(
      yaml.indexOf("              a:"),
      yaml.indexOf("            type: object\n", yaml.indexOf("              c:")),
    );
    expect(spec).toBe(`              a:
                description: of the property
                example: x
                minLength: 3
                type: string
              b:
                description: of the type
                example: x
                minLength: 3
                type: string
              c:
                description: of the list
                example:
                - "y"
                items:
                  description: of the type
                  example: x
                  minLength: 3
                  type: string
                type: array
`);
  });
});
