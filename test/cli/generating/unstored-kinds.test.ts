import { describe, expect, it } from "vitest";

import { unstoredKinds } from "../../../src/cli/generating/make-manifests.ts";
import type { ProjectConfig } from "../../../src/project/project-config.ts";

const PROJECT: ProjectConfig = {
  version: "3",
  domain: "demo",
  layout: ["ts.kubescaffold.dev/v1"],
  resources: ["v1", "v2"].map((version) => ({
    group: "webapp",
    domain: "demo",
    version,
    kind: "Guestbook",
    api: { crdVersion: "v1", namespaced: true },
  })),
};

describe("kinds without a stored version", () => {
  it.each([
    ["no version says that it is stored", "export interface Guestbook {}", ["v1", "v2"]],
    ["one says so", "/** +kubebuilder:storageversion */", undefined],
  ])("are those of which %s", (_, text, versions) => {
    const files: Readonly<Record<string, string>> = {
      "api/v1/guestbook_types.ts": text,
      "api/v2/guestbook_types.ts": "",
    };
    const expected = versions === undefined ? [] : [{ kind: "Guestbook", versions, types: Object.keys(files) }];
    expect(unstoredKinds(PROJECT, (path) => files[path])).toEqual(expected);
  });

  it("are none of those whose files are elsewhere, or that have one version", () => {
    const [first] = PROJECT.resources ?? [];
    expect(unstoredKinds(PROJECT, () => undefined)).toEqual([]);
    expect(unstoredKinds({ ...PROJECT, resources: first === undefined ? [] : [first] }, () => "")).toEqual([]);
  });
});
