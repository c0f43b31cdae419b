// The workflows of this repository, and those that commands and plugins scaffold.
import { describe, expect, it } from "vitest";

import { listFiles, readSource } from "../architecture/source-files.ts";

const WORKFLOWS = [".github", "templates", "plugins"]
  .flatMap((folder) => listFiles(folder))
  .filter((file) => /\.github\/workflows\/[^/]+\.ya?ml(?:\.hbs)?$/u.test(file));

// Dependabot updates the actions of this repository alone: a scaffolded one that is not of the same version is not current.
describe("the actions of workflows", () => {
  it("are pinned to a commit, with its version, which is the same one in every workflow and template", () => {
    const pins = new Map<string, Set<string>>();
    for (const file of WORKFLOWS)
      for (const [, use = ""] of readSource(file).matchAll(/\buses: (.*)$/gmu)) {
        const { name, pin } = /^(?<name>[\w./-]+)@(?<pin>[0-9a-f]{40} # v\d+\.\d+\.\d+)$/u.exec(use)?.groups ?? {};
        expect([file, use, pin]).toEqual([file, use, expect.any(String)]);
        pins.set(name ?? "", (pins.get(name ?? "") ?? new Set()).add(pin ?? ""));
      }
    expect(pins.size).toBeGreaterThan(10);
    expect([...pins].filter(([, versions]) => versions.size > 1)).toEqual([]);
  });

  it("keep the packages of each scaffolded job in a cache", () => {
    const scaffolded = WORKFLOWS.filter((file) => !file.startsWith(".github/"));
    expect(scaffolded.length).toBeGreaterThan(4);
    for (const file of scaffolded) {
      const text = readSource(file);
      const installing = text.match(/^ +- run: \{\{pm\.(?:clean|free)Install\}\}$/gmu) ?? [];
      const caches = text.match(/^ +cache: \{\{pm\.name\}\}$/gmu) ?? [];
      const ofBun = text.match(/^ +path: ~\/\.bun\/install\/cache$/gmu) ?? [];
      expect([file, caches.length, ofBun.length]).toEqual([file, installing.length, installing.length]);
    }
  });
});
