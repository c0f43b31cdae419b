import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { requireSyntax } from "../../../src/machinery/syntax/check-syntax.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

function created(file: string, content: string): Parameters<typeof requireSyntax>[0] {
  return [{ kind: "create", path: file, content, isExecutable: false }];
}

describe("the syntax of files that a command writes", () => {
  it.each([
    ["a.yaml", "resources:\n  - a\n- b\n", "cannot write a.yaml:3:1: the result is not valid YAML", "  - b\n  ^"],
    [
      "a.json",
      '{ "a": 1,, }',
      "cannot write a.json:1:10: the result is not valid JSON",
      '  { "a": 1,, }\n           ^',
    ],
    [
      "a.ts",
      "const a = ;\n",
      "cannot write a.ts:1:11: the result is not valid TypeScript",
      "  const a = ;\n            ^",
    ],
    [
      "a.mjs",
      "const a = ;",
      "cannot write a.mjs:1:11: the result is not valid JavaScript",
      "  const a = ;\n            ^",
    ],
  ])("of %s is checked, and the error shows the place", async (file, content, message, place) => {
    await expect(requireSyntax(created(file, content))).rejects.toThrow(
      expect.objectContaining({
        code: "SCAFFOLD_BROKEN_SYNTAX",
        message: expect.stringContaining(message),
        hint: expect.stringContaining("nothing was written"),
      }),
    );
    await expect(requireSyntax(created(file, content))).rejects.toThrow(place);
  });

  it.each([
    ["tsconfig.json", '{\n  // A comment.\n  "compilerOptions": {},\n}\n'],
    ["a.yaml", "\uFEFFa: 1\r\n---\r\nb: 2\r\n"],
    ["dist/chart/templates/manager.yaml", "{{- if .Values.on }}\na: {{ .Values.a }}\n{{- end }}\n"],
    ["a.ts", "@decorate()\nclass A { constructor(private readonly a: number) {} }\nenum E { A }\n"],
    ["a.ts", "/** @param {{ a: @type */\nfunction a() {}\n"],
    ["README.md", "- [ }"],
  ])("of %s is valid", async (file, content) => {
    await expect(requireSyntax(created(file, content))).resolves.toBeUndefined();
  });

  it("is reported for the first file in the order of the actions, whatever its language", async () => {
    const files = ["a.json", "b.ts", "c.yaml", "d.mjs"].map((file) => ({
      file,
      content: file.endsWith("l") ? "a: [" : "{ a: ] }",
    }));
    for (const [index, { file }] of files.entries()) {
      const rest = files.slice(index).flatMap((each) => created(each.file, each.content));
      await expect(requireSyntax([...created("a.ts", "a;\n"), ...rest])).rejects.toThrow(`cannot write ${file}:`);
    }
  });

  it("is not read again where a printer made the documents, but for the text above them", async () => {
    const printed = (content: string): Parameters<typeof requireSyntax>[0] => [
      { kind: "create", path: "a.yaml", content, isExecutable: false, isPrinted: true },
    ];
    await expect(requireSyntax(printed("# Ours\n\n---\na: [\n"))).resolves.toBeUndefined();
    await expect(requireSyntax(printed("---\r\na: [\r\n"))).resolves.toBeUndefined();
    await expect(requireSyntax(printed("a: [\n---\na: 1\n"))).rejects.toThrow("cannot write a.yaml:");
    await expect(requireSyntax(printed("a: [\n"))).rejects.toThrow("cannot write a.yaml:");
  });

  it("is that of the user's file when it was broken before", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API);
    const file = path.join(root, "config/crd/kustomization.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("- bases", "  - a\n- bases"));
    const before = readFiles(root);
    expect(await runCommand(root, "create api --group webapp --version v1 --kind Other --make=false")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot change config/crd/kustomization.yaml:4:1: it is not valid YAML"),
    });
    expect(readFiles(root)).toEqual(before);
  });
});
