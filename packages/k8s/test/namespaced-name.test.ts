import { describe, expect, it } from "vitest";

import { namespacedNameToString, parseNamespacedName } from "../src/namespaced-name.ts";

describe("parseNamespacedName", () => {
  // The results of upstream's SplitMetaNamespaceKey.
  it.each([
    ["default/web", { namespace: "default", name: "web" }],
    ["web", { namespace: "", name: "web" }],
    ["/web", { namespace: "", name: "web" }],
    ["default/", { namespace: "default", name: "" }],
    ["", { namespace: "", name: "" }],
    ["/", { namespace: "", name: "" }],
    ["a/b/c", undefined],
    ["//", undefined],
  ])("parses %j", (text, expected) => {
    expect(parseNamespacedName(text)).toEqual(expected);
  });

  it("is the inverse of printing", () => {
    for (const key of [
      { namespace: "default", name: "web" },
      { namespace: "", name: "node-1" },
    ]) {
      expect(parseNamespacedName(namespacedNameToString(key))).toEqual(key);
    }
  });
});
