import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { checkInput } from "./engine/check-input.ts";
import type { FuzzTarget } from "./engine/fuzz-target.ts";

const FIXTURES = path.join(import.meta.dirname, "fixtures");

const targets = await Promise.all(
  readdirSync(path.join(import.meta.dirname, "targets")).map(async (file) => {
    const { target } = (await import(`./targets/${file}`)) as { readonly target: FuzzTarget };
    return [path.basename(file, ".ts"), target] as const;
  }),
);

describe.each(targets)("the target %s", (file, target) => {
  it("has the name of its file", () => {
    expect(target.name).toBe(file);
  });

  it("keeps its promises for its seeds", async () => {
    for (const seed of target.seeds) expect(await checkInput(target, seed)).toBeUndefined();
  });
});

const fixtures = targets.flatMap(([name, target]) => {
  const folder = path.join(FIXTURES, name);
  return existsSync(folder) ? readdirSync(folder).map((file) => [name, file, target] as const) : [];
});

describe("an input that broke a promise breaks it no more", () => {
  it.each(fixtures)("%s %s", async (name, file, target) => {
    const input = readFileSync(path.join(FIXTURES, name, file), "utf8");
    expect(await checkInput(target, input)).toBeUndefined();
  });
});
