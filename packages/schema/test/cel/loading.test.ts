import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

const SOURCE = new URL("../../src/", import.meta.url);

test("the package loads no CEL library before a rule is compiled", () => {
  expect(librariesOf("index.ts")).not.toContain("@marcbachmann/cel-js");
  expect(librariesOf("cel/index.ts")).toContain("@marcbachmann/cel-js");
});

// What a file imports for its values, from packages, itself and through the files it imports.
function librariesOf(entry: string): ReadonlySet<string> {
  const libraries = new Set<string>();
  const seen = new Set<string>();
  const open = [new URL(entry, SOURCE)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file.href)) continue;
    seen.add(file.href);
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(
      /^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm,
    )) {
      if (target.startsWith(".")) open.push(new URL(target, file));
      else libraries.add(target);
    }
  }
  return libraries;
}
