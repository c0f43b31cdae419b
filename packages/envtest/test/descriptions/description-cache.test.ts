import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Descriptions } from "@kubescaffold/k8s/tables";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { descriptionsFile, readDescriptions, storeDescriptions } from "../../src/descriptions/description-cache.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-descriptions-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function descriptionsOf(release: string, text = `of ${release}`): Descriptions {
  return { release, source: "a test", types: { "core/v1.Pod": { text } } };
}

describe("cached descriptions", () => {
  const cache = (): { readonly env: { readonly XDG_CACHE_HOME: string } } => ({ env: { XDG_CACHE_HOME: folder } });

  it("are read as they were stored, by minor release", async () => {
    expect(await readDescriptions(cache())).toBeUndefined();
    const file = await storeDescriptions(descriptionsOf("v1.35.4"), cache());
    expect(file).toBe(path.join(folder, "kubescaffold", "k8s-docs", "v1.35.json"));
    expect(descriptionsFile("v1.35.0", cache())).toBe(file);
    expect(await readDescriptions(cache())).toEqual(descriptionsOf("v1.35.4"));
    await storeDescriptions(descriptionsOf("v1.35.5"), cache());
    expect(await readDescriptions(cache())).toEqual(descriptionsOf("v1.35.5"));
    expect(readdirSync(path.dirname(file))).toEqual(["v1.35.json"]);
  });

  it("are those of the default version, or else of the newest one", async () => {
    await storeDescriptions(descriptionsOf("v1.9.0"), cache());
    await storeDescriptions(descriptionsOf("v1.34.1"), cache());
    expect((await readDescriptions(cache()))?.release).toBe("v1.34.1");
    await storeDescriptions(descriptionsOf("v1.38.0"), cache());
    expect((await readDescriptions(cache()))?.release).toBe("v1.38.0");
    await storeDescriptions(descriptionsOf("v1.37.2"), cache());
    expect((await readDescriptions(cache()))?.release).toBe("v1.37.2");
  });

  it("are ignored when a file is cut off, changed, or of another program", async () => {
    const file = await storeDescriptions(descriptionsOf("v1.35.4"), cache());
    const text = readFileSync(file, "utf8");
    for (const damaged of [text.slice(0, -10), text.replace("of v1", "for v1"), "{}", ""]) {
      writeFileSync(file, damaged);
      expect(await readDescriptions(cache())).toBeUndefined();
    }
    writeFileSync(file, text);
    expect(await readDescriptions(cache())).toEqual(descriptionsOf("v1.35.4"));
  });

  it("leave nothing behind when they cannot be stored", async () => {
    writeFileSync(path.join(folder, "kubescaffold"), "a file");
    await expect(storeDescriptions(descriptionsOf("v1.35.4"), cache())).rejects.toThrow("ENOTDIR");
    expect(readdirSync(folder)).toEqual(["kubescaffold"]);
  });
});
