import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT, readSource } from "./source-files.ts";

describe("ARCHITECTURE.md", () => {
  const named = new Set(
    [
      ...readSource("ARCHITECTURE.md").matchAll(
        /`((?:bin|src|plugins|packages|templates|test|scripts|docs|bench|hack|examples)(?:\/[\w.-]+)*)\/?`/gu,
      ),
    ].map((match) => match[1] ?? ""),
  );

  it("names only paths that exist", () => {
    expect([...named].filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it("names every folder of sources", () => {
    const folders = [
      "src",
      "plugins",
      ...readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}/src`),
    ]
      .flatMap((parent) =>
        readdirSync(path.join(ROOT, parent), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => `${parent}/${entry.name}`),
      )
      .filter((folder) => !folder.startsWith("packages/k8s/src/api"));
    expect(folders.filter((folder) => !named.has(folder))).toEqual([]);
  });
});
