/** The tutorials show the code of the examples as it is. */
import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { listFiles, readSource, ROOT } from "../architecture/source-files.ts";
import { excerptsOf, findForeignPart } from "./docs-code/excerpts.ts";
import { exampleOf, stepsOf, withFilesOf } from "./docs-code/tutorial-steps.ts";

const EXCERPTS = listFiles("docs")
  .filter((file) => file.endsWith(".md"))
  .flatMap(excerptsOf);

const TUTORIALS = listFiles("docs/tutorials");

describe("the complete files of the tutorials", () => {
  // `npx vitest run test/e2e/docs-excerpts.test.ts --update` copies them.
  it.each(TUTORIALS)("%s has them as the example does", async (page) => {
    const text = readSource(page);
    expect(stepsOf(text).filter(({ kind }) => kind === "file").length).toBeGreaterThan(1);
    await expect(withFilesOf(text, exampleOf(text))).toMatchFileSnapshot(path.join(ROOT, page));
  });

  it.each(TUTORIALS)("%s has every file of which it shows a part", (page) => {
    const text = readSource(page);
    const complete = stepsOf(text).flatMap((step) => (step.kind === "file" ? [step.path] : []));
    const shown = EXCERPTS.filter((each) => each.page === page).map(({ file }) =>
      file.replace(`examples/${exampleOf(text)}/`, ""),
    );
    expect(shown.filter((file) => !complete.includes(file))).toEqual([]);
  });
});

describe("the excerpts of the pages", () => {
  it("are from files of the examples", () => {
    expect(EXCERPTS.length).toBeGreaterThan(30);
    const missing = EXCERPTS.filter(({ file }) => !existsSync(path.join(ROOT, file)));
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
