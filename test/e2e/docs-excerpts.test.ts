/** The tutorials show the code of the examples as it is. */
import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { listFiles, ROOT } from "../architecture/source-files.ts";
import { excerptsOf, findForeignPart } from "./docs-code/excerpts.ts";

const EXCERPTS = listFiles("docs")
  .filter((file) => file.endsWith(".md"))
  .flatMap(excerptsOf);

describe("the excerpts of the pages", () => {
  it("are from files of the examples", () => {
    expect(EXCERPTS.length).toBeGreaterThan(30);
    const missing = EXCERPTS.filter(({ file }) => !file.startsWith("examples/") || !existsSync(path.join(ROOT, file)));
    expect(missing).toEqual([]);
  });

  it("have the lines of their files", () => {
    const foreign = EXCERPTS.flatMap((excerpt) => {
      const part = findForeignPart(excerpt);
      return part === undefined ? [] : [{ page: excerpt.page, file: excerpt.file, part }];
    });
    expect(foreign).toEqual([]);
  });

  it("are compared in the order of their parts", () => {
    const file = "examples/guestbook/config/samples/webapp_v1_guestbook.yaml";
    const check = (code: string): string | undefined => findForeignPart({ page: "", file, code });
    expect(check("kind: Guestbook\n# …\n  size: 2\n")).toBeUndefined();
    expect(check("size: 2\n# …\nkind: Guestbook\n")).toBe("kind: Guestbook");
    expect(check("size: 3\n")).toBe("size: 3");
  });
});
