import { describe, expect, it } from "vitest";

import { FileTree } from "../../src/machinery/file-tree.ts";
import { BOILERPLATE_FILE } from "../../src/project/boilerplate-file.ts";
import { boilerplateOf, commentText } from "../../src/scaffolds/resource-values.ts";

describe("the comment at the top of sources", () => {
  it("comes from the project's file, with an empty line after it", () => {
    const tree = new FileTree({ read: (path) => (path === BOILERPLATE_FILE ? "/*\nOurs.\n*/\n\n" : undefined) });
    expect(boilerplateOf(tree)).toBe("/*\nOurs.\n*/\n\n");
    expect(boilerplateOf(new FileTree({ read: () => undefined }))).toBe("");
  });

  it("has the line endings of new files, whatever its own are", () => {
    const tree = new FileTree({ read: () => "/*\r\nOurs.\r\n*/\r\n" });
    expect(boilerplateOf(tree)).toBe("/*\nOurs.\n*/\n\n");
  });

  it("reads as text without its signs", () => {
    expect(commentText("/*\nCopyright 2026.\n\nA license.\n*/")).toBe("Copyright 2026.\n\nA license.");
    expect(commentText("/**\n * Ours.\n */")).toBe("Ours.");
  });
});
