import { describe, expect, it } from "vitest";

import { findStaleCrds, warnStaleCrd } from "../../src/run/stale-crds.ts";
import { memoryHost } from "../support/memory-host.ts";

const crd = (name: string, annotation: string): string =>
  `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    ${annotation}: v0\n  name: ${name}\nspec: {}\n`;
const OURS = "kubescaffold.dev/version";
const host = memoryHost({
  "/p/config/crd/demo_apples.yaml": crd("apples.demo", OURS),
  "/p/config/crd/demo_pears.yaml": crd("pears.demo", OURS),
  "/p/config/crd/demo_plums.yaml": crd("plums.demo", "controller-gen.kubebuilder.io/version").replaceAll("\n", "\r\n"),
  "/p/config/crd/by_hand.yaml": crd("by.hand", "example.com/author"),
  "/p/config/crd/kustomization.yaml": "resources: []\n",
  "/p/config/crd/README.md": crd("readme.demo", OURS),
  "/p/config/crd/patches/x.yaml": crd("patch.demo", OURS),
});
const generated = ["config/crd/demo_apples.yaml"];

describe("stale CRDs", () => {
  it("are those that a generator made and this run does not", () => {
    const stale = findStaleCrds({ root: "/p", arguments: ["crd", "paths=./..."], generated, host });
    expect(stale).toEqual([
      { path: "config/crd/demo_pears.yaml", name: "pears.demo", isOurs: true },
      { path: "config/crd/demo_plums.yaml", name: "plums.demo", isOurs: false },
    ]);
    expect(stale.map((each) => warnStaleCrd(each))).toMatchObject([
      { severity: "warning", code: "GENERATE_STALE_CRD", hint: "pass --prune to delete the file" },
      {
        severity: "warning",
        file: "config/crd/demo_plums.yaml",
        hint: "delete the file, which controller-gen generated",
      },
    ]);
  });

  it.each([
    [["crd", "paths=./api/v1"]],
    [["crd", "paths=./...", "output:crd:stdout"]],
    [["crd", "paths=./...", "output:crd:dir=elsewhere"]],
    [["rbac:roleName=r", "paths=./...", "output:dir=config/crd"]],
  ])("are not looked for by %j", (words) => {
    expect(findStaleCrds({ root: "/p", arguments: words, generated, host })).toEqual([]);
  });
});
