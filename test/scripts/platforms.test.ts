import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { listFiles, ROOT } from "../architecture/source-files.ts";

const SKIP = /\.(?:skipIf\(process\.platform === "win32"\)|runIf\(process\.platform !== "win32"\))/u;

it("CONTRIBUTING.md lists each file with tests that do not run on Windows, and no other", () => {
  const guide = readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
  const section = guide.slice(guide.indexOf("## Platforms"), guide.indexOf("## Fuzzing"));
  const listed = [...section.matchAll(/`([^`]+\.test\.ts)`/gu)].map(([, file = ""]) => file);
  const skipped = ["test", "packages", "plugins"]
    .flatMap((folder) => listFiles(folder))
    .filter((file) => file.endsWith(".test.ts") && !file.includes("/golden/"))
    .filter((file) => SKIP.test(readFileSync(path.join(ROOT, file), "utf8")));
  expect(listed.toSorted()).toEqual(skipped.toSorted());
});
