import { isDeepStrictEqual } from "node:util";

import { goJson, parseLosslessJson } from "@kubescaffold/k8s";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { JsonPathMismatchError, JsonPathSyntaxError } from "../../src/json-path/errors.ts";
import { compileJsonPath } from "../../src/json-path/json-path.ts";
import { goAnswers } from "../oracle/go-answers.ts";

interface PathCase {
  readonly template: string;
  readonly allowMissingKeys: boolean;
  readonly value: unknown;
}

interface Answer {
  readonly values: readonly (readonly string[])[] | null;
  readonly text: string;
  readonly failed: boolean;
}

const POD = {
  kind: "Pod",
  metadata: { name: "web-0", labels: { app: "web", "app.kubernetes.io/name": "web" }, generation: 12345678 },
  spec: {
    weight: 0.5,
    hostNetwork: false,
    nothing: null,
    containers: [
      { name: "a", image: "nginx:1", ports: [{ port: 80 }, { port: 443 }], args: ["<x>", "y"] },
      { name: "b", image: "busybox", ports: [{ port: 22 }], restarts: 3 },
      { name: "c", ports: [{ port: 8080 }], restarts: 0, ready: true },
    ],
  },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Scheduled", status: "False" },
    ],
  },
};

const PATHS = [
  "",
  "plain text",
  "{}",
  "{$}",
  "{@.kind}",
  "{.kind}",
  "{ .kind }",
  "{$.metadata.name}",
  "{.metadata.labels.app}",
  "{.metadata.labels['app']}",
  String.raw`{.metadata.labels['app\.kubernetes\.io/name']}`,
  String.raw`{.metadata.labels.app\.kubernetes\.io/name}`,
  "{.metadata.generation}",
  "{.metadata['name','generation']}",
  "{['kind', 'metadata']}",
  "{.spec.weight}",
  "{.spec.hostNetwork}",
  "{.spec.nothing}",
  "{.spec.nothing.deeper}",
  "{.spec.missing}",
  "{.spec.missing.deeper}",
  "{.spec.containers}",
  "{.spec.containers[*].name}",
  "{.spec.containers[:].name}",
  "{.spec.containers[0].name}",
  "{.spec.containers[-1].name}",
  "{.spec.containers[-2:].name}",
  "{.spec.containers[1:].name}",
  "{.spec.containers[:2].name}",
  "{.spec.containers[:-1].name}",
  "{.spec.containers[0:3:2].name}",
  "{.spec.containers[::2].name}",
  "{.spec.containers[1:1].name}",
  "{.spec.containers[3].name}",
  "{.spec.containers[2:1].name}",
  "{.spec.containers[0:9].name}",
  "{.spec.containers[-4].name}",
  "{.spec.containers[0:2:0].name}",
  "{.spec.containers[].name}",
  "{.spec.containers[0,2].name}",
  "{.spec.containers[0]['name','image']}",
  "{.spec.containers[*].image}",
  "{.spec.containers[*].restarts}",
  "{.spec.containers[*].ports[*].port}",
  "{.spec.containers[0].args}",
  "{.spec.containers[0].ports[0]}",
  "{.kind[0]}",
  "{.metadata[0]}",
  '{.status.conditions[?(@.type=="Ready")].status}',
  "{.status.conditions[?(@.type=='Ready')].status}",
  "{.status.conditions[?(@.type!='Ready')].status}",
  '{.status.conditions[?(@.type == "Ready")].status}',
  '{.status.conditions[?(@.type=="None")].status}',
  "{.spec.containers[?(@.image)].name}",
  "{.spec.containers[?(@.restarts>0)].name}",
  "{.spec.containers[?(@.restarts>=0)].name}",
  "{.spec.containers[?(@.restarts<1)].name}",
  "{.spec.containers[?(@.restarts<=3)].name}",
  "{.spec.containers[?(@.restarts==3)].name}",
  "{.spec.containers[?(@.restarts==3.5)].name}",
  "{.spec.containers[?(@.ready==true)].name}",
  "{.spec.containers[?(@.ready<true)].name}",
  "{.spec.containers[?(@.name>'a')].name}",
  '{.spec.containers[?(@.name=="a)")].name}',
  "{.spec.containers[?(@.ports[0].port==80)].name}",
  "{.spec.containers[?(@.ports[*].port==80)].name}",
  "{.spec.containers[?(@.ports==80)].name}",
  "{.spec.containers[?(@.name=='a')].ports[?(@.port>100)].port}",
  "{.spec.containers[?(@.name=~'a')].name}",
  "{.spec[?(@.name)]}",
  "{.spec.nothing[?(@.name)]}",
  "{.spec.containers[?(@.name=='a'].name}",
  "{.spec.containers[?(@.name==)].name}",
  "{.spec.containers[?(@.name==<)].name}",
  "{.metadata['name'\t,'generation']}",
  "{.metadata['name' , 'generation']}",
  "{9999999999999999999}",
  "{..name}",
  "{..port}",
  "{.spec..port}",
  "{..missing}",
  "{....name}",
  "{.metadata.*}",
  "{.spec.containers[*].*}",
  "{.metadata.labels.*}",
  '{range .spec.containers[*]}{.name}{"\\n"}{end}',
  "{range .spec.containers[*]}{.name}: {.image}{'\\t'}{end}done",
  "{range .spec.containers[*]}[{range .ports[*]}{.port},{end}]{end}",
  "{end}",
  "{.kind}{end}",
  '{"quoted \\"text\\""}',
  "{'single'}",
  '{"unicode \\u00e9"}',
  '{"bad \\q"}',
  '{"open}',
  "{1}",
  "{-1.5}",
  "{true}",
  "{kind}",
  "{.kind",
  "{.kind}{",
  "{.kind}}",
  "{#}",
  "{.spec.containers[a]}",
  "{.spec.containers[1:a]}",
  "{.spec.containers[-]}",
  "{.spec.containers[0}",
  '{.spec.containers["name"]}',
  "{1.2.3}",
  "Name: {.metadata.name}, kind: {.kind}",
];

