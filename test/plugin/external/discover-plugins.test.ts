import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { discoverPlugins } from "../../../src/plugin/external/discover-plugins.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function folderWith(files: Readonly<Record<string, number>>): string {
  const folder = temporaryFolder();
  for (const [name, mode] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "");
    chmodSync(file, mode);
  }
  return folder;
}

describe("the search for external plugins", () => {
  it("finds a program by the name of its plugin, by the part before the first dot, and with any ending", () => {
    const folder = folderWith({
      "plain/v1/plain": 0o755,
      "long.example.com/v2-alpha/long": 0o755,
      "whole.example.com/v1/whole.example.com": 0o755,
      "script/v1/script.py": 0o755,
    });
    expect(discoverPlugins([folder]).plugins.map((each) => each.key)).toEqual([
      "long.example.com/v2-alpha",
      "plain/v1",
      "script/v1",
      "whole.example.com/v1",
    ]);
  });

  it.skipIf(process.platform === "win32")("names what cannot be used, and finds the others anyway", () => {
    const folder = folderWith({
      "bare/v1/bare": 0o644,
      "good/v1/good": 0o755,
      "nothing/v1/README.md": 0o644,
      "odd/latest/odd": 0o755,
      "Wrong_Name/v1/Wrong_Name": 0o755,
      ".DS_Store": 0o644,
      "good/.DS_Store": 0o644,
    });
    const { plugins, problems } = discoverPlugins([folder]);
    expect(plugins.map((each) => each.key)).toEqual(["good/v1"]);
    expect(problems.map((each) => each.replaceAll(`${folder}/`, ""))).toEqual([
      "Wrong_Name/v1: Wrong_Name/v1 is not a plugin key",
      "bare/v1/bare is not executable: run chmod +x on it",
      "nothing/v1: no program named nothing",
      "odd/latest: odd/latest is not a plugin key",
    ]);
  });

  it("takes the first of two plugins with one key, and no folder for an empty one", () => {
    const [first, second] = [folderWith({ "a/v1/a": 0o755 }), folderWith({ "a/v1/a": 0o755 })];
    const { plugins, problems } = discoverPlugins([path.join(first, "missing"), first, second]);
    expect(plugins).toEqual([{ key: "a/v1", executable: path.join(first, "a", "v1", "a") }]);
    expect(problems).toEqual([]);
  });
});
