import { readFileSync } from "node:fs";

import { validate, type JsonSchema } from "@kubescaffold/schema";
import { checkRules, validateRules } from "@kubescaffold/schema/cel";
import { describe, expect, it } from "vitest";

import { crdGenerator } from "../../src/crd/crd-generator.ts";
import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { UNREAD_TAGS } from "../../src/markers/definitions/declarative-definitions.ts";
import { generatorInput } from "../support/generator-input.ts";
import { OBJECT_CASES, objectChangesOf } from "./object-cases.ts";
import { changesOf, TAG_CASES } from "./tag-cases.ts";

const VERDICTS = JSON.parse(readFileSync(new URL("recorded/verdicts.json", import.meta.url), "utf8")) as Readonly<
  Record<string, string>
>;

const TAGS = JSON.parse(readFileSync(new URL("recorded/tags.json", import.meta.url), "utf8")) as readonly string[];
const PAGE = readFileSync(new URL("../../../../docs/migrate/from-controller-gen.md", import.meta.url), "utf8");

async function generate(property: string) {
  const input = await generatorInput({
    "api/v1/groupversion_info.ts": "// +groupName=example.com\n",
    "api/v1/thing_types.ts": `import type { int32, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Spec {
${property}
}
export interface Thing extends KubernetesObject {
  spec: Spec;
}`,
  });
  const { crds = [], diagnostics } = crdGenerator(input);
  const spec = crds[0]?.schemas.get("v1")?.properties?.["spec"];
  const schema = JSON.parse(
    JSON.stringify(spec ?? {}, (key, value: unknown) => (key === "origin" ? undefined : value)),
  ) as JsonSchema;
  return { schema, diagnostics: [...input.marked.diagnostics, ...diagnostics] };
}

const commentOf = (markers: readonly string[]): string =>
  ["  /**", ...markers.map((marker) => `   * ${marker}`), "   */"].join("\n");

describe("the tags of validation-gen", () => {
  it.each(TAG_CASES.map((each, index) => ({ ...each, index })))(
    "$title: the CRD judges 200 objects like Go's generated validation",
    async ({ index, ...each }) => {
      const { schema, diagnostics } = await generate(
        `${commentOf(["+k8s:optional", ...each.markers])}\n  value?: ${each.ts};`,
      );
      expect(diagnostics).toEqual([]);
      expect(checkRules(schema)).toEqual([]);
      const changes = changesOf(each, index);
      const ours = changes.map(({ isUpdate, old, new: value }) => {
        const object = value === undefined ? {} : { value };
        const previous = isUpdate ? { previous: old === undefined ? {} : { value: old } } : {};
        const errors = [
          ...validate(schema, object, previous),
          ...validateRules(schema, object, { ...previous, isResourceRoot: false }).errors,
        ];
        return { isUpdate, old, value, isValid: errors.length === 0 };
      });
      const recorded = VERDICTS[each.title] ?? "";
      expect(recorded).toHaveLength(changes.length);
      expect(ours.filter(({ isValid }, at) => isValid !== (recorded[at] === "1"))).toEqual([]);
    },
  );

  it.each(OBJECT_CASES.map((each, index) => ({ ...each, index })))(
    "$title: the CRD judges 200 objects like Go's generated validation",
    async ({ index, ...each }) => {
      const fields = each.fields.map(
        ({ name, markers, ts }) => `${commentOf(markers)}\n  ${name}${each.absent === 0 ? "" : "?"}: ${ts};`,
      );
      const { schema, diagnostics } = await generate(`${fields.join("\n")}\n}\n${each.tsTypes}\ninterface Other {`);
      expect(diagnostics).toEqual([]);
      expect(checkRules(schema)).toEqual([]);
      const changes = objectChangesOf(each, index);
      const ours = changes.map(({ isUpdate, old, new: value }) => {
        const previous = isUpdate ? { previous: old } : {};
        const errors = [
          ...validate(schema, value, previous),
          ...validateRules(schema, value, { ...previous, isResourceRoot: false }).errors,
        ];
        return { isUpdate, old, value, isValid: errors.length === 0, errors };
      });
      const recorded = VERDICTS[each.title] ?? "";
      expect(recorded).toHaveLength(changes.length);
      expect(ours.filter(({ isValid }, at) => isValid !== (recorded[at] === "1"))).toEqual([]);
    },
  );

  it("every tag has a marker or a hint, and a row on the page", () => {
    const rows = [...PAGE.matchAll(/^\| `\+(?<tag>k8s:\w+)` \| (?<effect>.*) \|$/gmu)];
    expect(rows.map(({ groups }) => groups?.["tag"])).toEqual(TAGS);
    for (const { groups } of rows) {
      const tag = groups?.["tag"] ?? "";
      expect({ tag, isRead: CATALOGUE.has(tag), isUnread: UNREAD_TAGS.has(tag) }).toEqual({
        tag,
        isRead: groups?.["effect"]?.startsWith("error: ") === false,
        isUnread: groups?.["effect"]?.startsWith("error: ") === true,
      });
    }
  });

  it.each([...UNREAD_TAGS])("+%s, which no schema has, is an error that names what to use", async (name, hint) => {
    for (const rest of ["", "=x", '(union: "a")', "=+k8s:maxLength=3"]) {
      const { diagnostics } = await generate(`${commentOf([`+${name}${rest}`])}\n  value?: string;`);
      expect(diagnostics).toMatchObject([{ severity: "error", code: "MARKER_UNKNOWN", hint }]);
      expect(hint).toMatch(/^(?:use|remove) /u);
    }
  });

  it.each([
    ["int32", "+k8s:minLength=2", "+k8s:minLength needs a string, but the type is integer"],
    ["string", "+k8s:minItems=2", "+k8s:minItems needs a list, but the type is string"],
    ["{ a?: string }", "+k8s:maxProperties=2", "+k8s:maxProperties needs a map, but the type is a struct"],
    ["string", "+k8s:maxLength=-1", "+k8s:maxLength expects 0 or more, found -1"],
    ["string", "+k8s:format=k8s-ip", '+k8s:format has the unknown format "k8s-ip"'],
    ["int32", "+k8s:format=k8s-uuid", "+k8s:format needs a string, but the type is integer"],
    ["string", "+k8s:neq=3", "+k8s:neq expects a value of the type, which is string, found 3"],
    ["string[]", "+k8s:neq=3", "+k8s:neq expects a value of the type, which is array, found 3"],
    ["string", "+k8s:monotonic", "+k8s:monotonic needs an integer, but the type is string"],
  ])("of %s, %s is an error", async (type, marker, message) => {
    const { diagnostics } = await generate(`${commentOf([marker])}\n  value?: ${type};`);
    expect(diagnostics).toMatchObject([{ severity: "error", message, hint: expect.any(String) }]);
  });

  it("a format does not replace a pattern", async () => {
    const { diagnostics } = await generate(
      `${commentOf(["+k8s:format=k8s-uuid", "+kubebuilder:validation:Pattern=`^a`"])}\n  value?: string;`,
    );
    expect(diagnostics).toMatchObject([{ message: "+k8s:format sets the pattern, which another marker sets, too" }]);
  });

  it("is above types, too", async () => {
    const { schema, diagnostics } = await generate(
      "  value?: Name;\n}\n/** +k8s:maxLength=3 */\nexport type Name = string;\ninterface Other {",
    );
    expect(diagnostics).toEqual([]);
    expect(schema).toMatchObject({ properties: { value: { type: "string", maxLength: 3 } } });
  });
});
