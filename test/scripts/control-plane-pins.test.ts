import { readFileSync } from "node:fs";
import path from "node:path";

import { KUBERNETES_MINOR, KUBERNETES_VERSION } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { importScript } from "../support/import-script.ts";

interface Pins {
  readonly DEFAULT_MINOR: string;
  readonly RECORDED_MINOR: string;
  readonly pinnedMinors: () => readonly string[];
  readonly pinnedVersion: (minor: string) => string;
  readonly kubernetesModule: (minor: string) => string;
  readonly minorOf: (version: string) => string;
  readonly selectedMinor: (args: readonly string[]) => string;
  readonly withoutSelection: (args: readonly string[]) => readonly string[];
}

interface SuiteModules {
  readonly conformanceModule: (minor: string) => string;
}

interface Pinning {
  readonly printGoMod: (version: string, upstream: string) => string;
}

const pins = await importScript<Pins>("control-plane-pins.mjs");
const { conformanceModule } = await importScript<SuiteModules>("conformance/suite-module.mjs");
const { printGoMod } = await importScript<Pinning>("pin-control-plane.mjs");

describe("the pins of the real control plane", () => {
  it("contain the version that the embedded server has, and the one of the recorded answers", () => {
    expect(pins.pinnedMinors()).toContain(pins.RECORDED_MINOR);
    expect(pins.DEFAULT_MINOR).toBe(KUBERNETES_MINOR);
    expect(pins.pinnedVersion(KUBERNETES_MINOR)).toBe(`v${KUBERNETES_VERSION}`);
  });

  it.each(pins.pinnedMinors())("of %s and its conformance suite are of the same version", (minor) => {
    const text = readFileSync(path.join(conformanceModule(minor), "go.mod"), "utf8");
    const versions = new Set(
      [...text.matchAll(/^\tk8s\.io\/(?:kubernetes|\S+ => k8s\.io\/\S+) v[01]\.(\S+)$/gmu)].map(([, each]) => each),
    );
    expect([...versions]).toEqual([pins.pinnedVersion(minor).replace("v1.", "")]);
  });

  it.each(pins.pinnedMinors())("of %s are of one version", (minor) => {
    const version = pins.pinnedVersion(minor);
    expect(pins.minorOf(version)).toBe(minor);
    const text = readFileSync(path.join(pins.kubernetesModule(minor), "go.mod"), "utf8");
    const replaced = [...text.matchAll(/^\t(k8s\.io\/\S+) => (\S+) (\S+)$/gmu)];
    expect(replaced.length).toBeGreaterThan(30);
    expect(replaced.filter(([, from, to, is]) => from !== to || is !== version.replace(/^v1\./u, "v0."))).toEqual([]);
  });
});

describe("the module of a version", () => {
  it("takes the version of Go and the staging modules from upstream", () => {
    const upstream =
      "module k8s.io/kubernetes\n\ngo 1.26.0\n\nrequire sigs.k8s.io/yaml v1.6.0\n\nreplace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n\tk8s.io/streaming => ./staging/src/k8s.io/streaming\n)\n";
    const printed = printGoMod("1.37.2", upstream);
    expect(printed).toContain("\ngo 1.26.0\n");
    expect(printed).toContain("require k8s.io/kubernetes v1.37.2 // indirect\n");
    expect(printed).toContain(
      "replace (\n\tk8s.io/api => k8s.io/api v0.37.2\n\tk8s.io/streaming => k8s.io/streaming v0.37.2\n)\n",
    );
  });

  it("cannot be derived from a go.mod without staging modules", () => {
    expect(() => printGoMod("1.37.2", "module k8s.io/kubernetes\n\ngo 1.26.0\n")).toThrow(/no staging modules/u);
  });
});

describe("the selection of a minor", () => {
  it.each([
    [[], pins.RECORDED_MINOR],
    [["--kubernetes", "1.37"], "1.37"],
    [["--part=1/14", "--kubernetes=1.34"], "1.34"],
  ])("%j is %s", (args, minor) => {
    expect(pins.selectedMinor(args)).toBe(minor);
  });

  it.each([[["--kubernetes"]], [["--kubernetes", "1.33"]], [["--kubernetes=1.37.2"]], [["--kubernetes="]]])(
    "%j is an error that lists the pinned minors",
    (args) => {
      expect(() => pins.selectedMinor(args)).toThrow(/is not pinned .*1\.34, 1\.35, 1\.36, 1\.37/u);
    },
  );

  it("is removed from arguments for other programs, and nothing else is", () => {
    expect(pins.withoutSelection(["--kubernetes", "1.37", "file.ts"])).toEqual(["file.ts"]);
    expect(pins.withoutSelection(["-t", "row", "--kubernetes=1.37"])).toEqual(["-t", "row"]);
    expect(pins.withoutSelection(["--kubernetes=1.37", "1.37"])).toEqual(["1.37"]);
  });
});
