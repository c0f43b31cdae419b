import { describe, expect, it } from "vitest";

import { FileTree } from "../../src/machinery/file-tree.ts";
import { renderTemplate } from "../../src/machinery/template.ts";
import { createScaffoldContext, type ScaffoldContext } from "../../src/plugin/scaffold-context.ts";
import { embeddedTemplates } from "../../src/plugin/text-templates.ts";

function contextOf(
  templates: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): ScaffoldContext {
  return createScaffoldContext({
    tree: new FileTree({ read: (path) => files[path] }),
    project: { layout: [], version: "3" },
    templates: embeddedTemplates(templates),
    render: renderTemplate,
    note: () => undefined,
    flags: {},
    configuration: undefined,
    storeConfiguration: () => undefined,
  });
}

describe("the context of a scaffold", () => {
  it("renders the templates below a folder to their paths, with placeholders filled in", () => {
    const { tree, renderTemplates } = contextOf({ "api/__prefix____kind___role.yaml": "{{kind}}", "other/x": "" });
    renderTemplates("api", {
      values: { kind: "Guestbook" },
      paths: { kind: "guestbook", prefix: "webapp_" },
      into: "config/rbac",
    });
    expect(tree.actions()).toEqual([
      { kind: "create", path: "config/rbac/webapp_guestbook_role.yaml", content: "Guestbook", isExecutable: false },
    ]);
  });

  it("makes a file executable whose first line names its program", () => {
    const { tree, renderTemplates } = contextOf({ "init/run.sh": "#!/bin/sh\n" });
    renderTemplates("init", { values: {} });
    expect(tree.actions()[0]).toMatchObject({ isExecutable: true });
  });

  it("inserts at markers and switches blocks on", () => {
    const { tree, insert, enable, renderLines } = contextOf(
      { "blocks/a": "- {{name}}\n" },
      { "k.yaml": "#- a\n# +kubebuilder:scaffold:x\n" },
    );
    enable("k.yaml", renderLines("blocks/a", { name: "a" }));
    insert({ path: "k.yaml", marker: "x", lines: ["- b"] });
    expect(tree.read("k.yaml")).toBe("- a\n- b\n# +kubebuilder:scaffold:x\n");
  });
});
