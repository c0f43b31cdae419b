import { describe, expect, it } from "vitest";

import { regenerate } from "../../src/changes/regenerate.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";
import { definePlugin } from "../../src/plugin/index.ts";

const NO_TEMPLATES = { below: () => ({}) };

describe("regenerate", () => {
  it("lets added plugins see what the user wrote for them, and takes that over", async () => {
    const base = definePlugin({
      key: "base.example.com/v1",
      description: "",
      templates: NO_TEMPLATES,
      init: ({ tree }) => tree.create("main.ts", "fresh\n"),
    });
    const charts = definePlugin({
      key: "charts.example.com/v1",
      description: "",
      templates: NO_TEMPLATES,
      edit: ({ tree, configuration }) => {
        tree.create("charts/settings", "skeleton\n", { ifExists: "skip" });
        tree.create("charts/made", `${tree.readExisting("charts/settings")}${JSON.stringify(configuration)}`, {
          ifExists: "overwrite",
        });
        tree.update("main.ts", (text) => `${text}charts\n`);
      },
    });
    const source = new Map([
      ["main.ts", "changed by hand\n"],
      ["charts/settings", "mine\n"],
      ["charts/made", 'mine\n{"port":1}'],
    ]);
    const files = await regenerate({
      project: { version: "3", layout: [base.key], plugins: { [charts.key]: { port: 1 } } },
      plugins: { keys: [base.key], plugins: [base] },
      added: [charts],
      source: new FileTree({ read: (path) => source.get(path) }),
      packages: {},
    });
    expect(Object.fromEntries([...files].map(([path, { content }]) => [path, content]))).toEqual({
      "main.ts": "fresh\ncharts\n",
      "charts/settings": "mine\n",
      "charts/made": 'mine\n{"port":1}',
    });
  });
});
