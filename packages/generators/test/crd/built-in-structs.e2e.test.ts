import { readFileSync } from "node:fs";

import { structNames, structSchema } from "@kubescaffold/k8s/tables";
import { expect, it } from "vitest";

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

it("no struct that a kind of these groups can hold is omitted", () => {
  const held = structNames().filter((name) => GROUPS.some((group) => name.startsWith(`${group}.`)));
  expect(held.filter((name) => recorded[name] === undefined && !NOT_HELD.test(name))).toEqual([]);
});

it("no named string is omitted but the one that controller-gen fails on", () => {
  const names = [...STRINGS];
  expect(names.filter((name) => structSchema(name)?.["type"] !== "string")).toEqual([]);
  expect(names.filter((name) => recorded[name] === undefined)).toEqual(["resource/v1.DeviceAllocationMode"]);
});

// Lists, requests and answers of the API, which no object holds.
const NOT_HELD =
  /List$|Options$|^meta\/v1\.(?:API|Group|InternalEvent|Patch$|Table|WatchEvent|RootPaths|Timestamp|Status|PartialObject|FieldSelectorRequirement|ServerAddress|Preconditions|TypeMeta|ListMeta)/u;

async function generatedDigests(names: readonly string[], options: string): Promise<ReadonlyMap<string, string>> {
  const relaxed = RELAXABLE_CODES.join(";");
  const result = await runGenerators({
    root: "/p",
    arguments: [
      `crd:maxDescLen=0,omitToolVersion=true,allowDangerousTypes=true,relax=${relaxed}${options}`,
      "paths=./...",
    ],
    host: memoryHost({ "/p/v1/types.ts": sourceOf(names) }),
  });
  expect(result.diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  return new Map(result.files.map(({ content }) => [kindIn(content), digestOf(content)]));
}
