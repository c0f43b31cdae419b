import { describe, expect, it } from "vitest";

import { FileTree } from "../../src/machinery/file-tree.ts";

function treeOf(files: Readonly<Record<string, string>>): FileTree {
  return new FileTree({ read: (path) => files[path] });
}

describe("a file tree", () => {
  it("shows what is on disk with the planned changes over it, and changes nothing itself", () => {
    const files = { "a.txt": "a", "b.txt": "b" };
    const tree = treeOf(files);
    tree.update("a.txt", (content) => `${content}!`);
    tree.delete("b.txt");
    tree.create("c.txt", "c");
    expect([tree.read("a.txt"), tree.read("b.txt"), tree.read("c.txt")]).toEqual(["a!", undefined, "c"]);
    expect(files).toEqual({ "a.txt": "a", "b.txt": "b" });
  });

  it("lists real differences alone, sorted by path", () => {
    const tree = treeOf({ "b.txt": "b", "same.txt": "same" });
    tree.create("z.txt", "z");
    tree.create("same.txt", "same", { ifExists: "overwrite" });
    tree.update("b.txt", () => "new");
    tree.create("a.sh", "#!/bin/sh", { isExecutable: true });
    expect(tree.actions()).toEqual([
      { kind: "create", path: "a.sh", content: "#!/bin/sh", isExecutable: true },
      { kind: "overwrite", path: "b.txt", content: "new", previous: "b", isExecutable: false },
      { kind: "create", path: "z.txt", content: "z", isExecutable: false },
    ]);
  });

  it("shows texts with line feeds, and plans them with the line ends of the disk", () => {
    const files = { "a.txt": "a\r\nb\r\n", "same.txt": "x\r\n" };
    const tree = treeOf(files);
    expect(tree.read("a.txt")).toBe("a\nb\n");
    tree.update("a.txt", (content) => content.replace("b\n", "b\nc\n"));
    tree.create("same.txt", "x\n", { ifExists: "overwrite" });
    tree.create("new.txt", "n\n");
    expect(tree.actions()).toEqual([
      { kind: "overwrite", path: "a.txt", content: "a\r\nb\r\nc\r\n", previous: "a\r\nb\r\n", isExecutable: false },
      { kind: "create", path: "new.txt", content: "n\n", isExecutable: false },
    ]);
  });

  it("keeps the byte order mark of a file, and shows its text without", () => {
    const tree = treeOf({ "a.txt": "\uFEFFa\r\n" });
    expect(tree.read("a.txt")).toBe("a\n");
    tree.update("a.txt", (content) => `${content}b\n`);
    expect(tree.actions()).toMatchObject([{ kind: "overwrite", content: "\uFEFFa\r\nb\r\n" }]);
    tree.update("a.txt", () => "a\n");
    expect(tree.actions()).toEqual([]);
  });

  it("tells a link that leads nowhere from a file that is missing", () => {
    const tree = new FileTree({ read: () => undefined, isDangling: (path) => path === "link" });
    expect(() => tree.readExisting("link")).toThrow(expect.objectContaining({ code: "SCAFFOLD_DANGLING_LINK" }));
    expect(() => tree.delete("link")).toThrow(expect.objectContaining({ code: "SCAFFOLD_DANGLING_LINK" }));
    expect(() => tree.readExisting("file")).toThrow(expect.objectContaining({ code: "SCAFFOLD_FILE_MISSING" }));
  });

  it("changes no file that would lose what is not in UTF-8, but may replace and delete it", () => {
    const text = "caf\uFFFD\n";
    const latin = new FileTree({ read: () => text, isUtf8: () => false });
    const utf8 = new FileTree({ read: () => text, isUtf8: () => true });
    expect(() => latin.update("a.txt", (content) => `${content}b`)).toThrow(
      expect.objectContaining({ code: "SCAFFOLD_NOT_UTF8", message: "cannot change a.txt: it is not valid UTF-8" }),
    );
    utf8.update("a.txt", (content) => `${content}b`);
    latin.create("a.txt", "new", { ifExists: "overwrite" });
    latin.delete("b.txt");
    expect(latin.actions().map(({ kind }) => kind)).toEqual(["overwrite", "delete"]);
    expect(utf8.read("a.txt")).toBe("caf\uFFFD\nb");
  });

  it("tells which files of the disk are regenerated, and only of those that differ", () => {
    const tree = treeOf({ "a.txt": "a", "b.txt": "b", "same.txt": "same" });
    for (const name of ["a.txt", "same.txt", "new.txt"])
      tree.create(name, name.slice(0, -4), { ifExists: "overwrite" });
    tree.create("a.txt", "other", { ifExists: "overwrite" });
    tree.create("new.txt", "again", { ifExists: "overwrite" });
    tree.update("b.txt", () => "changed");
    expect(tree.replaced()).toEqual(["a.txt"]);
  });

  it("refuses to create a file that exists, unless ifExists is set", () => {
    const tree = treeOf({ "a.txt": "a" });
    expect(() => tree.create("a.txt", "b")).toThrow(
      expect.objectContaining({
        code: "SCAFFOLD_FILE_EXISTS",
        message: "cannot create a.txt: the file already exists",
      }),
    );
    tree.create("a.txt", "b", { ifExists: "skip" });
    expect([tree.read("a.txt"), tree.skipped()]).toEqual(["a", ["a.txt"]]);
    tree.create("a.txt", "b", { ifExists: "overwrite" });
    expect([tree.read("a.txt"), tree.skipped()]).toEqual(["b", []]);
  });

  it("does not plan a file that is created and deleted again", () => {
    const tree = treeOf({});
    tree.create("a.txt", "a");
    tree.delete("a.txt");
    expect(tree.actions()).toEqual([]);
  });

  it("says which file is missing", () => {
    expect(() => treeOf({}).update("cmd/main.ts", (content) => content)).toThrow(
      expect.objectContaining({
        code: "SCAFFOLD_FILE_MISSING",
        message: "cannot change cmd/main.ts: the file does not exist",
      }),
    );
  });
});
