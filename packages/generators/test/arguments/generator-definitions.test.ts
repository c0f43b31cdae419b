import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { describeArguments } from "../../src/arguments/describe-arguments.ts";

interface ListedOption {
  readonly name: string;
  readonly target: string;
  readonly arguments: readonly { readonly name: string; readonly type: string; readonly isOptional: boolean }[];
}

const upstream = JSON.parse(
  readFileSync(new URL("./fixtures/options.json", import.meta.url), "utf8"),
) as readonly ListedOption[];

// Options that only this program has; docs/verification/generator-differences.md says why.
const differences = readFileSync(
  new URL("../../../../docs/verification/generator-differences.md", import.meta.url),
  "utf8",
);

// A generator that only this program has, with its options and output rules.
const OWN_GENERATOR = /^(?:output:)?(?<generator>conversion)(?::|$)/u;

describe("the options of the command line", () => {
  it("are those of controller-gen, and no more than the table of differences lists", () => {
    const known = new Set(upstream.flatMap((option) => lines(option)));
    const ours = listed().flatMap((option) => lines(option));
    expect([...known].filter((line) => !ours.includes(line))).toEqual([]);
    const own = ours.filter((line) => !known.has(line)).map((line) => line.split(" ")[0] ?? "");
    const names = own.map((name) => OWN_GENERATOR.exec(name)?.groups?.["generator"] ?? name);
    expect(names.filter((name) => !differences.includes(`\`${name}\``))).toEqual([]);
  });
});

// What `-hhhh` prints, in the form in which controller-gen's answer was recorded.
function listed(): readonly ListedOption[] {
  const { content } = describeArguments({ about: "options", level: 4, words: [] });
  const categories = JSON.parse(content) as readonly {
    readonly markers: readonly {
      readonly name: string;
      readonly target: string;
      readonly fields: readonly { readonly name: string; readonly type: string; readonly optional: boolean }[];
    }[];
  }[];
  return categories
    .flatMap(({ markers }) => markers)
    .map(({ name, target, fields }) => ({
      name,
      target,
      arguments: fields.map((field) => ({ name: field.name, type: field.type, isOptional: field.optional })),
    }));
}

function lines({ name, target, arguments: list }: ListedOption): readonly string[] {
  return [
    `${name} applies to ${target}`,
    ...list.map((each) => `${name}:${each.name} is ${each.type}${each.isOptional ? ", optional" : ""}`),
  ];
}
