import { readFileSync } from "node:fs";

import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import { KNOWN_DIFFERENCES, knownDifference } from "./known-differences.ts";
import type { CrdPackage, Package } from "./package-model.ts";
import { randomPackage } from "./random-package.ts";
import { renderGo } from "./render-go.ts";
import { renderTypeScript } from "./render-typescript.ts";
import { runScaffold } from "./scaffold-oracle.ts";
import { shrink } from "./shrink.ts";

const SEEDS = Array.from({ length: 60 }, (_, index) => 40_000 + index);

describe("a random package", () => {
  it("is the same for the same seed, in both languages", () => {
    for (const seed of SEEDS) {
      const [first, second] = [randomPackage(seed), randomPackage(seed)];
      expect(second).toEqual(first);
      expect(renderGo(second)).toEqual(renderGo(first));
      expect(renderTypeScript(second)).toEqual(renderTypeScript(first));
    }
  });

  it("is another one for another seed", () => {
    const texts = SEEDS.map((seed) => JSON.stringify(renderTypeScript(randomPackage(seed))));
    expect(new Set(texts).size).toBe(SEEDS.length);
  });

  it("parses as TypeScript", () => {
    const errors = SEEDS.flatMap((seed) => Object.values(renderTypeScript(randomPackage(seed)))).flatMap((text) =>
      syntaxErrors(text),
    );
    expect(errors).toEqual([]);
  });

  it("is as a rule accepted by the generator it is for, and never makes it crash", async () => {
    const outcomes = await Promise.all(SEEDS.map((seed) => runScaffold(randomPackage(seed))));
    const accepted = outcomes.filter(({ errors, output }) => errors.length === 0 && output !== "");
    expect(accepted.length).toBeGreaterThan(SEEDS.length / 2);
    expect(accepted.length).toBeLessThan(SEEDS.length);
  });
});

describe("shrinking", () => {
  it("leaves only what shows the difference", async () => {
    const model = { ...(randomPackage(40_000, "crd") as CrdPackage), seed: 1 };
    const marked = withMarker(model, "+kubebuilder:validation:Format=here");
    const smallest = await shrink(marked, (candidates) =>
      Promise.resolve(candidates.map((each) => Object.values(renderGo(each)).join("").includes("Format=here"))),
    );
    const lines = Object.values(renderGo(smallest))
      .join("")
      .split("\n")
      .filter((line) => line !== "");
    expect(lines.length).toBeLessThan(12);
    expect(lines.join("\n")).toContain("+kubebuilder:validation:Format=here");
  });

  it("gives back a package from which nothing can be taken", async () => {
    const model: Package = {
      kind: "rbac",
      seed: 1,
      options: ["rbac:roleName=x"],
      files: [{ path: "a/b", groups: [["+a"]] }],
    };
    expect(await shrink(model, (candidates) => Promise.resolve(candidates.map(() => false)))).toBe(model);
  });
});

describe("listed differences", () => {
  it("are in the table of the documentation", () => {
    const page = readFileSync(
      new URL("../../../../docs/verification/generator-differences.md", import.meta.url),
      "utf8",
    );
    const missing = KNOWN_DIFFERENCES.map(([row]) => row).filter((row) => !page.includes(`| \`${row}\` |`));
    expect(missing).toEqual([]);
  });

  it("explain nothing where there is no reason", () => {
    const model = randomPackage(40_000, "crd");
    const accepted = { output: "a: 1\n", errors: [] };
    expect(knownDifference({ model, theirs: accepted, ours: { output: "a: 2\n", errors: [] } })).toBeUndefined();
    expect(knownDifference({ model, theirs: accepted, ours: { output: "", errors: ["X: y"] } })).toBeUndefined();
    expect(knownDifference({ model, theirs: { output: "", errors: ["y"] }, ours: accepted })).toBeUndefined();
  });
});

function syntaxErrors(text: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

function withMarker(model: CrdPackage, marker: string): CrdPackage {
  return {
    ...model,
    folders: model.folders.map((folder) => ({
      ...folder,
      declarations: folder.declarations.map((each, index) =>
        index === 0 ? { ...each, comment: { ...each.comment, markers: [...each.comment.markers, marker] } } : each,
      ),
    })),
  };
}
