import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { type Json, isMap } from "kubescaffold/plugin";
import { describe, expect, it } from "vitest";

import { goldenProjects, projectForm } from "../../../test/e2e/golden-projects.ts";
import { withEverythingOn } from "../../../test/e2e/with-everything-on.ts";
import { runCommands } from "../../../test/support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { escapeBraces } from "../chart/chart-files.ts";
import { actionsOf, checkBlocks, definitionsIn, includesIn, valuesIn } from "./template-check.ts";

const EDIT = "edit --plugins=helm/v2-alpha --make=false --output-dir=dist";

async function chartFiles(files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const root = temporaryFolder(files);
  await runCommands(root, EDIT);
  return readFiles(path.join(root, "dist", "chart"));
}

const VARIANTS = goldenProjects().flatMap((project) => [
  { name: `${project.name}, as scaffolded`, files: projectForm(project) },
  { name: `${project.name}, with everything switched on`, files: withEverythingOn(projectForm(project)) },
]);

function templatesOf(files: Readonly<Record<string, string>>): readonly (readonly [file: string, text: string])[] {
  return Object.entries(files).filter(([file]) => file.startsWith("templates/"));
}

// A key is in a values file as it is or as an example behind a comment sign.
function keysIn(values: string): ReadonlySet<string> {
  const shown = values.replaceAll(/^(\s*)# (?=\s*(?:- )?[a-zA-Z]+:(?: |$))/gmu, "$1");
  return new Set(pathsOf(readYaml(shown, { file: "values" }) as Json));
}

function pathsOf(value: Json, keys: readonly string[] = []): readonly string[] {
  const own = keys.length === 0 ? [] : [keys.join(".")];
  return isMap(value)
    ? [...own, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...keys, key]))]
    : own;
}

describe.each(VARIANTS)("the templates of $name, without a renderer", ({ files }) => {
  it("have braces and blocks that pair up, and include what is defined", async () => {
    const chart = await chartFiles(files);
    const all = templatesOf(chart).map(([file, text]) => [file, actionsOf(text)] as const);
    expect(all.length).toBeGreaterThan(20);
    for (const [, actions] of all) checkBlocks(actions);
    const defined = definitionsIn(all.flatMap(([, actions]) => actions));
    const included = includesIn(all.flatMap(([, actions]) => actions));
    expect([...included].filter((name) => !defined.has(name))).toEqual([]);
  });

  it("look up values that there are, and every value is looked up", async () => {
    const chart = await chartFiles(files);
    const known = keysIn(chart["values.yaml"] ?? "");
    const actions = templatesOf(chart).flatMap(([, text]) => actionsOf(text));
    const used = valuesIn(actions);
    expect([...used].filter((each) => !known.has(each))).toEqual([]);
    const isUsed = (key: string): boolean =>
      [...used].some((each) => each === key || each.startsWith(`${key}.`) || key.startsWith(`${each}.`));
    expect([...known].filter((key) => !isUsed(key))).toEqual([]);
  });

  it("are YAML where no action stands", async () => {
    const chart = await chartFiles(files);
    for (const [file, text] of templatesOf(chart).filter(([name]) => name.endsWith(".yaml"))) {
      const bare = text
        .split("\n")
        .filter((line) => !/^\s*\{\{-.*\}\}$/u.test(line))
        .map((line) => line.replaceAll(/\{\{.*?\}\}/gu, "x"))
        .join("\n");
      expect(() => readYaml(bare, { file })).not.toThrow();
    }
  });
});

describe("braces of the project's own", () => {
  it.each(["{{ .Values.x }}", "a {{- if }} b", "{{{{", '{{ "x" }}', "}} {{"])("%s is a text in a template", (text) => {
    const actions = actionsOf(escapeBraces(text));
    expect(actions.map((each) => each.text)).toEqual(text.match(/\{\{/gu)?.map(() => '"{{"'));
    const rendered = escapeBraces(text).replaceAll('{{ "{{" }}', "{{");
    expect(rendered).toBe(text);
  });
});

describe("the check itself", () => {
  it.each([
    ["{{ if .Values.x }}", "not ended"],
    ["{{ end }}", "end of nothing"],
    ["{{ else }}", "else of nothing"],
    ["{{ .Values.x", "not closed"],
    ['{{ "}}', "not closed"],
  ])("refuses %s", (template, reason) => {
    expect(() => checkBlocks(actionsOf(template))).toThrow(reason);
  });
});
