import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { importScript } from "../support/import-script.ts";

interface BuildStamp {
  readonly isBuilt: (root: string) => boolean;
  readonly startBuild: (root: string) => () => void;
}

const { isBuilt, startBuild } = await importScript<BuildStamp>("build-stamp.mjs");

let root = "";

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "build-stamp-"));
  const folder = root;
  onTestFinished(() => rmSync(folder, { recursive: true }));
  write("package.json", "{}");
  write("src/main.ts", "main");
  write("packages/a/src/index.ts", "a");
  write("packages/a/test/a.test.ts", "test");
});

function write(file: string, text: string): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function build(): void {
  const end = startBuild(root);
  write("dist/main.js", "main");
  write("packages/a/dist/index.js", "a");
  end();
}

describe("a build", () => {
  it("has nothing to do after a build of the same sources", () => {
    expect(isBuilt(root)).toBe(false);
    build();
    expect(isBuilt(root)).toBe(true);
    write("packages/a/test/a.test.ts", "another test");
    expect(isBuilt(root)).toBe(true);
  });

  it.each([
    ["a changed source", () => write("src/main.ts", "other")],
    ["a new source of a package", () => write("packages/a/src/b.ts", "b")],
    ["a removed source", () => rmSync(path.join(root, "packages/a/src/index.ts"))],
    ["another configuration of the compiler", () => write("tsconfig.base.json", "{}")],
    ["other versions of libraries", () => write("package-lock.json", "{}")],
    ["a changed output", () => write("packages/a/dist/index.js", "other output")],
    ["an output that is missing", () => rmSync(path.join(root, "dist/main.js"))],
    ["outputs that are missing", () => rmSync(path.join(root, "packages/a/dist"), { recursive: true })],
    ["an output that something else wrote", () => write("packages/a/dist/b.js", "b")],
    ["a build that failed", () => void startBuild(root)],
    ["a build that was killed", () => write("node_modules/.cache/kubescaffold/build.json", '{"inputs":')],
  ])("runs after %s", (_, change) => {
    build();
    change();
    expect(isBuilt(root)).toBe(false);
  });

  it("runs again if a source has changed meanwhile", () => {
    const end = startBuild(root);
    write("src/main.ts", "other");
    end();
    expect(isBuilt(root)).toBe(false);
  });
});
