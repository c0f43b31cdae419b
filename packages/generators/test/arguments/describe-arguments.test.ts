import { describe, expect, it } from "vitest";

import { describeArguments, readHelpRequest } from "../../src/arguments/describe-arguments.ts";
import { GENERATOR_DEFINITIONS } from "../../src/arguments/generator-definitions.ts";
import { MARKER_DEFINITIONS } from "../../src/markers/catalogue.ts";

function help(...words: readonly string[]): string {
  const request = readHelpRequest(words);
  return request === undefined ? "" : describeArguments(request).content;
}

interface JsonCategory {
  readonly category: string;
  readonly markers: readonly { readonly name: string; readonly target: string; readonly fields: readonly unknown[] }[];
}

describe("a help request", () => {
  it.each([
    [["crd", "-w"], "markers", 1],
    [["crd", "-w", "-w"], "markers", 2],
    [["-www", "crd"], "markers", 3],
    [["--which-markers", "-www", "crd"], "markers", 4],
    [["-wwwwwww"], "markers", 4],
    [["-h"], "options", 1],
    [["--detailed-help", "-h"], "options", 2],
    [["-h", "-w"], "markers", 1],
  ])("%j is about the %s, at level %i", (words, about, level) => {
    const others = words.filter((word) => !word.startsWith("-"));
    expect(readHelpRequest(words)).toEqual({ about, level, words: others });
  });

  it("is not seen in the words of a run", () => {
    expect(readHelpRequest(["crd", "paths=./-w", "output:dir=-h"])).toBeUndefined();
  });
});

describe("help on markers", () => {
  it("names every marker, in one line each, when no generator is named", () => {
    const lines = help("-w").split("\n");
    for (const { name, summary } of MARKER_DEFINITIONS)
      expect(lines.some((line) => line.startsWith(`  +${name} `) && line.includes(summary))).toBe(true);
  });

  it.each([
    ["rbac:roleName=x", "+kubebuilder:rbac", "+kubebuilder:webhook"],
    ["webhook", "+kubebuilder:webhook", "+kubebuilder:rbac"],
    ["crd", "+kubebuilder:printcolumn", "+kubebuilder:rbac"],
  ])("of %s has %s and not %s", (generator, its, others) => {
    expect(help(generator, "-w")).toContain(`${its} `);
    expect(help(generator, "-w")).not.toContain(`${others} `);
  });

  it("belongs to a generator, whichever marker it is", () => {
    const names = GENERATOR_DEFINITIONS.map((each) => each.name);
    expect(help(...names, "-www")).toBe(help("-www"));
  });

  it("shows the arguments at the second level and the place at the third", () => {
    expect(help("rbac", "-w")).not.toContain("verbs");
    expect(help("rbac", "-ww")).toMatch(/verbs +a list of strings, required: Verbs/u);
    expect(help("rbac", "-ww")).not.toContain("Applies to");
    expect(help("rbac", "-www")).toContain("Applies to: package.");
  });

  it("is JSON of upstream's shape at the fourth", () => {
    const categories = JSON.parse(help("rbac", "-wwww")) as readonly JsonCategory[];
    expect(categories).toMatchObject([
      { category: "RBAC", markers: [{ name: "kubebuilder:rbac", target: "package", details: "", category: "RBAC" }] },
    ]);
    expect(categories[0]?.markers[0]?.fields).toContainEqual({
      name: "verbs",
      type: "slice",
      itemType: { type: "string" },
      optional: false,
      summary: expect.any(String),
      details: "",
    });
  });

  it("has in JSON one entry for each place of a marker", () => {
    const all = (JSON.parse(help("-wwww")) as readonly JsonCategory[]).flatMap((each) => each.markers);
    expect(all.map(({ name, target }) => `${target} ${name}`)).toEqual([
      ...new Set(all.map(({ name, target }) => `${target} ${name}`)),
    ]);
    expect(all).toHaveLength(MARKER_DEFINITIONS.reduce((sum, each) => sum + each.targets.length, 0));
  });
});

describe("help on options", () => {
  it("names generators, sources and output rules", () => {
    expect(help("-h")).toMatch(/^generators\n\n {2}crd /u);
    expect(help("-h")).toContain("\n  paths ");
    expect(help("-h")).toContain("\n  output:crd:artifacts ");
  });

  it("shows the options of a generator at the second level", () => {
    expect(help("-hh")).toMatch(/roleName +a string, required: The name of the role\./u);
  });
});
