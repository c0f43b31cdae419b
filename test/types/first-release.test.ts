import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { typeCheck } from "../support/type-check.ts";

/** Code of examples and golden projects of the first release that uses built-in types, and no other package. */
const FIXTURES = fileURLToPath(new URL("fixtures/first-release/", import.meta.url));

const SETTINGS = readFileSync(path.join(ROOT, "templates", "init", "tsconfig.json.hbs"), "utf8");

describe("code of the first release", () => {
  const projects = readdirSync(FIXTURES);

  it.each(projects)("compiles: %s", { timeout: 120_000 }, (project) => {
    const names = readdirSync(path.join(FIXTURES, project), { recursive: true, encoding: "utf8" });
    const sources = names.filter((name) => name.endsWith(".ts"));
    const files = sources.map((name) => [name, readFileSync(path.join(FIXTURES, project, name), "utf8")] as const);
    expect(sources.length).toBeGreaterThan(2);
    expect(typeCheck({ "tsconfig.json": SETTINGS, ...Object.fromEntries(files) })).toEqual([]);
  });

  it("does not compile with fields that no version has", { timeout: 120_000 }, () => {
    const source = `import type { Container } from "@kubescaffold/k8s/core/v1";
export const container: Container = { name: "web", pullPolicy: "Always" };
`;
    expect(typeCheck({ "tsconfig.json": SETTINGS, "api/x.ts": source })).toEqual([
      expect.stringContaining("'pullPolicy' does not exist"),
    ]);
  });
});
