import type { JsonSchema, ValidationRule } from "../../../src/model/json-schema.ts";

/** Is a schema that upstream accepts or not, perhaps in place of an older one. */
export interface CheckCase {
  readonly op: "rule-check";
  readonly schema: JsonSchema;
  readonly old?: JsonSchema;
}

const text: JsonSchema = { type: "string" };
const int: JsonSchema = { type: "integer" };

const root = (spec: JsonSchema): JsonSchema => ({ type: "object", properties: { spec } });
const ruled = (schema: JsonSchema, ...rules: readonly (string | ValidationRule)[]): JsonSchema => ({
  ...schema,
  "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: "object", properties });
const members = {
  a: text,
  b: int,
  "c-d": text,
  m: { type: "object", additionalProperties: object({ x: text }) },
  o: object({ p: text }),
};
const onObject = (...rules: readonly (string | ValidationRule)[]): JsonSchema => root(ruled(object(members), ...rules));
const ok = "self.b > 1";

const forms: readonly JsonSchema[] = [
  onObject(""),
  onObject("  \t\n "),
  onObject({ rule: ok, message: " " }),
  onObject({ rule: ok, message: "a\nb" }),
  onObject({ rule: ok, message: "a\n" }),
  onObject("self.b > 1\n&& self.b < 3"),
  onObject({ rule: "self.b > 1\n&& self.b < 3", message: "between" }),
  onObject({ rule: "self.b > 1\r&& self.b < 3", message: "" }),
  onObject({ rule: " self.b > 1\n" }),
  onObject({ rule: ok, messageExpression: " " }),
  onObject({ rule: ok, messageExpression: "" }),
  onObject({ rule: ok, reason: "FieldValueRequired" }, { rule: ok, reason: "FieldValueForbidden" }),
  onObject({ rule: ok, reason: "FieldValueInvalid" }, { rule: ok, reason: "FieldValueDuplicate" }),
  onObject({ rule: ok, reason: "InternalError" }),
  onObject({ rule: ok, reason: "" }),
  onObject({ rule: ok, fieldPath: " " }),
  onObject({ rule: ok, fieldPath: ".a\n" }),
  ...[".a", ".b", ".c-d", ".m.key", ".m['k.e']", ".m.k.x", ".o.p", "['a']", "['o'].p", "['o']['p']", "['c-d']"].map(
    (fieldPath) => onObject({ rule: ok, fieldPath }),
  ),
  ...[
    "a",
    ".z",
    ".o.z",
    ".a.b",
    "['a'",
    "[a]",
    "[0]",
    ".",
    "..a",
    ".o.",
    "['a']b",
    ".m['k\\x']",
    "['it\\'s']",
    "[]",
    ".a[0]",
    "x.a",
  ].map((fieldPath) => onObject({ rule: ok, fieldPath })),
  onObject(
    { rule: "", message: " ", reason: "no", fieldPath: "no" },
    { rule: ok, messageExpression: "\n", fieldPath: "\n" },
  ),
];

const compiles: readonly JsonSchema[] = [
  onObject("self.b >"),
  onObject("self.z == 1"),
  onObject("self.b == 'a'"),
  onObject("self.b"),
  onObject("'a'"),
  onObject("foo(self.a)"),
  onObject("self.b > 1", "self.b >", "self.a == 1"),
  onObject("self.b >\n\n1 +", { rule: "self.b ==\n  self.zz", message: "m" }),
  onObject({ rule: ok, messageExpression: "'got %d'.format([self.b])" }),
  onObject({ rule: ok, messageExpression: "self.b" }),
  onObject({ rule: ok, messageExpression: "self.zz" }),
  onObject({ rule: ok, messageExpression: "'a' +" }),
  onObject({ rule: "self.b", messageExpression: "self.b" }),
  onObject(
    { rule: ok, message: "m", messageExpression: "'x'", reason: "FieldValueInvalid", fieldPath: ".a" },
    { rule: "no", message: "m", reason: "FieldValueInvalid", fieldPath: ".a", optionalOldSelf: false },
  ),
  // what gives CEL nothing to see
  root(ruled({ type: "object", "x-kubernetes-preserve-unknown-fields": true }, "has(self.x)")),
  root(ruled({ "x-kubernetes-preserve-unknown-fields": true }, "true")),
  root({ type: "object", properties: { a: ruled({ "x-kubernetes-preserve-unknown-fields": true }, "true") } }),
  root(ruled({ "x-kubernetes-int-or-string": true }, "type(self) == int || self.size() < 3")),
  root(ruled({ type: "array", items: { "x-kubernetes-preserve-unknown-fields": true } }, "self.size() < 3")),
  root(object({ "5g": ruled(text, "self == 'a'"), "a b": ruled(text, "self.size() < 4") })),
  // rules below other errors
  root({ type: "object", properties: { a: ruled({ type: "string", pattern: "(" }, "self.z") } }),
  root(object({ a: ruled({ type: "array", uniqueItems: true, items: text }, "self.z"), b: ruled(text, "self.z") })),
  root(ruled(object({ a: { type: "array", uniqueItems: true, items: text }, b: ruled(text, "self.z") }), "self.z")),
  root(ruled(object({ a: ruled(text, ""), b: ruled(text, "self.z") }), "self.z")),
  root(ruled({ type: "wrong", properties: {} }, "self.z")),
  root(object({ a: ruled(text, "self.z"), b: {} })),
  root(object({ a: { ...text, default: 5 }, b: ruled(text, "self.z") })),
  // inside combinations
  { type: "object", properties: { spec: text }, allOf: [ruled({}, "true")] },
  root({ ...text, anyOf: [{ ...ruled({}, "true") }] }),
];

const mapType = (items: JsonSchema): JsonSchema => ({
  type: "array",
  items,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
});
const named = (...rules: readonly (string | ValidationRule)[]): JsonSchema =>
  ruled(
    { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 9 }, v: int } },
    ...rules,
  );

