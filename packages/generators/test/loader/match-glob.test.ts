import { expect, it } from "vitest";

import { isGlob, matchGlob } from "../../src/loader/list-packages.ts";
import { memoryHost } from "../support/memory-host.ts";

const host = memoryHost({
  "/p/api/v1/a.ts": "",
  "/p/api/v1beta1/b.ts": "",
  "/p/api/node_modules/x/c.ts": "",
  "/q/a.ts": "",
});

it("tells paths with wildcards from others", () => {
  expect(["api/*", "api/v?", "api/[ab]", "**/*.ts"].every((each) => isGlob(each))).toBe(true);
  expect(["api/v1", "./...", "../x", "a_types.ts", "/abs/path"].some((each) => isGlob(each))).toBe(false);
});

it.each([
  ["api/v1*", [], ["/p/api/v1", "/p/api/v1beta1"]],
  ["api/v1*/", [], ["/p/api/v1", "/p/api/v1beta1"]],
  ["./api/**/a.ts", ["/p/api/v1/a.ts"], []],
  ["/q/*.ts", ["/q/a.ts"], []],
  ["../q/*.ts", ["/q/a.ts"], []],
  ["none/*.ts", [], []],
])("matches with %s files and folders, and no libraries", (glob, files, directories) => {
  expect(matchGlob(host, "/p", glob)).toEqual({ files, directories });
});
