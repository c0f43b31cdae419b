import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const HEADER = "hack/boilerplate.ts.txt";

describe("edit --license", () => {
  it("changes what is at the top of files that come later, and no file that is there", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const before = readFiles(root);
    await runCommands(root, "edit --license copyright --owner Acme", CREATE_API);
    const after = readFiles(root);
    expect(after[HEADER]).toMatch(/^\/\*\nCopyright \d{4} Acme\.\n\*\/$/u);
    expect(after["internal/controller/guestbook_controller.ts"]).toMatch(/^\/\*\nCopyright \d{4} Acme\.\n\*\/\n\n/u);
    expect(after["test/e2e/cluster.ts"]).toBe(before["test/e2e/cluster.ts"]);
  });

  it("takes a file before a license, as init does", async () => {
    const root = temporaryFolder({ "ours.txt": "/* Ours. */\n" });
    await runCommands(root, INIT, "edit --license none --license-file ours.txt");
    expect(readFiles(root)[HEADER]).toBe("/* Ours. */");
    const fresh = temporaryFolder();
    writeFiles(fresh, { "ours.txt": "/* Ours. */\n" });
    await runCommands(fresh, `${INIT} --license none --license-file ours.txt`);
    expect(readFiles(fresh)[HEADER]).toBe("/* Ours. */");
  });

  it("puts the year in the place of YEAR, in what commands write and in what is generated", async () => {
    const root = temporaryFolder({ "ours.txt": "/*\nCopyright YEAR MYYEAR Ltd.\n*/\n" });
    await runCommands(root, `${INIT} --license-file ours.txt`, CREATE_API, "generate");
    const files = readFiles(root);
    const header = /^\/\*\nCopyright \d{4} MYYEAR Ltd\.\n\*\/\n/u;
    for (const file of [HEADER, "cmd/main.ts", "api/v1/guestbook_types.ts", "api/v1/zz_generated.schema.ts"])
      expect(`${files[file] ?? ""}\n`).toMatch(header);
  });

  it("takes the comment away with none, and later files have none", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, "edit --license none", CREATE_API);
    const files = readFiles(root);
    expect(files[HEADER]).toBeUndefined();
    expect(files["api/v1/guestbook_types.ts"]).toMatch(/^import/u);
  });

  it("refuses a file that is no comment, and a license that it does not know", async () => {
    const root = temporaryFolder({ "ours.txt": "Ours.\n" });
    await runCommands(root, INIT);
    expect(await runCommand(root, "edit --license-file ours.txt")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("ours.txt:1:1: the text is not exactly one comment"),
    });
    expect(await runCommand(root, "edit --license mit")).toMatchObject({ status: 1 });
  });

  it.each([
    ["an owner that ends the comment", "edit --license copyright --owner a*/b", "does not fit in a line comment"],
    ["a folder", "edit --license-file config", "cannot read the license file config"],
    ["a device that never ends", "edit --license-file /dev/zero", "cannot read the license file /dev/zero"],
  ])("refuses %s", async (_, line, message) => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const before = readFiles(root);
    expect(await runCommand(root, line)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
    expect(readFiles(root)).toEqual(before);
  });
});