const transitions: readonly JsonSchema[] = [
  root(ruled(object(members), "self.b >= oldSelf.b")),
  root({ type: "array", maxItems: 3, items: ruled(int, "self >= oldSelf") }),
  root({ type: "array", maxItems: 3, "x-kubernetes-list-type": "set", items: ruled(int, "self >= oldSelf") }),
  root({ type: "array", maxItems: 3, "x-kubernetes-list-type": "atomic", items: ruled(int, "self >= oldSelf") }),
  root({ ...mapType(named("self.v >= oldSelf.v")), maxItems: 3 }),
  root({
    ...mapType(object({ name: text })),
    maxItems: 3,
    items: {
      ...named(),
      properties: { name: text, l: { type: "array", maxItems: 2, items: ruled(int, "self == oldSelf") } },
    },
  }),
  root({ type: "object", maxProperties: 3, additionalProperties: ruled(int, "self >= oldSelf") }),
  root({ type: "object", "x-kubernetes-map-type": "atomic", properties: { a: ruled(int, "self >= oldSelf") } }),
  root({ type: "object", "x-kubernetes-map-type": "granular", properties: { a: ruled(int, "self >= oldSelf") } }),
  root({
    type: "array",
    maxItems: 3,
    items: ruled(int, { rule: "oldSelf.hasValue() || self > 1", optionalOldSelf: true }),
  }),
  onObject({ rule: "self.b > 1", optionalOldSelf: true }),
  onObject({ rule: "self.b > 1", optionalOldSelf: false }),
  onObject({ rule: "self.b > oldSelf.b", optionalOldSelf: false }),
  onObject({ rule: "self.b > oldSelf.?b.orValue(0)", optionalOldSelf: true }),
  onObject({ rule: "self.b > oldSelf.b", optionalOldSelf: true }),
  onObject({ rule: "self.b > 1", messageExpression: "string(oldSelf.b)" }),
  onObject({ rule: "self.b > 1 || oldSelf.zz", optionalOldSelf: true }),
];

