import { describe, expect, it } from "vitest";

import type { SourceHost } from "../../src/loader/source-host.ts";
import { createPlannedHost } from "../../src/run/planned-host.ts";
import { memoryHost } from "../support/memory-host.ts";

const disk = memoryHost({ "/p/api/v1/a.ts": "old a", "/p/api/v1/b.ts": "b", "/p/main.ts": "main" });
const host = createPlannedHost(
  "/p",
  [
    { path: "api/v1/a.ts", content: "new a" },
    { path: "api/v1/b.ts", content: undefined },
    { path: "api/v2/deep/c.ts", content: "c" },
    { path: "main.test.ts", content: undefined },
  ],
  disk,
);

describe("a host of planned files", () => {
  it("reads what is planned, and what is on the disk where nothing is", () => {
    expect(
      ["api/v1/a.ts", "api/v1/b.ts", "api/v2/deep/c.ts", "main.ts"].map((file) => host.readFile(`/p/${file}`)),
    ).toEqual(["new a", undefined, "c", "main"]);
  });

  it("lists folders as they will be, sorted by name", () => {
    expect(host.listDirectory("/p")).toEqual([
      { name: "api", kind: "directory" },
      { name: "main.ts", kind: "file" },
    ]);
    expect(host.listDirectory("/p/api")).toEqual([
      { name: "v1", kind: "directory" },
      { name: "v2", kind: "directory" },
    ]);
    expect(host.listDirectory("/p/api/v1")).toEqual([{ name: "a.ts", kind: "file" }]);
    expect(host.listDirectory("/p/api/v2/deep")).toEqual([{ name: "c.ts", kind: "file" }]);
    expect(host.listDirectory("/elsewhere")).toBeUndefined();
  });

  it("says what is at a path", () => {
    expect(
      ["api/v1/a.ts", "api/v1/b.ts", "api/v2", "api/v1", "main.ts", "none"].map((each) => host.kindOf(`/p/${each}`)),
    ).toEqual(["file", "missing", "directory", "directory", "file", "missing"]);
    expect(host.realPath("/p/api/../main.ts")).toBe("/p/main.ts");
  });

  it("is the disk when nothing is planned", () => {
    const same = createPlannedHost("/p", [], disk);
    expect(same.listDirectory("/p/api/v1")).toEqual(disk.listDirectory("/p/api/v1"));
  });

  it("gives the listing of the disk where the plan adds and takes nothing", () => {
    const listed = [{ name: "a.ts", kind: "file" }] as const;
    const listing: SourceHost = { ...disk, listDirectory: (folder) => (folder === "/p/api/v1" ? listed : undefined) };
    const same = createPlannedHost("/p", [{ path: "api/v1/a.ts", content: "new" }], listing);
    expect(same.listDirectory("/p/api/v1")).toBe(listed);
    const gone = createPlannedHost("/p", [{ path: "api/v1/a.ts", content: undefined }], listing);
    expect(gone.listDirectory("/p/api/v1")).toEqual([]);
    const folder = createPlannedHost("/p", [{ path: "api/v1/a.ts/b.ts", content: "" }], listing);
    expect(folder.listDirectory("/p/api/v1")).toEqual([{ name: "a.ts", kind: "directory" }]);
  });
});
