import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CHANGES, GATES } from "./conditions.ts";

const SOURCES = path.join(import.meta.dirname, "../../src");

// Kinds that a feature gate is named after.
const KINDS: ReadonlySet<string> = new Set(["VolumeAttributesClass"]);

// Rules that look up a gate or a version; the tables of the releases themselves are no rules.
const FILES = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith("release/"))
  .map((file) => ({ file, text: textOf(file) }))
  .filter(({ text }) => /\bisEnabled\(|\bsince\(/u.test(text));

describe("the conditions of rules", () => {
  it("look up the feature gates of the table", () => {
    const names = new Set(quotedIn(textOf("release/gate-names.ts")));
    const used = new Set(
      FILES.flatMap(({ text }) => quotedIn(text)).filter((word) => names.has(word) && !KINDS.has(word)),
    );
    expect([...used].toSorted()).toEqual(Object.keys(GATES).toSorted());
  });

  it("are those of the table where a change has no gate", () => {
    const used = FILES.flatMap(({ file, text }) =>
      [...new Set([...text.matchAll(/\bsince\("([\d.]+)"\)/gu)].map(([, minor = ""]) => minor))].map(
        (minor) => `${file} ${minor}`,
      ),
    );
    expect(used.toSorted()).toEqual(CHANGES.map(([file, minor]) => `${file} ${minor}`).toSorted());
  });

  it("have a KEP, a pull request, or the place in the sources of Kubernetes that changed", () => {
    const reasons = [...Object.values(GATES), ...CHANGES.map(([, , reason]) => reason)];
    expect(reasons.filter((reason) => reason.trim() === "")).toEqual([]);
  });
});

function textOf(file: string): string {
  return readFileSync(path.join(SOURCES, file), "utf8");
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/"(\w+)"/gu)].map(([, word = ""]) => word);
}
