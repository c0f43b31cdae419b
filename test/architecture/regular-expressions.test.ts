import { expect, it } from "vitest";

import { constantTextsOf, patternsOf, slownessOf, type FoundPattern } from "./regular-expressions.ts";
import { listFiles, listSources } from "./source-files.ts";

const files = [...listSources(), ...listFiles("scripts").filter((file) => file.endsWith(".mjs"))];
const patterns = files.flatMap((file) => patternsOf(file));

/** What sources insert into expressions, and why that cannot make them slow. */
const INSERTED: Readonly<Record<string, string>> = {
  "packages/k8s/src/fields/names.ts": "the patterns of names, which are constants",
  "plugins/deploy-image/image-variable.ts": "the name of a variable, which consists of letters and underscores",
  "plugins/helm/write-chart.ts": "the first segment of a path, between anchors",
  "packages/generators/src/cache/cached-script.ts": "names of cached scripts, which are constants",
  "src/changes/plan-scope.ts": "names of arguments, which are constants",
  "src/cli/commands/rename-api/run-rename-api.ts": "a name, escaped",
  "src/doctor/project-files.ts": "the name of a class, which a pattern without special characters has matched",
  "packages/generators/src/applyconfiguration/print-apply-file.ts": "the name of a declaration",
  "src/go-project/kustomizations/kustomize-settings.ts": "keys, which are constants",
  "packages/generators/src/importer/import-list.ts": "the name of a declaration",
};

it("takes linear time on every text", () => {
  expect(patterns.length).toBeGreaterThan(500);
  expect(patterns.flatMap((pattern) => slownessOf(pattern))).toEqual([]);
});

it("consists of constants, or of values that cannot make it slow", () => {
  const built = patterns.filter(({ inserted }) => inserted.length > 0).map(({ place }) => place.replace(/:\d+$/u, ""));
  expect([...new Set(built)].toSorted()).toEqual(Object.keys(INSERTED).toSorted());
});

it("is found to be slow where it is", () => {
  const slow = (source: string): boolean => slownessOf({ place: "here", source, flags: "u", inserted: [] }).length > 0;
  const examples = ["^(?:a+)+$", "^a*a*$", "\\s+$", "^a+$", "(?<!\\s)\\s+$"];
  expect(examples.map((source) => slow(source))).toEqual([true, true, true, false, false]);
});

it("of names takes linear time", () => {
  const names = constantTextsOf("packages/k8s/src/fields/names.ts").filter((text) => /[*+]/u.test(text));
  const whole = names.map((name) => ({ place: "a name", source: `^(?:${name})$`, flags: "", inserted: [] }));
  expect(names.length).toBeGreaterThan(5);
  expect(whole.flatMap((pattern) => slownessOf(pattern))).toEqual([]);
});

it("is found in constants, templates, and lists that sources pass to RegExp", () => {
  const found: readonly FoundPattern[] = patternsOf("packages/schema/src/cel/syntax/normalized-source.ts");
  expect(found.some(({ source, inserted }) => source.includes("(?<word>") && inserted.length === 0)).toBe(true);
});
