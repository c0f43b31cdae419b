import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { structNames, structSchema } from "@kubescaffold/k8s/tables";
import { expect, it } from "vitest";

import { RELAXABLE_CODES } from "../../../src/generators/checks/check-crds.ts";
import { runGenerators } from "../../../src/generators/run-generators.ts";
import { memoryHost } from "../memory-host.ts";

/** Digests of the CRDs that controller-gen generates for a kind around each struct and each named string; see scripts/golden-built-in-structs.mjs. */
const recorded = JSON.parse(
  readFileSync(new URL("../fixtures/built-in-structs.json", import.meta.url), "utf8"),
) as Readonly<Record<string, string>>;

/** Those of the CRDs that generateEmbeddedObjectMeta=true changes. */
const recordedWithMetadata = JSON.parse(
  readFileSync(new URL("../fixtures/built-in-structs-embedded-metadata.json", import.meta.url), "utf8"),
) as Readonly<Record<string, string>>;

const strings = JSON.parse(
  readFileSync(new URL("../../../scripts/k8s-types/string-types.json", import.meta.url), "utf8"),
) as Readonly<Record<"values" | "aliases", Readonly<Record<string, unknown>>>>;
const STRINGS = new Set(Object.keys({ ...strings.values, ...strings.aliases }));

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

function sourceOf(names: readonly string[]): string {
  const groups = [...new Set(names.map((name) => name.slice(0, name.indexOf("."))))];
  const imports = groups.map((group) => `import type * as ${aliasOf(group)} from "@kubescaffold/k8s/${group}";`);
  const kinds = names.map((name) => {
    const [group = "", struct = ""] = name.split(".");
    return `export interface ${kindOf(name)} extends MetaV1.KubernetesObject { value: ${aliasOf(group)}.${struct} }`;
  });
  return ["// +groupName=golden.example.com", ...imports, "", ...kinds].join("\n");
}

function kindOf(name: string): string {
  const [group = "", struct = ""] = name.split(".");
  return aliasOf(group) + struct + (STRINGS.has(name) ? "String" : "");
}

function aliasOf(group: string): string {
  return group
    .split("/")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

function kindIn(content: string): string {
  return /^ {4}kind: (\w+)$/mu.exec(content)?.[1] ?? "";
}

function digestOf(content: string): string {
  return createHash("sha256")
    .update(content.replace(/^---\n/u, ""))
    .digest("hex")
    .slice(0, 16);
}
