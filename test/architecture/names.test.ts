import { describe, expect, it } from "vitest";

import { listFiles, listSources, readSource } from "./source-files.ts";

const FORBIDDEN = /(^|\/)(utils?|helpers?|common|misc|shared|base|types|constants|enums|models)(\.[a-z.]+)?(\/|$)/u;

// The class of a manager of other things than runnables needs another name; upstream's own manager keeps it.
const ALLOWED_MANAGER_FOLDERS = ["packages/runtime/src/manager/"];

// Text that must not be in a tracked file, in two halves so that this file passes its own test.
const FORBIDDEN_TEXT = [
  ["registry.", "npmjs.org"],
  ["proxy.", "golang.org"],
  ["/wo", "rk/main"],
  ["/ro", "ot/"],
].map((halves) => halves.join(""));

describe("names", () => {
  it("no source file or folder has a name that says nothing", () => {
    expect(listSources().filter((file) => FORBIDDEN.test(file))).toEqual([]);
  });

  it("no class is called a manager but the manager", () => {
    const named = listSources()
      .filter((file) => !ALLOWED_MANAGER_FOLDERS.some((folder) => file.startsWith(folder)))
      .filter((file) => !file.startsWith("packages/k8s/src/api/"))
      .filter((file) => /class \w*Manager\b/u.test(readSource(file)));
    expect(named).toEqual([]);
  });

  it("no file names a package registry's host or a path of a machine", () => {
    const textFiles = listFiles("").filter((file) =>
      /\.(ts|mjs|js|json|ya?ml|md|hbs|go|mod|sum|txt|sh)$|\/[^.]+$/u.test(file),
    );
    const found = textFiles.filter((file) => {
      const text = readSource(file);
      return FORBIDDEN_TEXT.some((forbidden) => text.includes(forbidden));
    });
    expect(found).toEqual([]);
  });
});
