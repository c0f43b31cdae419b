import type { JsonSchema } from "../../src/model/json-schema.ts";
import type { OracleCase } from "./oracle-case.ts";

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const spec = (schema: JsonSchema): JsonSchema => object({ spec: schema });

const FORMAT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ["507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
  uri: [
    "http://a.b/c",
    "/x",
    "x",
    "http://[::1]:80/",
    "http://a b/",
    "mailto:a",
    "a:",
    "http://a/%zz",
    "//a",
    "http://a:b/",
    "",
    "*",
    "http://u:p@h/",
    "1:x",
    "http://[::1",
    "http://ä.de/",
    "/a%2",
    "http://a?b=%zz",
    "http://a#%zz",
    "http:///p",
    "HTTP://A",
  ],
  email: [
    "a@b",
    "a",
    "Joe <a@b>",
    '"q q"@b',
    "a@b.c.d",
    "a@",
    "@b",
    "a b@c",
    "<a@b>",
    "a@[1.2.3.4]",
    "a..b@c",
    "Joe Q. <a@b>",
  ],
  hostname: [
    "a.com",
    "-a.com",
    "a",
    "a_b.com",
    "1.com",
    "ä.com",
    "a.b.c",
    "a.c1",
    "localhost",
    "a-.com",
    `${"a".repeat(64)}.com`,
  ],
  ipv4: ["1.2.3.4", "01.2.3.4", "256.1.1.1", "1.2.3", "::ffff:1.2.3.4", "a.b.c.d"],
  ipv6: [
    "::1",
    "1::2::3",
    "fe80::1%eth0",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7",
    "::ffff:1.2.3.4",
    "1.2.3.4",
    "::ffff:01.2.3.4",
    ":1",
    "1:2:3:4:5:6:7::",
    "12345::",
  ],
  cidr: ["10.0.0.0/8", "10.0.0.0/33", "::/0", "::1/129", "10.0.0.0", "010.0.0.0/8", "10.0.0.0/08", "10.0.0.0/-1"],
  mac: [
    "01:23:45:67:89:ab",
    "01-23-45-67-89-ab",
    "0123.4567.89ab",
    "01:23:45:67:89",
    "01:23:45:67:89:ab:cd:ef",
    "01:23-45:67:89:ab",
    "0123.4567.89ab.cdef",
  ],
  uuid: ["A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc999c0b4ef8bb6d6bb9bd380a11", "a0eebc99"],
  uuid3: ["a0eebc99-9c0b-3ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
  uuid4: ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-cb6d-6bb9bd380a11"],
  uuid5: ["a0eebc99-9c0b-5ef8-ab6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
  isbn: ["0321751043", "978-0321751041", "978-0321751042"],
  isbn10: ["0321751043", "0-321-75104-3", "0321751044", "097522980X"],
  isbn13: ["978-0321751041", "978-0321751042", "9780321751041"],
  creditcard: ["4111 1111 1111 1111", "4111 1111 1111 1112", "5500-0000-0000-0004", "1"],
  ssn: ["111-11-1111", "111 11 1111", "111111111", "111-11-111"],
  hexcolor: ["#FFF", "fff", "#ffff", "#12345g"],
  rgbcolor: ["rgb(0,0,0)", "rgb( 1 , 2 , 3 )", "rgb(256,0,0)", "rgb(0,0)"],
  byte: ["YQ==", "YQ", "", "YQ=", "Y Q=", "YWJj"],
  password: ["", "x"],
  date: ["2024-02-29", "2023-02-29", "2024-2-9", "2024-13-01", "0000-01-01", "20240101"],
  duration: [
    "1h",
    "1h30m",
    "2 days",
    "1.5h",
    "-1s",
    "x",
    "5",
    "0",
    "3 weeks 1 x",
    "1µs",
    "10 millis",
    "1d",
    "1.d",
    "9999999h",
    "99999999999999999999 s",
  ],
  datetime: ["2024-01-01T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01t00:00:00z"],
  "date-time": [
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:00:00.5+01:00",
    "2024-01-01T00:00:00",
    "2024-02-30T00:00:00Z",
    "2024-01-01T23:59:60Z",
  ],
  "k8s-short-name": ["a-b", "-a", "A", "a".repeat(64), "1"],
  "k8s-long-name": ["a.b", "a..b", "a-.b", "a.B"],
  int32: ["x"],
  bogus: ["x"],
};

const formatCases: readonly OracleCase[] = Object.entries(FORMAT_TEXTS).flatMap(([format, texts]) =>
  texts.map((text) => ({ op: "validate", schema: spec({ type: "string", format }), value: { spec: text } }) as const),
);

const SPEC_VALUES: readonly (readonly [JsonSchema, readonly unknown[]])[] = [
  [{ type: "integer", format: "int32" }, [1, 2 ** 40, 1.5, "1", 1e300, 2 ** 53, true, null]],
  [{ type: "integer", format: "int64" }, [2 ** 62, -(2 ** 62), 1e19]],
  [{ type: "number", format: "double" }, [1, 1.5, "1", 1e300]],
  [{ type: "number", minimum: 1.5, maximum: 1e6 }, [1, 1.25, 1.5, 2e6, 1_000_000.5]],
  [{ type: "integer", minimum: 5.5, maximum: 7.5 }, [5, 6, 7, 8]],
  [{ type: "integer", minimum: 5, exclusiveMinimum: true, maximum: 7, exclusiveMaximum: true }, [5, 6, 7]],
  [{ type: "integer", multipleOf: 0.5 }, [1, 2]],
  [{ type: "number", multipleOf: 0.1 }, [0.3, 0.35, 1, -0.2]],
  [{ type: "string", format: "date" }, [1, true, {}, [], 1.5, null, "x"]],
  [{ type: "string", maxLength: 1 }, ["ä", "😀", "ab", "\ud83d"]],
  [{ type: "string", minLength: 3 }, ["ää", "😀😀😀", ""]],
  [{ type: "string", pattern: "^\\pL+$" }, ["äß", "a1"]],
  [{ type: "string", pattern: "(" }, ["a"]],
  [{ type: "string", enum: ["a", "b"], nullable: true }, ["a", "c", null, 1]],
  [{ type: "integer", enum: [1, 2] }, [1, 3, 1.5]],
  [{ type: "number", enum: [1, 2.5] }, [1, 1.5, 2.5, 3]],
  [{ "x-kubernetes-int-or-string": true, pattern: "^[0-9]+%$" }, [1, "5%", "x", 1.5, true, null]],
  [
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], maxLength: 2 },
    ["abc", 5, 1.5, {}],
  ],
  [
    { type: "array", items: { type: "string" }, minItems: 2, maxItems: 3, uniqueItems: true },
    [[], ["a"], ["a", "a"], ["a", "b", "c", "d"], "x", [1]],
  ],
  [{ type: "array", maxItems: 1, items: { type: "object" } }, [[{}, {}], [null], {}]],
  [{ type: "object", additionalProperties: false, properties: { a: { type: "string" } } }, [{ a: "x", b: 1 }, {}]],
  [
    { type: "object", additionalProperties: { type: "integer" }, maxProperties: 1, minProperties: 1 },
    [{ a: "x", b: 1 }, {}, { "a.b": "x" }],
  ],
  [
    object({ a: { type: "string" }, constructor: { type: "string" } }, { required: ["a", "constructor"] }),
    [{}, { a: "x" }, { a: null, constructor: "y" }],
  ],
  [
    { type: "object", "x-kubernetes-preserve-unknown-fields": true, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    [{}, { a: 1 }, { a: 1, b: 2 }],
  ],
  [
    {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      anyOf: [{ required: ["a", "b"] }, { required: ["c"] }],
    },
    [{}, { a: 1 }, { c: 1 }],
  ],
  [{ type: "integer", allOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 2, 4]],
  [{ type: "integer", allOf: [{ minimum: 1 }, { minimum: 2 }] }, [0, 1]],
  [{ type: "integer", not: { enum: [1] } }, [1, 2]],
  [
    { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    [["a", "b", "a", "a"], ["a"], [null, null]],
  ],
  [
    {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: object({ name: { type: "string" }, v: { type: "integer" } }, { required: ["name"] }),
    },
    [
      [{ name: "a" }, { name: "a", v: 1 }],
      [{}, {}],
      [{ name: "a" }, "x"],
      [null, null],
    ],
  ],
  [
    {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: object({ port: { type: "integer" }, protocol: { type: "string", default: "TCP" } }),
    },
    [
      [
        { port: 1, protocol: "TCP" },
        { port: 1, protocol: "UDP" },
      ],
      [{ port: 1 }, { port: 1 }, { port: 1 }],
    ],
  ],
  [
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    [
      {},
      { apiVersion: "v1", kind: "Pod" },
      { apiVersion: "a/b/c", kind: "Not Good" },
      { apiVersion: "", kind: "" },
      { apiVersion: 1, kind: true },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a/b", labels: { "-": "x y" }, namespace: "A" } },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a", annotations: { "a/b/c": "x" }, finalizers: ["x y"], generation: -1 },
      },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "", uid: "" }] },
      },
      { apiVersion: "v1", kind: "Pod", metadata: { name: 1 } },
      { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: 1 } } },
      { apiVersion: "v1", kind: "Pod", metadata: { labels: [] } },
      { apiVersion: "v1", kind: "Pod", metadata: [] },
      { apiVersion: "v1", kind: "Pod", metadata: { ownerReferences: [{ name: 1 }] } },
      { apiVersion: "v1", kind: "Pod", metadata: { finalizers: [true] } },
    ],
  ],
];

