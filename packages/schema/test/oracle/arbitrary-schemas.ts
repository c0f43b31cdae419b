import * as fc from "fast-check";

import type { JsonSchema } from "../../src/model/json-schema.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const NAMES = ["a", "b", "c", "items"];
const PATTERNS = ["^a", "b$", "[0-9]+", "^(x|yz)*$", "\\d{2,3}", "^\\S+$"];
const FORMATS = [
  "date-time",
  "date",
  "uri",
  "email",
  "ipv4",
  "ipv6",
  "uuid",
  "duration",
  "byte",
  "int32",
  "unknown",
  "k8s-short-name",
];
const TEXTS = [
  "",
  "a",
  "ab",
  "12",
  "x",
  "yz",
  "ä€😀",
  "2024-02-30",
  "2024-02-29",
  "2024-01-01T00:00:00Z",
  "1h",
  "10.0.0.1",
  "::1",
  "YQ==",
  "a@b",
];
const NUMBERS = [0, 1, -1, 2, 3, 5, 10, 0.5, 1.5, 2.5, 1e6, 1_234_567.5, 2 ** 40, -7];

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const small = fc.integer({ min: 0, max: 3 });

function compact<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const anyJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, ...TEXTS, ...NUMBERS),
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("json"), { maxKeys: 3 }),
  ),
})).json;

const stringRules = fc.record({
  maxLength: optional(small),
  minLength: optional(small),
  pattern: optional(fc.constantFrom(...PATTERNS)),
  enum: optional(fc.subarray(TEXTS.slice(1, 6), { minLength: 1 })),
});

const numberRules = fc.record({
  minimum: optional(fc.constantFrom(...NUMBERS)),
  exclusiveMinimum: optional(fc.boolean()),
  maximum: optional(fc.constantFrom(...NUMBERS)),
  exclusiveMaximum: optional(fc.boolean()),
  multipleOf: optional(fc.constantFrom(1, 2, 3, 0.5, 2.5)),
  enum: optional(fc.subarray([0, 1, 2, 5, 1.5], { minLength: 1 })),
});

// What combinations may say of an object without touching its structure.
const objectRules = fc.oneof(
  fc.record({ required: fc.subarray(NAMES, { minLength: 1, maxLength: 2 }) }),
  fc.record({ maxProperties: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ properties: fc.record({ a: fc.oneof(stringRules, numberRules) }) }),
);

const combined = (rules: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ anyOf: fc.array(rules, { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ oneOf: fc.array(rules, { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ allOf: fc.array(rules, { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ not: rules }) },
  );

const merged = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<JsonSchema> =>
  fc.tuple(...parts).map((all) => compact(Object.assign({}, ...all) as JsonSchema));

const nullable = fc.record({ nullable: optional(fc.constant(true)) });
const withDefault = (value: fc.Arbitrary<unknown>): fc.Arbitrary<object> => fc.record({ default: optional(value) });

const nodes = fc.letrec<{ node: JsonSchema; list: JsonSchema; map: JsonSchema; object: JsonSchema }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    merged(
      fc.constant({ type: "string" }),
      stringRules,
      fc.record({ format: optional(fc.constantFrom(...FORMATS)) }),
      nullable,
      withDefault(fc.constantFrom("a", "yz")),
      combined(stringRules),
    ),
    merged(
      fc.record({ type: fc.constantFrom("integer", "number") }),
      numberRules,
      nullable,
      withDefault(fc.constantFrom(1, 5)),
      combined(numberRules),
    ),
    merged(fc.constant({ type: "boolean" }), nullable, withDefault(fc.boolean())),
    merged(
      fc.constant({ "x-kubernetes-int-or-string": true }),
      fc.record({ pattern: optional(fc.constantFrom(...PATTERNS)) }),
    ),
    fc.constant<JsonSchema>({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
    tie("list"),
    tie("map"),
    tie("object"),
  ),
  list: merged(
    fc.constant({ type: "array" }),
    fc.record({ items: tie("node"), minItems: optional(small), maxItems: optional(small) }),
    fc.record({ "x-kubernetes-list-type": optional(fc.constantFrom("atomic", "set")) }),
    nullable,
  ),
  map: merged(
    fc.constant({ type: "object" }),
    fc.record({ additionalProperties: fc.oneof(tie("node"), fc.constant(true)) }),
    nullable,
  ),
  object: merged(
    fc.constant({ type: "object" }),
    fc.record({
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie("node"), { minKeys: 1, maxKeys: 3 }),
      required: optional(fc.subarray(NAMES, { minLength: 1, maxLength: 2 })),
      maxProperties: optional(fc.integer({ min: 1, max: 3 })),
      minProperties: optional(fc.integer({ min: 1, max: 2 })),
      "x-kubernetes-preserve-unknown-fields": optional(fc.constant(true)),
    }),
    nullable,
    withDefault(fc.constant({})),
    combined(objectRules),
  ),
}));

/** Schemas of objects, as CRDs have them at the root. */
export const schemas: fc.Arbitrary<JsonSchema> = nodes.object;

/** Values that mostly have the types of a schema, so that its other rules are reached. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 8, arbitrary: typedValues(schema) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: anyJson },
  );
}

function typedValues(schema: JsonSchema): fc.Arbitrary<Json> {
  switch (schema.type) {
    case "string":
      return fc.constantFrom<Json>(...TEXTS);
    case "integer":
      return fc.constantFrom<Json>(...NUMBERS.filter((value) => Number.isInteger(value)));
    case "number":
      return fc.constantFrom<Json>(...NUMBERS);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valuesOf(schema.items as JsonSchema), { maxLength: 4 });
    case "object":
      return objectsOf(schema);
    default:
      return fc.constantFrom<Json>(1, "a", 1.5, true);
  }
}

/** Objects that mostly have the members of a schema. */
export function objectsOf(schema: JsonSchema): fc.Arbitrary<{ [key: string]: Json }> {
  const known = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, valuesOf(property)] as const);
  const declared = fc.record(Object.fromEntries(known), { requiredKeys: [] }) as fc.Arbitrary<{ [key: string]: Json }>;
  const rest = typeof schema.additionalProperties === "object" ? valuesOf(schema.additionalProperties) : anyJson;
  const others = fc.option(fc.dictionary(fc.constantFrom("x", "y", ...NAMES), rest, { maxKeys: 2 }), {
    nil: {},
    freq: 3,
  });
  return fc.tuple(others, declared).map(([first, second]) => ({ ...first, ...second }));
}

/** Any JSON. */
