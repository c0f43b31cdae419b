import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { KUBERNETES_MINOR, KUBERNETES_VERSION } from "@kubescaffold/k8s";
import { builtInApi } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import type { GateName } from "../../src/release/gate-names.ts";
import { readReleaseFiles } from "../../src/release/release-files.ts";
import { baseTables, linesOf, patchedTables, type ReleaseTables } from "../../src/release/release-tables.ts";
import { defaultRelease, loadRelease, type Release, withGates } from "../../src/release/release.ts";

interface Digests {
  readonly version: string;
  readonly gates: string;
  readonly retiredGates: string;
  readonly roles: string;
  readonly bindings: string;
}

// Digests of what the sources of Kubernetes contain; the generator of the tables writes them before it compares versions.
const DIGESTS = JSON.parse(readFileSync(new URL("release-digests.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Digests>
>;

const MINORS = Object.keys(DIGESTS).toSorted();

describe.each(MINORS)("the release %s", (minor) => {
  it("has the tables of its sources", () => {
    const { version, gates, retiredGates, roles, bindings } = tablesOf(minor);
    const digests = {
      version,
      gates: digestOf(gates),
      retiredGates: digestOf(retiredGates),
      roles: digestOf(roles),
      bindings: digestOf(bindings),
    };
    expect(digests).toEqual(DIGESTS[minor]);
  });

  it("is that of its tables", () => {
    const [release, tables] = [load(minor), tablesOf(minor)];
    const [major, number] = minor.split(".");
    expect(release.minor).toBe(minor);
    expect(release.api.minor).toBe(minor);
    expect(release.version).toMatchObject({ major, minor: number, gitVersion: `v${tables.version}+embedded` });
    expect(release.gates().map(({ name, stage, isOn }) => `${name} ${stage} ${isOn ? "1" : "0"}`)).toEqual(
      linesOf(tables.gates),
    );
    expect([linesOf(release.roles), linesOf(release.bindings)]).toEqual([
      linesOf(tables.roles),
      linesOf(tables.bindings),
    ]);
  });

  it("is the same object at each load", () => {
    const [first, second] = [loadRelease(minor), loadRelease(minor)];
    expect(first).toBeDefined();
    expect([second, loadRelease(minor)]).toEqual([first, first]);
    expect(second).toBe(first);
  });
});

describe("the differences between releases", () => {
  it("are those of their changelogs", () => {
    const gates: readonly GateName[] = [
      "MutatingAdmissionPolicy",
      "InPlacePodVerticalScaling",
      // Gone in 1.36 and in 1.37, as both were generally available.
      "HonorPVReclaimPolicy",
      "APIServerTracing",
      // Gone in 1.37, which lacks the feature.
      "InTreePluginPortworxUnregister",
      "CBORServingAndStorage",
    ];
    const facts = MINORS.map((minor) => {
      const release = load(minor);
      return [minor, ...gates.map((gate) => release.isEnabled(gate))];
    });
    expect(facts).toEqual([
      ["1.34", false, true, true, true, false, false],
      ["1.35", false, true, true, true, false, false],
      ["1.36", true, true, true, true, false, false],
      ["1.37", true, true, true, true, false, false],
    ]);
  });

  it("are ordered", () => {
    const releases = MINORS.map((each) => load(each));
    expect(releases.map(({ since }) => [since("1.9"), since("1.34"), since("1.36"), since("1.100")])).toEqual([
      [true, true, false, false],
      [true, true, false, false],
      [true, true, true, false],
      [true, true, true, false],
    ]);
  });

  it("do not change the default release", () => {
    const before = JSON.stringify([defaultRelease.gates(), defaultRelease.roles, defaultRelease.bindings]);
    MINORS.map((each) => load(each));
    expect(JSON.stringify([defaultRelease.gates(), defaultRelease.roles, defaultRelease.bindings])).toBe(before);
  });
});

describe("loading a release", () => {
  it("returns the default one for the version of the types", () => {
    expect(load(KUBERNETES_MINOR)).toBe(defaultRelease);
    expect(defaultRelease.api).toBe(builtInApi);
    expect(defaultRelease.version.gitVersion).toBe(`v${KUBERNETES_VERSION}+embedded`);
  });

  it.each(["1.33", "1.38", "v1.37", "1.37.2", "latest", ""])("%j has none", (minor) => {
    expect(loadRelease(minor)).toBeUndefined();
  });
});

describe("whether a feature is enabled", () => {
  it.each(MINORS)("is what the tables say, for each gate of %s", (minor) => {
    const [release, { retiredGates }] = [load(minor), tablesOf(minor)];
    const found = release.gates().filter(({ name, isOn }) => release.isEnabled(name as GateName) !== isOn);
    expect(found).toEqual([]);
    const retired = linesOf(retiredGates);
    expect(retired.filter((gate) => !release.isEnabled(gate as GateName))).toEqual([]);
    expect(minor === "1.34" || retired.length > 0).toBe(true);
  });
});

describe("changing feature gates", () => {
  it("changes what is enabled, and what is listed", () => {
    const changed = withGates(defaultRelease, { CBORServingAndStorage: true, APIServerTracing: false });
    expect([changed.isEnabled("CBORServingAndStorage"), changed.isEnabled("APIServerTracing")]).toEqual([true, false]);
    expect(defaultRelease.isEnabled("CBORServingAndStorage")).toBe(false);
    const expected = defaultRelease.gates().map((gate) => {
      if (gate.name === "CBORServingAndStorage") return { ...gate, isOn: true };
      return gate.name === "APIServerTracing" ? { ...gate, isOn: false } : gate;
    });
    expect(changed.gates()).toEqual(expected);
  });

  it("returns the release itself without changes", () => {
    expect(withGates(defaultRelease, { CBORServingAndStorage: undefined })).toBe(defaultRelease);
  });
});

function load(minor: string): Release {
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`there is no release ${minor}`);
  return release;
}

function tablesOf(minor: string): ReleaseTables {
  const patch = readReleaseFiles(minor)?.server;
  return patch === undefined ? baseTables : patchedTables(baseTables, patch);
}

function digestOf(table: string): string {
  return createHash("sha256").update(linesOf(table).join("\n")).digest("hex").slice(0, 16);
}
