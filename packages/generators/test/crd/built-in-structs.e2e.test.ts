import { readFileSync } from "node:fs";

import { KUBERNETES_MINOR, type KubernetesMinor, SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { loadStructSchemas, structNames, structSchema } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { RELAXABLE_CODES } from "../../src/checks/check-crds.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";
import { digestOf, kindIn, kindOf, sourceOf, STRINGS } from "../support/struct-kinds.ts";

/** Digests of the CRDs that controller-gen generates for a kind around each struct and each named string; see scripts/golden-built-in-structs.mjs. */
const recorded = JSON.parse(
  readFileSync(new URL("fixtures/built-in-structs.json", import.meta.url), "utf8"),
) as Readonly<Record<string, string>>;

/** Those of the CRDs that generateEmbeddedObjectMeta=true changes. */
const recordedWithMetadata = JSON.parse(
  readFileSync(new URL("fixtures/built-in-structs-embedded-metadata.json", import.meta.url), "utf8"),
) as Readonly<Record<string, string>>;

const GROUPS = [
  "core/v1",
  "apps/v1",
  "batch/v1",
  "networking/v1",
  "rbac/v1",
  "autoscaling/v2",
  "policy/v1",
  "meta/v1",
] as const;

it("a kind around any struct or named string of the built-in groups is what controller-gen makes of it", async () => {
  const names = Object.keys(recorded);
  const digests = await generatedDigests(names, "");
  expect(names.filter((name) => digests.get(kindOf(name)) !== recorded[name])).toEqual([]);
});

it("with generateEmbeddedObjectMeta=true, metadata inside of every struct has the fields that controller-gen generates", async () => {
  const expected = { ...recorded, ...recordedWithMetadata };
  const names = Object.keys(recorded);
  const digests = await generatedDigests(names, ",generateEmbeddedObjectMeta=true");
  expect(names.filter((name) => digests.get(kindOf(name)) !== expected[name])).toEqual([]);
  expect(Object.keys(recordedWithMetadata)).toContain("core/v1.PodTemplateSpec");
});

describe.each(SUPPORTED_MINORS.filter((minor) => minor !== KUBERNETES_MINOR))("Kubernetes %s", (minor) => {
  // Digests that differ from those of the default version; null is that of a type which the version lacks.
  const { plain, embedded } = JSON.parse(
    readFileSync(new URL(`fixtures/built-in-structs-${minor}.json`, import.meta.url), "utf8"),
  ) as Readonly<Record<"plain" | "embedded", Readonly<Record<string, string | null>>>>;
  const names = Object.keys(recorded).filter((name) => plain[name] !== null);

  it("a kind around any struct or named string is what controller-gen makes of it", async () => {
    const expected = { ...recorded, ...plain };
    const digests = await generatedDigests(names, "", minor);
    expect(names.filter((name) => digests.get(kindOf(name)) !== expected[name])).toEqual([]);
    expect(plain["core/v1.PodTemplateSpec"]).toMatch(/^[0-9a-f]{16}$/u);
  });

  it("with generateEmbeddedObjectMeta=true, metadata has the fields that controller-gen generates", async () => {
    const expected = { ...recorded, ...recordedWithMetadata, ...embedded };
    const digests = await generatedDigests(names, ",generateEmbeddedObjectMeta=true", minor);
    expect(names.filter((name) => digests.get(kindOf(name)) !== expected[name])).toEqual([]);
  });

  it("the types that it lacks have no schema", async () => {
    const { structSchema: lookUp } = await loadStructSchemas(minor);
    const lacking = Object.keys(recorded).filter((name) => lookUp(name) === undefined);
    expect(lacking).toEqual(Object.keys(plain).filter((name) => plain[name] === null));
  });
});

it("no struct that a kind of these groups can hold is omitted", () => {
  const held = structNames().filter((name) => GROUPS.some((group) => name.startsWith(`${group}.`)));
  expect(held.filter((name) => recorded[name] === undefined && !NOT_HELD.test(name))).toEqual([]);
});

it("no named string is omitted but the one that controller-gen fails on", () => {
  const known = new Set(structNames());
  const names = [...STRINGS].filter((name) => known.has(name));
  expect(names.filter((name) => structSchema(name)?.["type"] !== "string")).toEqual([]);
  expect(names.filter((name) => recorded[name] === undefined)).toEqual(["resource/v1.DeviceAllocationMode"]);
});

// Lists, requests and answers of the API, which no object holds.
const NOT_HELD =
  /List$|Options$|^meta\/v1\.(?:API|Group|InternalEvent|Patch$|Table|WatchEvent|RootPaths|Timestamp|Status|PartialObject|FieldSelectorRequirement|ServerAddress|Preconditions|TypeMeta|ListMeta)/u;

async function generatedDigests(
  names: readonly string[],
  options: string,
  kubernetesVersion: KubernetesMinor = KUBERNETES_MINOR,
): Promise<ReadonlyMap<string, string>> {
  const relaxed = RELAXABLE_CODES.join(";");
  const result = await runGenerators({
    root: "/p",
    kubernetesVersion,
    arguments: [
      `crd:maxDescLen=0,omitToolVersion=true,allowDangerousTypes=true,relax=${relaxed}${options}`,
      "paths=./...",
    ],
    host: memoryHost({ "/p/v1/types.ts": sourceOf(names) }),
  });
  expect(result.diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  return new Map(result.files.map(({ content }) => [kindIn(content), digestOf(content)]));
}