const validateCases: readonly OracleCase[] = SPEC_VALUES.flatMap(([schema, values]) =>
  values.map((value) => ({ op: "validate", schema: spec(schema), value: { spec: value } }) as const),
);

const root = object({ spec: object({ n: { type: "integer" } }, { required: ["n"] }) }, { required: ["spec"] });
const rootCases: readonly OracleCase[] = [
  { op: "validate", schema: root, value: {} },
  { op: "validate", schema: root, value: { spec: {} } },
  { op: "validate", schema: root, value: { spec: [] } },
  { op: "validate", schema: root, value: { apiVersion: "v1", kind: "X", metadata: { name: "x" }, spec: { n: "1" } } },
];

const ratcheted = spec(
  object({
    n: { type: "integer", minimum: 5 },
    s: { type: "string", maxLength: 1 },
    list: { type: "array", items: { type: "integer", minimum: 5 } },
    keyed: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: object({ k: { type: "string" }, v: { type: "integer", minimum: 5 } }, { required: ["k"] }),
    },
    map: { type: "object", additionalProperties: { type: "integer", minimum: 5 } },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, maxProperties: 1 },
  }),
);
const RATCHETED_PAIRS: readonly (readonly [object, object])[] = [
  [
    { n: 1, s: "ab" },
    { n: 1, s: "ac" },
  ],
  [{ n: 1 }, { n: 2 }],
  [{ n: 1 }, { n: 1, s: "a" }],
  [{ list: [1, 6] }, { list: [1, 6] }],
  [{ list: [1, 6] }, { list: [1, 7] }],
  [
    {
      keyed: [
        { k: "a", v: 1 },
        { k: "b", v: 6 },
      ],
    },
    {
      keyed: [
        { k: "b", v: 6 },
        { k: "a", v: 1 },
      ],
    },
  ],
  [
    { keyed: [{ k: "a", v: 1 }] },
    {
      keyed: [
        { k: "a", v: 2 },
        { k: "c", v: 1 },
      ],
    },
  ],
  [{ map: { a: 1, b: 9 } }, { map: { a: 1, b: 8, c: 1 } }],
  [{ free: { a: 1, b: 2 } }, { free: { a: 1, b: 2 } }],
  [{ free: { a: 1, b: 2 } }, { free: { a: 1, b: 3 } }],
];
const ratchetingCases: readonly OracleCase[] = RATCHETED_PAIRS.map(([previous, value]) => ({
  op: "validate",
  schema: ratcheted,
  value: { spec: value },
  previous: { spec: previous },
}));

