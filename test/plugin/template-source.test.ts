import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { compileTemplate } from "../../src/machinery/compile-template.ts";
import { renderTemplate } from "../../src/machinery/template.ts";
import { compiledTemplates, type TemplateSource } from "../../src/plugin/scaffold-context.ts";
import { directoryTemplates, embeddedTemplates } from "../../src/plugin/text-templates.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function renderBelow(source: TemplateSource, folder: string): Readonly<Record<string, string>> {
  const templates = Object.entries(source.below(folder));
  return Object.fromEntries(
    templates.map(([name, template]) => [name, renderTemplate({ path: name, template }, { x: "1" })]),
  );
}

describe("templates", () => {
  it("are the same from a folder, from texts, and compiled", () => {
    const root = temporaryFolder({
      "init/.gitignore.hbs": "a{{x}}",
      "init/cmd/main.ts.hbs": "b",
      "init/README": "no template",
      "api/x.hbs": "c",
    });
    const texts = { "init/.gitignore": "a{{x}}", "init/cmd/main.ts": "b", "api/x": "c" };
    const compiled = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, compileTemplate(text)]));
    const expected = { ".gitignore": "a1", "cmd/main.ts": "b" };
    expect(renderBelow(directoryTemplates(pathToFileURL(`${root}${path.sep}`)), "init")).toEqual(expected);
    expect(renderBelow(embeddedTemplates(texts), "init")).toEqual(expected);
    expect(renderBelow(compiledTemplates(compiled), "init")).toEqual(expected);
  });
});
