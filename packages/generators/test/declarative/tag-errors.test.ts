import { describe, expect, it } from "vitest";

import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

async function generate(members: string, types = "") {
  const source = `// +groupName=example.com
import type { int32 } from "@kubescaffold/k8s";
import type { LocalObjectReference } from "@kubescaffold/k8s/core/v1";
import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";
export type Reference = LocalObjectReference;
export interface Item { name: string; size?: int32 }
${types}
export interface Spec {
${members}
}
export interface Thing extends NamespacedObject {
  spec: Spec;
}`;
  const { files, diagnostics } = await runGenerators({
    root: "/p",
    arguments: ["crd:omitToolVersion=true,maxDescLen=0", "paths=./..."],
    host: memoryHost({ "/p/v1/types.ts": source }),
  });
  return { yaml: files[0]?.content ?? "", diagnostics };
}

const above = (tags: readonly string[], property: string): string =>
  ["  /**", ...tags.map((each) => `   * ${each}`), "   */", `  ${property};`].join("\n");

describe("tags that contain others, or are about several properties", () => {
  it.each([
    ["+k8s:eachVal", "a?: string[]", "+k8s:eachVal expects a tag after =", "write +k8s:eachVal=+<tag>"],
    ["+k8s:eachVal=maxLength", "a?: string[]", "+k8s:eachVal expects a tag after =", "write +k8s:eachVal=+<tag>"],
    [
      "+k8s:eachVal=+k8s:maxSize=3",
      "a?: string[]",
      "+k8s:eachVal contains +k8s:maxSize=3, which is no tag that generators read",
      "use a tag of validation-gen, such as +k8s:maxLength=5",
    ],
    [
      "+k8s:eachVal=+k8s:customValidation",
      "a?: string[]",
      "+k8s:eachVal contains +k8s:customValidation, which is no tag that generators read",
      "remove it, and use +kubebuilder:validation:XValidation or an admission webhook",
    ],
    [
      "+k8s:eachVal=+k8s:maxLength=x",
      "a?: string[]",
      '+k8s:eachVal contains an invalid tag: +k8s:maxLength expects an integer, found "x"',
      "write +k8s:maxLength=<an integer>",
    ],
    [
      "+k8s:eachVal=+k8s:maxLength=3",
      "a?: string",
      "+k8s:eachVal needs a list or a map",
      "remove the marker or change the type",
    ],
    [
      "+k8s:eachVal=+k8s:required",
      "a?: string[]",
      "+k8s:eachVal cannot contain +k8s:required",
      "write it above a property",
    ],
    [
      "+k8s:eachVal=+k8s:maxLength=3",
      "a?: int32[]",
      "+k8s:eachVal needs a string, but the type is integer",
      expect.any(String),
    ],
    [
      "+k8s:eachKey=+k8s:maxLength=3",
      "a?: string[]",
      "+k8s:eachKey needs a map",
      "remove the marker or change the type",
    ],
    [
      "+k8s:eachKey=+k8s:minimum=3",
      "a?: Record<string, string>",
      "+k8s:eachKey needs an integer, but the type is string",
      expect.any(String),
    ],
    [
      "+k8s:subfield=+k8s:maxLength=3",
      "a?: Item",
      '+k8s:subfield lacks the argument "field"',
      "write +k8s:subfield(<field>)=+<tag>",
    ],
    [
      "+k8s:subfield(nme)=+k8s:maxLength=3",
      "a?: Item",
      '+k8s:subfield names "nme", which the type does not have',
      "use name or size",
    ],
    [
      '+k8s:item(name: "x")=+k8s:immutable',
      "a?: Item[]",
      "+k8s:item needs a list whose items have keys",
      "add +k8s:listType=map and +k8s:listMapKey above it",
    ],
    [
      "+k8s:unionMember(name: x)",
      "a?: string",
      '+k8s:unionMember does not take the argument "name"',
      expect.any(String),
    ],
    [
      "+k8s:unionMember(union: x",
      "a?: string",
      "+k8s:unionMember has arguments that cannot be read",
      expect.any(String),
    ],
    ["+k8s:unionMember=x", "a?: string", '+k8s:unionMember takes no value, found "=x"', expect.any(String)],
    [
      "+k8s:unionDiscriminator",
      "a?: string",
      "+k8s:unionDiscriminator has no members",
      "write +k8s:unionMember above the properties of the union",
    ],
    [
      "+k8s:dependentRequired(b)",
      "a?: string",
      '+k8s:dependentRequired names "b", which is no other property of the type',
      "use other",
    ],
    [
      '+k8s:ifMode("A")=+k8s:required',
      "a?: string",
      "+k8s:ifMode needs a discriminator in its type",
      "write +k8s:modeDiscriminator above a string or a boolean",
    ],
    [
      "+k8s:modeDiscriminator",
      "a?: int32",
      "+k8s:modeDiscriminator needs a string or a boolean, but the type is integer",
      expect.any(String),
    ],
    [
      "+k8s:update=NoChange",
      "a?: string",
      '+k8s:update has the unknown constraint "NoChange"',
      "use NoSet, NoUnset, NoModify, NoAddItem, or NoRemoveItem",
    ],
    [
      "+k8s:update=NoAddItem",
      "a?: string[]",
      "+k8s:update=NoAddItem needs a map, or a list whose items have an identity",
      expect.any(String),
    ],
    [
      "+k8s:update=NoModify",
      "a?: string[]",
      "+k8s:update cannot be NoModify for lists and maps",
      "use +k8s:eachVal=+k8s:update=NoModify",
    ],
    ["+k8s:unique=list", "a?: string[]", '+k8s:unique expects set or map, found "list"', "write set or map"],
    ["+k8s:opaqueType", "a?: string", "+k8s:opaqueType needs a named type", expect.any(String)],
  ])("%s above %s is an error", async (tag, property, message, hint) => {
    const { diagnostics } = await generate(`${above([tag], property)}\n  other?: string;`);
    expect(diagnostics).toMatchObject([{ severity: "error", message, hint }]);
  });

  it("customUnique does not remove the check of servers", async () => {
    const { diagnostics } = await generate(above(["+k8s:listType=set", "+k8s:customUnique"], "a?: string[]"));
    expect(diagnostics).toMatchObject([
      { message: "+k8s:customUnique has no effect on a list of type set, whose items API servers compare" },
    ]);
  });

  it("items must be compared by all keys, with values of their types", async () => {
    const item = (tag: string): string =>
      above(["+k8s:listType=map", "+k8s:listMapKey=name", "+k8s:listMapKey=size", tag], "a?: Item[]");
    const some = await generate(item('+k8s:item(name: "x")=+k8s:immutable'));
    expect(some.diagnostics[0]).toMatchObject({
      message: "+k8s:item does not have exactly the keys of the list",
      hint: "state name or size",
    });
    const mistyped = await generate(item('+k8s:item(name: "x", size: "1")=+k8s:update=NoModify'));
    expect(mistyped.diagnostics[0]).toMatchObject({
      message: "+k8s:item has a value of size that does not fit its type, which is integer",
    });
  });

  it("a rule that compares unbounded items is an error that names the bounds", async () => {
    const { diagnostics } = await generate(above(["+k8s:listType=atomic", "+k8s:unique=set"], "a?: string[]"));
    expect(diagnostics[0]).toMatchObject({
      code: "CRD_RULE_COST",
      hint: expect.stringContaining("MaxItems") as unknown,
    });
  });

  it("an immutable item needs a property, which shows whether the list was there", async () => {
    const { diagnostics } = await generate(
      "  a?: Items;",
      "/** +k8s:eachVal=+k8s:immutable */\nexport type Items = string[];",
    );
    expect(diagnostics).toMatchObject([{ message: "+k8s:eachVal cannot contain +k8s:immutable" }]);
  });

  it("adds to the types of other modules, and to named lists and maps", async () => {
    const { yaml, diagnostics } = await generate(
      [
        above(["+k8s:subfield(name)=+k8s:maxLength=3"], "a?: Reference"),
        above(["+k8s:eachVal=+k8s:maxLength=4"], "b?: Names"),
        above(["+k8s:eachVal=+k8s:maxLength=5"], "c?: Labels"),
        "  d?: Names;",
      ].join("\n"),
      "export type Name = string;\nexport type Names = Name[];\nexport type Labels = Record<string, Name>;",
    );
    expect(diagnostics).toEqual([]);
    expect(yaml.match(/maxLength: \d/gu)).toEqual(["maxLength: 3", "maxLength: 4", "maxLength: 5"]);
  });

  it("a rule about an update has the old value only where servers have it", async () => {
    const union = "/** +k8s:unionMember */ x?: string;\n  /** +k8s:unionMember */ y?: string;";
    const { yaml, diagnostics } = await generate(
      `  atomic?: Choice[];\n${above(["+k8s:listType=map", "+k8s:listMapKey=name"], "keyed?: Choice[]")}`,
      `export interface Choice {\n  name: string;\n  ${union}\n}`,
    );
    expect(diagnostics).toEqual([]);
    expect(yaml.match(/optionalOldSelf: true/gu)).toHaveLength(1);
    expect(yaml).not.toContain("withoutOldSelf");
  });
});
