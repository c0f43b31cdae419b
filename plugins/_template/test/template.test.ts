import { describe, expect, it } from "vitest";

import { FileTree } from "../../../src/machinery/file-tree.ts";
import { renderTemplate } from "../../../src/machinery/template.ts";
import { createScaffoldContext } from "../../../src/plugin/scaffold-context.ts";
import { template } from "../index.ts";

describe("the plugin to start from", () => {
  it("writes a file that names the project", async () => {
    const tree = new FileTree({ read: () => undefined });
    const project = { layout: [], projectName: "guestbook", version: "3" };
    const { templates } = template;
    const context = createScaffoldContext({
      tree,
      project,
      templates,
      render: renderTemplate,
      note: () => undefined,
      flags: {},
      configuration: undefined,
      storeConfiguration: () => undefined,
    });
    await template.init?.(context, { boilerplate: "", packages: {} });
    expect(tree.read("TEMPLATE.md")).toBe("This project is called guestbook.\n");
  });
});
