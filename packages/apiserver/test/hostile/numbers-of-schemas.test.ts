import { describe, expect, it } from "vitest";

import { TestServer } from "../support/test-server.ts";

const FOOS = "/apis/example.com/v1/namespaces/default/foos";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

// Beyond what a number of JavaScript holds, they are read as `bigint`.
const WHOLE = ["9007199254740993", "9223372036854775807", "-9223372036854775808"];
const ANY = [...WHOLE, "18446744073709551616", "-1e30", "0.5"];

interface Bounds {
  readonly keyword: string;
  readonly values: readonly string[];
  readonly schema: string;
  /** A value of the schema, as JSON. */
  readonly value: string;
}

const BOUNDS: readonly Bounds[] = [
  { keyword: "maxLength", values: WHOLE, schema: '"type":"string"', value: '"a"' },
  { keyword: "minLength", values: WHOLE, schema: '"type":"string"', value: '"a"' },
  { keyword: "maxLength", values: WHOLE, schema: '"type":"string","format":"byte"', value: '"YQ=="' },
  { keyword: "maxLength", values: WHOLE, schema: '"x-kubernetes-int-or-string":true', value: '"a"' },
  { keyword: "maxItems", values: WHOLE, schema: '"type":"array","items":{"type":"string"}', value: '["a"]' },
  { keyword: "minItems", values: WHOLE, schema: '"type":"array","items":{"type":"string"}', value: '["a"]' },
  {
    keyword: "maxProperties",
    values: WHOLE,
    schema: '"type":"object","additionalProperties":{"type":"string"}',
    value: '{"a":"b"}',
  },
  {
    keyword: "minProperties",
    values: WHOLE,
    schema: '"type":"object","additionalProperties":{"type":"string"}',
    value: '{"a":"b"}',
  },
  ...["integer", "number"].flatMap((type) =>
    ["maximum", "minimum", "multipleOf"].map((keyword) => ({
      keyword,
      values: ANY,
      schema: `"type":"${type}"`,
      value: "5",
    })),
  ),
];

describe("a number of a schema is read as Go reads it, however large:", () => {
  it.each(BOUNDS)("$keyword of {$schema}", async ({ keyword, values, schema, value }) => {
    const defects: unknown[] = [];
    const server = new TestServer({ reportPanic: (error) => defects.push(error) });
    for (const bound of values) {
      const field = `{${schema},"${keyword}":${bound},"x-kubernetes-validations":[{"rule":"true"}]}`;
      const name = keyword === "maxLength" ? `,"properties":{"name":{"type":"string","maxLength":${bound}}}` : "";
      const root = `{"type":"object","properties":{"metadata":{"type":"object"${name}},"a":${field}},"x-kubernetes-validations":[{"rule":"size(self.metadata.name) > 0"}]}`;
      const answers = [
        await server.post(CRDS, crd(root)),
        await server.server.idle().then(() => server.post(FOOS, foo(value))),
        await server.patch(`${FOOS}/a`, `{"metadata":{"labels":{"x":"y"}}}`),
        await server.get(`${CRDS}/foos.example.com`),
        await server.get("/openapi/v3/apis/example.com/v1"),
        await server.delete(`${CRDS}/foos.example.com`),
      ];
      await server.server.idle();
      const failures = answers.filter(({ code }) => code >= 500).map(({ text }) => text);
      expect({ bound, created: answers[0]?.code, defects, failures }).toEqual({
        bound,
        created: 201,
        defects: [],
        failures: [],
      });
      // Others are rounded to fractions of 64 bits.
      expect(answers[3]?.text).toContain(`"${keyword}":${values === WHOLE ? bound : ""}`);
    }
  });
});

function foo(value: string): string {
  return `{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"},"a":${value}}`;
}

function crd(schema: string): string {
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"foos","singular":"foo","kind":"Foo","listKind":"FooList"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]}}`;
}