const VALUES: readonly unknown[] = [POD, { items: [{ name: "x", port: 1 }] }, {}, 1];

function makeCases(): readonly PathCase[] {
  return PATHS.flatMap((template) =>
    VALUES.flatMap((value) => [true, false].map((allowMissingKeys) => ({ template, allowMissingKeys, value }))),
  );
}

const FAILED: Answer = { values: null, text: "", failed: true };

function answerOf({ template, allowMissingKeys, value }: PathCase): Answer {
  try {
    const path = compileJsonPath(template, { allowMissingKeys });
    const values = path.find(value).map((part) => part.map((each) => goJson(each)).toSorted());
    return { values, text: path.print(value), failed: false };
  } catch (error) {
    if (error instanceof JsonPathSyntaxError || error instanceof JsonPathMismatchError) return FAILED;
    throw error;
  }
}

describe("compileJsonPath", () => {
  const cases = goAnswers<PathCase, Answer>("json-path", makeCases);

  it("selects and prints what client-go's does, and fails for the same templates and values", () => {
    const differences = cases.flatMap(([input, answer]) => {
      const ours = answerOf(input);
      // Maps of Go have no order.
      const isOrdered = !/\*|\.\./u.test(input.template.replaceAll("[*]", ""));
      const theirs = isOrdered ? answer : { ...answer, text: ours.text };
      return isDeepStrictEqual(ours, theirs) ? [] : [{ input, ours, theirs }];
    });
    expect(differences).toEqual([]);
  });

  it("selects items after an empty list, too, and nothing in a text, unlike client-go", () => {
    const value = { lists: [{ items: [1] }, { items: [] }, { items: [2] }], text: "ab" };
    expect(compileJsonPath("{.lists[*].items[*]}").print(value)).toBe("1 2");
    expect(compileJsonPath("{range .lists[*]}<{range .items[*]}{@}{end}>{end}").print(value)).toBe("<1><><2>");
    expect(compileJsonPath("{.text.*}").find(value)).toEqual([[]]);
  });

  it.each(["{end}", "{.kind}{end}", "{range .items[*]}{.name}"])(
    "refuses a range without both ends: %s",
    (template) => {
      expect(() => compileJsonPath(template)).toThrow(/\{end\}/u);
    },
  );

  it("keeps all digits of large integers", () => {
    const value = parseLosslessJson('{"items": [{"id": 9007199254740993, "name": "a"}, {"id": 1, "name": "b"}]}');
    expect(compileJsonPath("{.items[*].id}").print(value)).toBe("9007199254740993 1");
    expect(compileJsonPath("{.items[?(@.id>9007199254740992)].name}").print(value)).toBe("a");
  });

  it("prints lists and objects as JSON", () => {
    expect(compileJsonPath("{.a}").print({ a: { c: [1, "<"], b: null } })).toBe('{"b":null,"c":[1,"\\u003c"]}');
  });

  it("finds no fields of prototypes", () => {
    const path = compileJsonPath("{.__proto__}{.constructor.name}{.toString}", { allowMissingKeys: true });
    expect(path.find({})).toEqual([[], [], []]);
  });

  it("fails with an error of ours, or not at all, for any template", () => {
    const word = fc.constantFrom(
      "{",
      "}",
      ".",
      "..",
      "[",
      "]",
      "?(",
      ")",
      "'",
      '"',
      "\\",
      "@",
      "*",
      ":",
      ",",
      "=",
      "a",
      "1",
      "-",
      " ",
      "range",
      "end",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        expect(answerOf({ template: words.join(""), allowMissingKeys: true, value: POD })).toHaveProperty("failed");
      }),
      { numRuns: 2000 },
    );
  });
});
