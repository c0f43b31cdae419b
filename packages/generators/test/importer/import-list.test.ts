import { describe, expect, it } from "vitest";

import { ImportList } from "../../src/importer/import-list.ts";

describe("the imports of a file", () => {
  it("are those that its code uses, packages first, types marked", () => {
    const list = new ImportList("Thing");
    list.use("./groupversion_info.ts", "GroupVersion", { isValue: true });
    list.use("@kubescaffold/k8s", "int32");
    list.use("@kubescaffold/k8s", "defineKind", { isValue: true });
    list.use("@kubescaffold/k8s", "Quantity");
    list.use("@kubescaffold/k8s/meta/v1", "Time");
    expect(list.lines("x: int32; y: Time; defineKind(GroupVersion)")).toEqual([
      'import { defineKind, type int32 } from "@kubescaffold/k8s";',
      'import type { Time } from "@kubescaffold/k8s/meta/v1";',
      "",
      'import { GroupVersion } from "./groupversion_info.ts";',
    ]);
  });

  it("get another name where the kind has theirs", () => {
    const list = new ImportList("Time");
    expect(list.use("@kubescaffold/k8s/meta/v1", "Time")).toBe("K8sTime");
    expect(list.lines("x: K8sTime")[0]).toBe('import type { Time as K8sTime } from "@kubescaffold/k8s/meta/v1";');
  });

  it("are below one another when they are too long for a line", () => {
    const list = new ImportList("Thing");
    const names = Array.from({ length: 20 }, (_, index) => list.use("m", `LongName${index}`));
    expect(list.lines(names.join(" "))[0]).toMatch(/^import type \{\n {2}LongName0,\n/u);
  });
});
