import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { directoryTemplates, embeddedTemplates } from "../../src/plugin/template-source.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("templates", () => {
  it("are the same from a folder and from memory", () => {
    const root = temporaryFolder({
      "init/.gitignore.hbs": "a",
      "init/cmd/main.ts.hbs": "b",
      "init/README": "no template",
      "api/x.hbs": "c",
    });
    const expected = { ".gitignore": "a", "cmd/main.ts": "b" };
    expect(directoryTemplates(pathToFileURL(`${root}${path.sep}`)).below("init")).toEqual(expected);
    expect(embeddedTemplates({ "init/.gitignore": "a", "init/cmd/main.ts": "b", "api/x": "c" }).below("init")).toEqual(
      expected,
    );
  });
});
