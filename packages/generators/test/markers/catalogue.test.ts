import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { describeArguments } from "../../src/arguments/describe-arguments.ts";
import { CATALOGUE, MARKER_DEFINITIONS } from "../../src/markers/catalogue.ts";
import { DECLARATIVE_DEFINITIONS } from "../../src/markers/definitions/declarative-definitions.ts";
import type { ArgumentType, MarkerDefinition } from "../../src/markers/definitions/marker-definition.ts";

interface UpstreamMarker {
  readonly name: string;
  readonly target: "package" | "type" | "field";
  readonly arguments: readonly { readonly name: string; readonly type: string; readonly isOptional: boolean }[];
}

const upstream = JSON.parse(
  readFileSync(new URL("./fixtures/catalogue.json", import.meta.url), "utf8"),
) as readonly UpstreamMarker[];

// Upstream knows this place only to refuse it; here every wrong place is reported in the same way.
const REFUSED = "k8s:enum field";

// Controller-gen does not know these tags of validation-gen.
const DECLARATIVE = new Set(DECLARATIVE_DEFINITIONS.map(({ name }) => name));

/** Reports whether a name and its place are ours alone. */
function isOwn(marker: string): boolean {
  return marker.startsWith("kubescaffold:") || DECLARATIVE.has(marker.split(" ", 1)[0] ?? "");
}

describe("the catalogue of markers", () => {
  it("has every marker of controller-gen at every place", () => {
    const missing = upstream
      .filter(({ name, target }) => `${name} ${target}` !== REFUSED)
      .filter(({ name, target }) => CATALOGUE.get(name)?.targets.includes(target) !== true);
    expect(missing).toEqual([]);
  });

  it("has no marker and no place that controller-gen has not, but for those under its own name", () => {
    const known = new Set(upstream.map(({ name, target }) => `${name} ${target}`));
    const ours = MARKER_DEFINITIONS.flatMap(({ name, targets }) => targets.map((target) => `${name} ${target}`));
    // The marker of conversion-gen, which is not a part of controller-gen.
    known.add("k8s:conversion-gen field");
    expect(ours.filter((each) => !known.has(each) && !isOwn(each))).toEqual([]);
  });

  it("has the arguments of controller-gen", () => {
    for (const marker of upstream) {
      const definition = CATALOGUE.get(marker.name);
      if (definition === undefined || definition.grammar.kind === "json") continue;
      expect({ name: marker.name, arguments: argumentsOf(definition) }).toEqual({
        name: marker.name,
        arguments: marker.arguments
          .map(({ name, type, isOptional }) => `${name}:${type}${isOptional ? "?" : ""}`)
          .toSorted(),
      });
    }
  });

  it("lists in -wwww what controller-gen lists there, generator for generator", () => {
    const words = ["crd", "rbac:roleName=x", "webhook", "object", "applyconfiguration"];
    const listed = JSON.parse(describeArguments({ about: "markers", level: 4, words }).content) as readonly {
      readonly markers: readonly { readonly name: string; readonly target: string }[];
    }[];
    const ours = listed.flatMap(({ markers }) => markers.map(({ name, target }) => `${name} ${target}`));
    const theirs = upstream.map(({ name, target }) => `${name} ${target}`).filter((each) => each !== REFUSED);
    expect(ours.filter((each) => !isOwn(each)).toSorted()).toEqual(theirs.toSorted());
  });

  it("says in one sentence what each marker and each argument is for", () => {
    const sentences = MARKER_DEFINITIONS.flatMap(({ summary, grammar }) => [
      summary,
      ...(grammar.kind === "arguments" ? grammar.arguments.map((each) => each.summary) : []),
    ]);
    expect(sentences.filter((sentence) => !/^[A-Z`].*\.$/u.test(sentence))).toEqual([]);
  });
});

function argumentsOf({ grammar, name }: MarkerDefinition): readonly string[] {
  switch (grammar.kind) {
    case "flag":
    case "json":
      return [];
    case "raw":
      return [":raw"];
    case "decimal":
      return [name.endsWith("axItems") ? ":int" : ":"];
    case "value":
      return [`:${typeName(grammar.type)}${grammar.isOptional ? "?" : ""}`];
    default:
      return grammar.arguments
        .map((each) => `${each.name}:${typeName(each.type)}${each.isOptional ? "?" : ""}`)
        .toSorted();
  }
}

// Upstream prints no name for floating-point numbers.
function typeName(type: ArgumentType): string {
  return { string: "string", integer: "int", number: "", boolean: "bool", any: "any", list: "slice" }[type.kind];
}
