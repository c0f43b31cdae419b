import path from "node:path";

import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { createDiskHost, type SourceHost } from "../../src/loader/source-host.ts";
import { type GenerateResult, runGenerators } from "../../src/run/run-generators.ts";
import { GOLDEN_KUBERNETES, goldenCases, invalidCases, withoutVersion } from "../support/golden-cases.ts";

const DEFAULTS = ["schemapatch:manifests=manifests"];

function patch(root: string, words: readonly string[]): Promise<GenerateResult> {
  return runGenerators({
    root,
    kubernetesVersion: GOLDEN_KUBERNETES,
    arguments: [...words, "paths=./...", "output:dir=patched"],
  });
}

// The files as the golden one has them: in the order of their names, each behind a line with its name.
function joined({ files }: GenerateResult): string {
  return files
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map(({ path: file, content }) => `# ${path.posix.basename(file)}\n${content}`)
    .join("");
}

function withText(file: string, text: string): SourceHost {
  const disk = createDiskHost();
  return { ...disk, readFile: (each) => (each === file ? text : disk.readFile(each)) };
}

describe("the schemapatch generator", () => {
  it.each(goldenCases("schemapatch", DEFAULTS))("writes what controller-gen writes for $name", async (each) => {
    const result = await patch(each.input, each.arguments);
    expect(renderDiagnostics(result.diagnostics)).toBe(each.warnings.trimEnd());
    expect(withoutVersion(joined(result))).toBe(each.expected);
  });

  it.each(invalidCases("schemapatch"))("refuses $name with a hint", async ({ folder, arguments: words }) => {
    const result = await patch(path.join(folder, "input"), words.length === 0 ? DEFAULTS : words);
    expect(result.files).toEqual([]);
    await expect(`${renderDiagnostics(result.diagnostics)}\n`).toMatchFileSnapshot(path.join(folder, "expected.txt"));
  });

  it("writes a patched folder the same a second time", async () => {
    const [{ input } = { input: "" }] = goldenCases("schemapatch", DEFAULTS).filter(({ name }) => name === "generated");
    const [first] = (await patch(input, DEFAULTS)).files;
    const again = await runGenerators({
      root: input,
      arguments: [...DEFAULTS, "paths=./...", "output:dir=patched"],
      host: withText(path.join(input, "manifests", "demo.example.com_widgets.yaml"), first?.content ?? ""),
    });
    expect(again.files).toEqual([first]);
  });
});
