import { expect, it } from "vitest";

import { sourceFolders } from "../../src/arguments/parse-arguments.ts";

it.each([
  [["crd"], ["."]],
  [["crd", "paths=./..."], ["."]],
  [["crd", "paths=..."], ["."]],
  [
    ["crd", "paths=./api/...;./internal/..."],
    ["./api", "./internal"],
  ],
  [["crd", "paths=api/v*/x.ts", "paths=api/**"], ["api"]],
  [["crd", "paths=api/v1/a.ts", "paths=api/v1/a.ts"], ["api/v1/a.ts"]],
  [["crd", "paths=/abs/..."], ["/abs"]],
])("the sources of %j begin in %j", (words, folders) => {
  expect(sourceFolders(words)).toEqual(folders);
});
