import { readYaml } from "@kubescaffold/k8s/yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { addMissingKeys } from "../../src/project/add-missing-keys.ts";

describe("keys that a text lacks", () => {
  it("are added with the comments right above them, and nothing else changes", () => {
    const present = `# mine
manager:
    replicas: 3   # three
    image:
        repository: "x"
    # pod: {}

# last
`;
    const wanted = `# The manager.
manager:
  replicas: 1

  # The image.
  image:
    repository: controller
    # Who pulls.
    pullPolicy: Always

  # Probes.
  healthProbe:
    port: 8081

# The webhooks.
webhook:
  # On or off.
  enabled: true
  # secretName: ""

other: {}
`;
    const { text, added } = addMissingKeys(present, wanted);
    expect(added).toEqual(["manager.image.pullPolicy", "manager.healthProbe", "webhook", "other"]);
    expect(text).toBe(`# mine
manager:
    replicas: 3   # three
    image:
        repository: "x"
        # Who pulls.
        pullPolicy: Always
    # pod: {}
    # Probes.
    healthProbe:
      port: 8081

# last

# The webhooks.
webhook:
  # On or off.
  enabled: true
  # secretName: ""

other: {}
`);
  });

  it("are none where there is everything, and the text is the same", () => {
    const text = "a: 1 # one\nb: {}\n";
    expect(addMissingKeys(text, "b:\n  c: 2\na: 3\n")).toEqual({ text, added: [] });
  });

  it("go into the innermost mapping first where several go to one place", () => {
    const { text } = addMissingKeys("a:\n  b:\n    c: 1\n", "x: 1\na:\n  y: 2\n  b:\n    z: 3\n");
    expect(text).toBe("a:\n  b:\n    c: 1\n    z: 3\n  y: 2\n\nx: 1\n");
  });

  it("fill an empty text", () => {
    expect(addMissingKeys("# nothing yet", "a: 1\nb: 2\n")).toEqual({
      text: "# nothing yet\na: 1\nb: 2\n",
      added: ["a", "b"],
    });
  });

  it("are omitted from a mapping on one line, and from a value that is not a mapping", () => {
    for (const text of ["a: {x: 1}\n", "a:\n- 1\n", "a: null\n", "- a\n"])
      expect(addMissingKeys(text, "a:\n  y: 2\n")).toEqual({ text, added: [] });
  });

  const keys = fc.constantFrom("a", "b", "c", "d");
  const values = fc.letrec((tie) => ({
    map: fc.dictionary(keys, fc.oneof({ depthSize: "small" }, fc.integer(), tie("map")), { minKeys: 1 }),
  })).map;

  it("are all there afterwards, and what was there is as it was, for any two mappings", () => {
    fc.assert(
      fc.property(values, values, fc.constantFrom(2, 3, 4), (present, wanted, indent) => {
        const before = print(present, 0, indent);
        const { text } = addMissingKeys(before, print(wanted, 0, 2));
        expect(readYaml(text, { file: "text" })).toEqual(merged(present, wanted));
        const left = text.split("\n");
        for (const line of before.trimEnd().split("\n"))
          expect(left.splice(0, left.indexOf(line) + 1).at(-1)).toBe(line);
      }),
      { numRuns: 40 },
    );
  });
});

function print(value: unknown, depth: number, indent: number): string {
  return Object.entries(value as object)
    .map(([key, each]: readonly [string, unknown]) => {
      const start = `${" ".repeat(depth)}${key}:`;
      return typeof each === "object"
        ? `${start}\n${print(each, depth + indent, indent)}`
        : `${start} ${JSON.stringify(each)}\n`;
    })
    .join("");
}

function merged(present: unknown, wanted: unknown): unknown {
  if (!isMap(present) || !isMap(wanted)) return present;
  const names = new Set([...Object.keys(present), ...Object.keys(wanted)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in present ? merged(present[name], wanted[name]) : wanted[name]]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
