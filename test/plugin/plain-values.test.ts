import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { FileTree } from "../../src/machinery/file-tree.ts";
import { syntaxProblem } from "../../src/machinery/syntax/check-syntax.ts";
import { arePlain, createScaffoldContext } from "../../src/plugin/scaffold-context.ts";
import { runCommand } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const isPlain = (value: unknown): boolean => arePlain({ value }, ["value"]);

// Of random texts few are plain, so most are made of what is near to it.
const near = fc.string({
  unit: fc.constantFrom(
    ...Array.from("aZ0_./-@ :#\"'`\\*{}[]\n\r\u2028,&!|>%$"),
    "class",
    "//",
    "/*",
    "*/",
    ": ",
    " #",
    "${",
  ),
  maxLength: 8,
});

async function problems(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(files).map(async ([path, text]) =>
      (await syntaxProblem(path, text)) === undefined ? [] : [`${path}: ${text}`],
    ),
  );
  return found.flat();
}

describe("plain values", () => {
  it.each([
    "guestbook",
    "5727742e.example.com",
    "../../api/v1/visitor_types.ts",
    "@acme/issuers/v1",
    "npm run",
    "",
    true,
    3,
    ["a", { b: "c-d" }],
  ])("are %j", (value) => {
    expect(isPlain(value)).toBe(!(typeof value === "string" && value.startsWith("@")));
  });

  it.each([
    'a"b',
    "a'b",
    "a`b",
    "a\\b",
    "a\nb",
    "a: b",
    "a #b",
    "- a",
    "a ",
    " a",
    "a  b",
    "${a}",
    "class",
    "a*/b",
    "/* a */ b */",
    "/* a",
    "// a",
    "// a\n b",
    1.5,
    -1,
    Number.NaN,
    null,
    undefined,
    [["a", "b: c"]],
    { a: { b: "x\ny" } },
  ])("are not %j", (value) => {
    expect(isPlain(value)).toBe(false);
  });

  it("parse wherever a template has a word", async () => {
    await fc.assert(
      fc.asyncProperty(near, async (value) => {
        fc.pre(isPlain(value));
        const files = {
          "text.ts": `/** ${value} */\nconst a = "${value}"; // ${value}\nimport { b } from "./${value}";\n`,
          "name.ts": /^[A-Za-z_]\w*$/u.test(value) ? `export class ${value} {}\nconst ${value}_ = ${value};\n` : "",
          "scalar.yaml": value === "" ? "" : `a: ${value}\nb:\n  - ${value}\n  - "${value}"\n# ${value}\n`,
        };
        expect(await problems(files)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each(['/*\nCopyright 2026 The authors\' "group".\n*/\n', "// One line.\n\n// Another.\n", "/* a */"])(
    "are comments as the license alone: %j",
    (value) => {
      expect(isPlain(value)).toBe(false);
      expect(arePlain({ boilerplate: value }, ["boilerplate"])).toBe(true);
    },
  );

  it.each(["/* a */ b", "/* a", "// a", "// a\n b"])("are no license that is more than comments: %j", (value) => {
    expect(arePlain({ boilerplate: value }, ["boilerplate"])).toBe(false);
  });

  it("parse at the top of a source, if they are comments", async () => {
    await fc.assert(
      fc.asyncProperty(near, fc.constantFrom("/*", "//"), fc.constantFrom("*/", "\n", ""), async (text, start, end) => {
        const value = `${start}${text}${end}`;
        fc.pre(arePlain({ boilerplate: value }, ["boilerplate"]));
        expect(await problems({ "a.ts": `${value}export const a = 1;\n` })).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a file of a template", () => {
  const render = (values: Readonly<Record<string, unknown>>, areTested: boolean, text = "{{value}}"): FileTree => {
    const tree = new FileTree({ read: () => undefined });
    const context = createScaffoldContext({
      tree,
      project: { layout: [], version: "3" },
      templates: {
        below: () => ({ "a.ts": () => ({ names: ["value"], spec: undefined }) }),
        areTested,
      },
      render: (_template, { value }) => text.replace("{{value}}", String(value)),
      note: () => undefined,
      flags: {},
      configuration: undefined,
      storeConfiguration: () => undefined,
    });
    context.renderTemplates("folder", { values });
    return tree;
  };
  const isKnown = (tree: FileTree): boolean => tree.actions().some((action) => "isPlain" in action);

  it("is not parsed again if the template is tested and its values are plain", () => {
    expect(isKnown(render({ value: "a" }, true))).toBe(true);
    expect(isKnown(render({ value: "a" }, false))).toBe(false);
    expect(isKnown(render({ value: '"' }, true))).toBe(false);
  });

  it("is parsed again once its lines were broken, or something was inserted", () => {
    const long = `const a = [${'"aaaaaaaaaaaaaaaaaaaaaaa", '.repeat(6)}{{value}}];`;
    expect(isKnown(render({ value: "a" }, true, long))).toBe(false);
    const tree = render({ value: "a" }, true);
    tree.update("a.ts", (text) => `${text};`);
    expect(isKnown(tree)).toBe(false);
  });
});

describe("all files of projects with unusual names", () => {
  it.each(["class", "new", "await", "true", "null", "n1", "a-b", "yes", "on"])(
    "parse: %s",
    { timeout: 60_000 },
    async (name) => {
      const root = temporaryFolder();
      const commands = [
        `init --domain ${name}.demo --project-name ${name} --owner ${name} --repo ${name} --skip-install`,
        `create api --group ${name} --version v1 --kind Thing --resource --controller --make=false`,
        `create webhook --group ${name} --version v1 --kind Thing --defaulting --programmatic-validation --make=false`,
      ];
      for (const command of commands) await runCommand(root, command);
      const files = readFiles(root);
      expect(Object.keys(files).length).toBeGreaterThan(30);
      expect(await problems(files)).toEqual([]);
    },
  );
});
