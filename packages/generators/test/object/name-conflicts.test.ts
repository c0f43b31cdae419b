import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const PACKAGE = `// +groupName=example.com
// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
`;
const IMPORT = 'import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";\n';

function kind(name: string, types: string): string {
  return `${IMPORT}${types}
/** +kubebuilder:object:root=true */
export interface ${name} extends NamespacedObject { spec: ${name}Spec }
`;
}

async function findings(files: Readonly<Record<string, string>>, generator: string): Promise<readonly string[]> {
  const host = memoryHost({
    "/project/api/v1/groupversion_info.ts": PACKAGE,
    ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`/project/api/v1/${file}`, text])),
  });
  const { diagnostics } = await runGenerators({ root: "/project", arguments: [generator, "paths=./..."], host });
  return diagnostics.map((each) => renderDiagnostics([each]).split("\n")[0] ?? "");
}

describe("types that would get one name in a generated file", () => {
  it("are refused with both positions when two files declare types of one name", async () => {
    const files = {
      "a.ts": kind("A", "export interface Ref { name: string }\nexport interface ASpec { ref?: Ref }"),
      "b.ts": kind("B", "export interface Ref { uid: string }\nexport interface BSpec { ref?: Ref }"),
    };
    expect(await findings(files, "object")).toEqual([
      "api/v1/b.ts:2:18 - error GENERATE_NAME_CONFLICT: cannot generate code for Ref: in zz_generated.schema.ts, Ref is a name of Ref at api/v1/a.ts:2:18",
    ]);
    // The fields of the second one are part of the configuration of its kind.
    expect(await findings(files, "applyconfiguration")).toEqual([]);
  });

  it("are refused when both are marked for apply configurations", async () => {
    const marked = "/** +kubebuilder:ac:generate=true */\n";
    const files = {
      "a.ts": kind("A", `${marked}export interface Ref { name: string }\nexport interface ASpec { ref?: Ref }`),
      "b.ts": kind("B", `${marked}export interface Ref { uid: string }\nexport interface BSpec { ref?: Ref }`),
    };
    expect(await findings(files, "applyconfiguration")).toEqual([
      "api/v1/b.ts:3:18 - error GENERATE_NAME_CONFLICT: cannot generate code for Ref: in zz_generated.apply.ts, Ref is a name of Ref at api/v1/a.ts:3:18",
    ]);
  });

  it.each([
    [
      "object",
      "export interface Ref { name: string }\nexport interface RefSchema { name: string; ref: Ref }",
      "RefSchema",
    ],
    ["object", "export interface Schema { name: string }\nexport interface RefSchema { ref: Schema }", "Schema"],
    ["applyconfiguration", "export interface Ref { name: string }\nexport interface RefApply { ref: Ref }", "RefApply"],
    [
      "applyconfiguration",
      "export interface OwnFields { a: string }\nexport interface RefApply { ref: OwnFields }",
      "OwnFields",
    ],
  ])("are refused by %s when they differ by what it appends or imports", async (generator, types, name) => {
    const suffix = generator === "object" ? "RefSchema" : "RefApply";
    const files = { "a.ts": kind("A", `${types}\nexport interface ASpec { ref?: ${suffix} }`) };
    const found = await findings(files, generator);
    expect(found).toEqual([expect.stringContaining(`GENERATE_NAME_CONFLICT: cannot generate code for `)]);
    expect(found[0]).toContain(name);
  });
});
