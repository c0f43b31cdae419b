import { expect, it } from "vitest";

import { createSnapshotHost } from "../../src/loader/source-host.ts";
import { memoryHost } from "../support/memory-host.ts";

it("a snapshot answers as the disk did when it was asked first, whatever became of it since", () => {
  const files: Record<string, string> = { "/p/a.ts": "one" };
  const disk = memoryHost(files);
  const snapshot = createSnapshotHost({ ...disk, listDirectory: (folder) => memoryHost(files).listDirectory(folder) });
  const ask = (): readonly unknown[] => [
    ...["/p/a.ts", "/p/b.ts"].flatMap((file) => [snapshot.readFile(file), snapshot.kindOf(file)]),
    snapshot.listDirectory("/p"),
    snapshot.realPath("/p/../p/a.ts"),
  ];
  const before = ask();
  expect(before).toEqual(["one", "file", undefined, "missing", [{ name: "a.ts", kind: "file" }], "/p/a.ts"]);
  files["/p/a.ts"] = "two";
  files["/p/b.ts"] = "new";
  expect(ask()).toEqual(before);
  expect(memoryHost(files).listDirectory("/p")).toHaveLength(2);
});
