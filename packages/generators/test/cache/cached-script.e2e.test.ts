import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { readFiles, temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const WITHOUT_HASH =
  '(function (exports, require, module, __filename) { const path = require("node:path"); exports.answer = () => 42; exports.base = path.basename(__filename); })\n';
const SCRIPT = `${WITHOUT_HASH}//${"0123456789abcdef".repeat(4)}\n`;
const LOADER = fileURLToPath(new URL("../../src/cache/cached-script.ts", import.meta.url));

// The cache is written when the process ends, so each load has its own process.
function load(root: string, cacheHome: string): string {
  writeFileSync(
    path.join(root, "load.mts"),
    `import { loadCachedScript } from ${JSON.stringify(pathToFileURL(LOADER).href)};
     const library = loadCachedScript(new URL("library.cjs", import.meta.url)) as { answer: () => number; base: string };
     console.log(library.answer(), library.base);`,
  );
  const tsx = fileURLToPath(import.meta.resolve("tsx"));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", pathToFileURL(tsx).href, path.join(root, "load.mts")],
    {
      encoding: "utf8",
      env: { ...process.env, XDG_CACHE_HOME: cacheHome, NODE_OPTIONS: "" },
    },
  );
  expect(stderr).toBe("");
  return stdout;
}

describe("a script that is loaded through the code cache", () => {
  it("works alike with and without the cache, which is written once", () => {
    const root = temporaryFolder({ "library.cjs": SCRIPT });
    const cache = path.join(root, "cache");
    expect(load(root, cache)).toBe("42 library.cjs\n");
    const [file, ...others] = readdirSync(path.join(cache, "kubescaffold"));
    expect([file, others]).toEqual([expect.stringContaining(`node-${process.versions.node}`), []]);
    const before = readFiles(cache);
    expect(load(root, cache)).toBe("42 library.cjs\n");
    expect(readFiles(cache)).toEqual(before);
  });

  it("loads when the cache is rubbish, and replaces it", () => {
    const root = temporaryFolder({ "library.cjs": SCRIPT });
    const cache = path.join(root, "cache");
    load(root, cache);
    const file = path.join(cache, "kubescaffold", readdirSync(path.join(cache, "kubescaffold"))[0] ?? "");
    writeFileSync(file, "rubbish");
    expect(load(root, cache)).toBe("42 library.cjs\n");
    expect(readFiles(cache)[path.relative(cache, file)]).not.toBe("rubbish");
  });

  it("keeps the newest caches of former builds, and those of other scripts", () => {
    const root = temporaryFolder({ "library.cjs": SCRIPT });
    const folder = path.join(root, "cache", "kubescaffold");
    mkdirSync(folder, { recursive: true });
    for (let age = 0; age < 9; age += 1) {
      for (const name of ["library", "library-other"]) {
        const file = path.join(folder, `${name}-${String(age).repeat(16)}-node-1.cache`);
        writeFileSync(file, "");
        utimesSync(file, 1000 - age, 1000 - age);
      }
    }
    load(root, path.join(root, "cache"));
    const names = readdirSync(folder);
    expect(names.filter((name) => /^library-\d/u.test(name))).toHaveLength(6);
    expect(names).toContain(`library-${"4".repeat(16)}-node-1.cache`);
    expect(names).not.toContain(`library-${"5".repeat(16)}-node-1.cache`);
    expect(names.filter((name) => name.startsWith("library-other-"))).toHaveLength(9);
  });

  it("loads without a cache when nothing says which content it has", () => {
    const root = temporaryFolder({ "library.cjs": WITHOUT_HASH });
    const cache = path.join(root, "cache");
    expect(load(root, cache)).toBe("42 library.cjs\n");
    expect(existsSync(cache)).toBe(false);
  });

  it("loads when there is no place for a cache", () => {
    const root = temporaryFolder({ "library.cjs": SCRIPT, cache: "a file, not a folder" });
    expect(load(root, path.join(root, "cache"))).toBe("42 library.cjs\n");
  });
});