const words = (maxItems?: number, maxLength?: number): JsonSchema => ({
  type: "array",
  items: { type: "string", ...(maxLength === undefined ? {} : { maxLength }) },
  ...(maxItems === undefined ? {} : { maxItems }),
});
const twice = "self.all(x, self.exists(y, x == y))";
const costs: readonly JsonSchema[] = [
  root(ruled(words(), twice)),
  root(ruled(words(100), twice)),
  root(ruled(words(100, 20), twice)),
  root(ruled(words(2000, 20), twice)),
  root(ruled(words(1000, 30), twice)),
  root(ruled(words(1100, 30), twice)),
  root(ruled(words(1500, 30), twice)),
  root(ruled(words(undefined, 5), "self.all(x, x.contains('abcdefghijk'))")),
  root({ type: "array", items: ruled(text, "self.contains('abcdef')") }),
  root({ type: "array", maxItems: 10, items: ruled({ type: "string", maxLength: 10 }, "self.matches('^[a-z]+$')") }),
  root({ type: "array", maxItems: 0, items: ruled(words(), twice) }),
  root({ type: "object", additionalProperties: { type: "array", items: ruled(words(3, 3), twice) } }),
  root({
    type: "object",
    maxProperties: 100,
    additionalProperties: { type: "array", maxItems: 100, items: ruled(words(3, 3), twice) },
  }),
  root({ type: "object", maxProperties: -3, additionalProperties: ruled(text, "self.contains(self)") }),
  root(
    ruled(words(3, 3), ...Array.from({ length: 3 }, () => twice), {
      rule: "true",
      messageExpression: "self.join(self.join())",
    }),
  ),
  root(ruled(words(), { rule: "true", messageExpression: "self.map(x, x.replace('', x)).join()" })),
  root(ruled(words(), { rule: "true", messageExpression: "self.map(x, x + x).filter(x, x.contains(x)).join()" })),
  // together too much
  root(
    object(
      Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`l${String(i)}`, ruled(words(900 + i, 30), twice)])),
    ),
  ),
  root(
    object(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`l${String(i)}`, ruled(words(500, 30 + i), twice)])),
    ),
  ),
  root(
    object({
      a: ruled(words(), twice),
      b: ruled(words(), twice),
      c: ruled(words(10), twice),
      d: ruled(words(2000, 20), twice),
      e: ruled(words(3, 3), twice),
    }),
  ),
  root(ruled(object({ a: ruled(words(3, 3), "self.z"), b: words() }), "self.b.all(x, self.b.exists(y, x == y))")),
];

const updates: readonly CheckCase[] = [
  [root(ruled(words(), twice)), root(ruled(words(), twice))],
  [root(ruled(words(), twice, "true")), root(ruled(words(), twice))],
  [onObject("self.b >"), onObject("self.b >")],
  [onObject(""), onObject("")],
  [onObject("self.b > 2"), onObject("self.b > 1")],
].map(([schema, old]) => ({ op: "rule-check" as const, schema: schema as JsonSchema, old: old as JsonSchema }));

const defaults: readonly JsonSchema[] = [
  root(object({ a: ruled({ type: "string", default: "ab" }, "self.size() > 3") })),
  root(object({ a: ruled({ type: "string", default: "abcd" }, "self.size() > 3") })),
  root({ ...ruled(object({ a: text, b: text }), "self.a == self.b"), default: { a: "x", b: "y" } }),
  root({ ...ruled(object({ a: text, b: text }), "self.a == self.b"), default: { a: "x", b: "x" } }),
  root({ ...object({ a: ruled(int, "self > 3") }), default: { a: 1 } }),
  root({ ...object({ a: { ...ruled(int, "self > 3"), default: 1 } }), default: {} }),
  root({ ...ruled(object({ a: int }), "self.a > 3"), default: {} }),
  root({
    ...ruled(object({ a: int }), {
      rule: "self.a > 3",
      message: "more",
      reason: "FieldValueForbidden",
      fieldPath: ".a",
    }),
    default: { a: 1 },
  }),
  root({
    ...ruled(
      { type: "array", items: int, maxItems: 3 },
      { rule: "self.sum() > 3", messageExpression: "'sum is ' + string(self.sum())" },
    ),
    default: [1],
  }),
  root(object({ a: ruled({ type: "string", default: "ab" }, "self.size() > ") })),
  root(object({ a: ruled({ type: "string", default: "ab" }, "self == oldSelf") })),
  root(
    object({
      a: { type: "string", default: "ab", maxLength: 1, "x-kubernetes-validations": [{ rule: "self == 'a'" }] },
    }),
  ),
];

/** What upstream is asked about the rules of schemas. */
export const checkCases: readonly CheckCase[] = [
  ...[...forms, ...compiles, ...transitions, ...costs, ...defaults].map((schema) => ({
    op: "rule-check" as const,
    schema,
  })),
  ...updates,
];
