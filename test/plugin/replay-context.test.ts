import { expect, it } from "vitest";

import { FileTree } from "../../src/machinery/file-tree.ts";
import { renderTemplate } from "../../src/machinery/template.ts";
import { definePlugin } from "../../src/plugin/plugin.ts";
import { createReplayContext } from "../../src/plugin/replay-context.ts";
import { embeddedTemplates } from "../../src/plugin/text-templates.ts";

const PLUGIN = definePlugin({
  key: "notes.example.com/v1",
  description: "Writes notes",
  templates: embeddedTemplates({ "init/note.txt": "{{text}}" }),
});
const STORED = { text: "kept" };

function replay() {
  const project = { layout: [PLUGIN.key], version: "3", plugins: { [PLUGIN.key]: STORED } };
  const tree = new FileTree({ read: () => undefined });
  return createReplayContext(PLUGIN, { tree, project, chain: [PLUGIN.key], render: renderTemplate });
}

it("gives a plugin what it has stored, and no flags", () => {
  const { configuration, flags } = replay();
  expect(configuration).toEqual(STORED);
  expect(flags).toEqual({});
});

it("renders the plugin's templates into the tree", () => {
  const { renderTemplates, tree } = replay();
  renderTemplates("init", { values: { text: "hello" } });
  expect(tree.files()).toEqual(["note.txt"]);
});

it("drops what is stored and noted again", () => {
  const { project, storeConfiguration, note } = replay();
  storeConfiguration({ text: "other" });
  note("said before");
  expect(project.plugins).toEqual({ [PLUGIN.key]: STORED });
});