const preserving: JsonSchema = object({
  spec: object({
    a: { type: "string" },
    free: object({ known: object({ x: { type: "string" } }) }, { "x-kubernetes-preserve-unknown-fields": true }),
    any: { type: "object", additionalProperties: true },
    typed: { type: "object", additionalProperties: object({ y: { type: "string" } }) },
    list: { type: "array", items: object({ z: { type: "string" } }) },
    freeList: { type: "array", "x-kubernetes-preserve-unknown-fields": true, items: object({ z: { type: "string" } }) },
    pod: object({ spec: object({ b: { type: "string" } }) }, { "x-kubernetes-embedded-resource": true }),
    empty: { type: "object" },
  }),
});
const full = {
  apiVersion: "v1",
  kind: "X",
  metadata: { name: "n", bogus: 1 },
  extra: 1,
  spec: {
    a: "x",
    unknown: { deep: 1 },
    free: { known: { x: "1", y: "2" }, other: { z: 1 } },
    any: { k: { gone: 1 }, s: 1 },
    typed: { k: { y: "1", gone: 1 } },
    list: [{ z: "1", gone: 1 }, { gone: 2 }, 3],
    freeList: [{ z: "1", gone: 1 }],
    pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: { b: "1", c: "2" }, gone: 1 },
    empty: { x: 1 },
    apiVersion: "stray",
  },
};
const pruneCases: readonly OracleCase[] = [
  { op: "prune", schema: preserving, value: full },
  { op: "prune", schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true }, value: full },
  { op: "prune", schema: { type: "object" }, value: full },
];

const defaulted = object({
  spec: object(
    {
      a: { type: "string", default: "x" },
      nested: object({ b: { type: "integer", default: 1 } }, { default: {} }),
      absent: object({ b: { type: "integer", default: 1 } }),
      n: { type: "string", nullable: true, default: "d" },
      plain: { type: "string" },
      list: { type: "array", items: object({ c: { type: "string", default: "y" } }) },
      nulls: { type: "array", items: { type: "integer", default: 7 } },
      bare: { type: "array", items: { type: "integer" } },
      map: { type: "object", additionalProperties: object({ d: { type: "string", default: "z" } }) },
      mapDefault: { type: "object", additionalProperties: { type: "string", default: "m" } },
    },
    {},
  ),
});
const DEFAULTED_SPECS: readonly unknown[] = [
  {},
  { a: null, nested: null, n: null, plain: null },
  { nested: { b: null }, absent: {}, list: [{}, { c: null }, 1, null] },
  { nulls: [null, 1], bare: [null], map: { k: {}, l: null }, mapDefault: { k: null, l: "x" } },
  null,
  [],
];
const defaultCases: readonly OracleCase[] = [
  ...DEFAULTED_SPECS.map((value) => ({ op: "default", schema: defaulted, value: { spec: value } }) as const),
  { op: "default", schema: defaulted, value: {} },
];

/** Cases that are chosen because a rule needs them. */
export const chosenCases: readonly OracleCase[] = [
  ...formatCases,
  ...validateCases,
  ...rootCases,
  ...ratchetingCases,
  ...pruneCases,
  ...defaultCases,
];
