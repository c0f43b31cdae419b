import { symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { inputKind, requireInputFolder, unreadable } from "../../../src/cli/flags/input-paths.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("a path that a command reads", () => {
  it("is a file or a folder, also through a link", () => {
    const root = temporaryFolder({ "folder/file.txt": "x" });
    symlinkSync("folder", path.join(root, "link"));
    expect(inputKind(path.join(root, "link"), "link")).toBe("folder");
    expect(inputKind(path.join(root, "link/file.txt"), "file")).toBe("file");
    expect(() => requireInputFolder(path.join(root, "link/file.txt"), "it")).toThrow(
      "cannot read it: it is not a folder",
    );
  });

  it("says in words why it cannot be read", () => {
    const denied = Object.assign(new Error("EACCES: permission denied, open '/a'"), { code: "EACCES" });
    expect(unreadable("a", denied)).toMatchObject({
      code: "CLI_INPUT",
      message: "cannot read a: permission is denied (EACCES)",
      hint: "make it readable for the current user",
    });
    expect(unreadable("a", new Error("odd")).message).toBe("cannot read a: odd");
  });
});
