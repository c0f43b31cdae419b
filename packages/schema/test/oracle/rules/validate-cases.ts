import type { JsonSchema, ValidationRule } from "../../../src/model/json-schema.ts";
import { randomRules, type RuleParts } from "./random-rules.ts";

/** Is an object whose rules are applied. */
export interface ValidateCase {
  readonly op: "rule-validate";
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly previous?: unknown;
  /** What all rules may cost, and what one may; the server's numbers unless said otherwise. */
  readonly budget?: number;
  readonly perCall?: number;
}

type Rule = string | ValidationRule;
const text: JsonSchema = { type: "string" };
const int: JsonSchema = { type: "integer" };
const ruled = (schema: JsonSchema, ...rules: readonly Rule[]): JsonSchema => ({
  ...schema,
  "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: "object", properties });
const root = (spec: JsonSchema): JsonSchema => object({ spec });
const of = (spec: unknown): unknown => ({ apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "a" }, spec });

const MEMBERS: Readonly<Record<string, JsonSchema>> = {
  s: text,
  t: text,
  i: int,
  d: { type: "number" },
  flag: { type: "boolean" },
  when: { type: "string", format: "date-time" },
  day: { type: "string", format: "date" },
  span: { type: "string", format: "duration" },
  b: { type: "string", format: "byte" },
  port: { "x-kubernetes-int-or-string": true },
  n: { type: "string", nullable: true },
  words: { type: "array", items: text },
  set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
  ints: { type: "array", items: int },
  labels: { type: "object", additionalProperties: text },
  item: object({ name: text, size: int }),
  items: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: { ...object({ name: text, value: int }), required: ["name"] },
  },
  "odd-name": text,
  namespace: text,
};

const VALUE = {
  s: "hello",
  t: "wörld",
  i: 5,
  d: 2.5,
  flag: true,
  when: "2024-02-03T04:05:06Z",
  day: "2024-02-03",
  span: "90m",
  b: "aGVsbG8=",
  port: "http",
  words: ["a", "bb", "ccc"],
  set: ["x", "y"],
  ints: [3, 1, 2],
  labels: { a: "1", bb: "22" },
  item: { name: "n", size: 2 },
  items: [
    { name: "one", value: 1 },
    { name: "two", value: 2 },
  ],
  "odd-name": "odd",
  namespace: "ns",
};

// Rules that hold and rules that do not, for what they cost and say.
const RULES: readonly string[] = [
  "true",
  "false",
  "self.s == 'hello'",
  "self.s == 'other'",
  "self.s != self.t",
  "self.s < self.t",
  "self.s.size() > 10",
  "self.t.size() == 5",
  "self.i > 5",
  "self.i + 1 == 6",
  "self.d > 2.0",
  "has(self.n)",
  "has(self.s) && has(self.item.name)",
  "has(self.item.name) || self.s == 'x'",
  "self.flag ? self.i > 1 : self.i > 2",
  "self.words.all(x, x.size() < 4)",
  "self.words.all(x, x.size() < 3)",
  "self.words.exists(x, x == 'bb')",
  "self.words.exists_one(x, x.startsWith('c'))",
  "self.words.map(x, x + '!').size() == 3",
  "self.words.filter(x, x != 'a') == ['bb', 'ccc']",
  "'bb' in self.words",
  "self.s in ['a', 'hello']",
  "'a' in self.labels",
  "self.labels.all(k, self.labels[k].size() == k.size())",
  "self.labels.a == '1'",
  "self.labels['zz'] == '1'",
  "self.words[7] == 'a'",
  "self.n == 'x'",
  "self.item.name == 'n' && self.item.size == 2",
  "self.items.all(x, x.value > 0)",
  "self.items.exists(x, x.name == 'two' && x.value == 3)",
  "self.items[0].name == 'one'",
  "self.ints.sum() == 6",
  "self.ints.isSorted()",
  "self.ints.max() == 3",
  "self.ints.sort() == [1, 2, 3]",
  "self.words.join(',') == 'a,bb,ccc'",
  "self.s.matches('^[a-z]+$')",
  "self.s.matches('^[0-9]+$')",
  "self.s.contains('ell')",
  "self.s.startsWith('he') && self.s.endsWith('lo')",
  "self.s.replace('l', 'L') == 'heLLo'",
  "self.s.split('').size() == 5",
  "self.s.lowerAscii() == self.s && self.s.upperAscii() == 'HELLO'",
  "self.s.substring(1, 3) == 'el'",
  "self.s.indexOf('l') == 2",
  "self.s.find('[a-z]') == 'h'",
  "self.when.getFullYear() == 2024",
  "self.when > timestamp('2025-01-01T00:00:00Z')",
  "self.day.getDate() == 3",
  "self.span > duration('1h')",
  "self.b == b'hello'",
  "self.b.size() == 5",
  "self.port == 'http'",
  "self.port == 80",
  "self.port > 80",
  "type(self.port) == string",
  "self.set == ['y', 'x']",
  "self.set + ['x', 'z'] == ['x', 'y', 'z']",
  "sets.contains(self.words, ['a'])",
  "sets.intersects(self.words, self.set)",
  "self.odd__dash__name == 'odd' && self.__namespace__ == 'ns'",
  "self.?n.orValue('none') == 'none'",
  "self.?s.hasValue()",
  "self.labels[?'a'].orValue('') == '1'",
  "url('https://example.com:80/path').getHost() == 'example.com:80'",
  "isIP(self.s)",
  "ip('127.0.0.1').isLoopback()",
  "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
  "quantity('1Ki').isGreaterThan(quantity('1000'))",
  "isQuantity(self.s)",
  "semver('1.2.3').major() == 1",
  "!format.dns1123Label().validate(self.s).hasValue()",
  "self.labels.all(k, v, v.size() > 0)",
  "self.words.transformList(i, v, v + string(i)).size() == 3",
  "1 / (self.i - 5) == 1",
  "self.i * 9223372036854775807 > 0",
  "int(self.s) == 1",
  "string(self.i) == '5'",
  "self.words.size() > 1 && self.words.size() < 9 && self.words.size() != 5",
  "[1, 2, 3].all(x, x in self.ints)",
  "{'a': 1}.size() == 1",
  "dyn(self.port) == 5 || self.s == 'hello'",
  "self.items.map(x, x.value).sum() == 3",
  "self.words.all(x, self.words.exists(y, y == x))",
];

const alone: readonly ValidateCase[] = RULES.map((rule) => ({
  op: "rule-validate",
  schema: root(ruled(object(MEMBERS), rule)),
  value: of(VALUE),
}));

const on = (schema: JsonSchema, value: unknown, rest: Partial<ValidateCase> = {}): ValidateCase => ({
  op: "rule-validate",
  schema: root(schema),
  value: of(value),
  ...rest,
});
const update = (schema: JsonSchema, before: unknown, after: unknown): ValidateCase =>
  on(schema, after, { previous: of(before) });

const messages: readonly ValidateCase[] = [
  on(ruled(int, { rule: "self > 3", message: "  too small " }), 1),
  on(ruled(int, { rule: "self > 3", reason: "FieldValueRequired", message: "needed" }), 1),
  on(ruled(int, { rule: "self > 3", reason: "FieldValueForbidden", message: "not allowed" }), 1),
  on(ruled(int, { rule: "self > 3", reason: "FieldValueDuplicate", message: "again" }), 1),
  on(ruled(int, { rule: "self > 3", reason: "FieldValueInvalid" }), 1),
  on(ruled(object({ a: int }), { rule: "self.a > 3", reason: "FieldValueDuplicate" }), { a: 1 }),
  on(
    ruled(
      object({ a: int, "b-c": int }),
      { rule: "self.a > 3", fieldPath: ".a" },
      { rule: "self.a > 3", fieldPath: "['b-c']" },
    ),
    { a: 1 },
  ),
  on(
    ruled(object({ m: { type: "object", additionalProperties: int } }), {
      rule: "self.m.x > 3",
      fieldPath: ".m['x.y']",
    }),
    { m: { x: 1 } },
  ),
  on(
    { type: "object", additionalProperties: ruled(object({ a: int }), { rule: "self.a > 3", fieldPath: ".a" }) },
    { k: { a: 1 } },
  ),
  on(ruled(int, { rule: "self > 3", messageExpression: "'got ' + string(self)" }), 1),
  on(ruled(int, { rule: "self > 3", message: "m", messageExpression: "'got ' + string(self)" }), 1),
  on(ruled(int, { rule: "self > 3", message: "m", messageExpression: "'   '" }), 1),
  on(ruled(int, { rule: "self > 3", message: "m", messageExpression: "'a\\nb'" }), 1),
  on(ruled(int, { rule: "self > 3", message: "m", messageExpression: "' a\\n'" }), 1),
  on(ruled(int, { rule: "self > 3", message: "m", messageExpression: "string(1 / (self - 1))" }), 1),
  on(ruled(text, { rule: "self == ''", message: "m", messageExpression: "self + self" }), "x".repeat(2600)),
  on(ruled(text, { rule: "self == ''", message: "m", messageExpression: "self + self" }), "x".repeat(2000)),
  on(ruled(text, { rule: " self == ''\n", messageExpression: "" }), "x"),
  on(ruled(text, { rule: "self ==\n''", message: "two lines" }), "x"),
  on(ruled({ type: "boolean" }, "!self"), true),
  on(ruled({ type: "number" }, "self < 1.0"), 1.5),
  on(ruled({ type: "array", items: int }, "self.size() < 2"), [1, 2]),
  on(ruled({ type: "object", additionalProperties: int }, "self.size() < 2"), { a: 1, b: 2 }),
  on(ruled({ "x-kubernetes-int-or-string": true }, "self == 1"), "a"),
  on(ruled({ "x-kubernetes-int-or-string": true }, "self > 1"), "a"),
  on(ruled({ type: "string", nullable: true }, "self == 'x'"), null),
  on(ruled({ type: "string", format: "date-time" }, "self.getFullYear() == 1"), "2024-01-01T00:00:00Z"),
  on(ruled(text, "", "self == 'x'"), "y"),
  on(ruled(text, "self == 1", "self == 'x'"), "y"),
  on(ruled({ "x-kubernetes-preserve-unknown-fields": true }, "true"), { a: 1 }),
  {
    op: "rule-validate",
    schema: ruled(
      object({ spec: int }),
      "self.metadata.name == 'b'",
      "self.kind == 'Bar'",
      "self.apiVersion.startsWith('x')",
      "has(self.metadata.generateName)",
    ),
    value: of(1),
  },
  on(
    {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-validations": [{ rule: "self.kind == 'Pod' && self.metadata.name == 'x'" }],
    },
    { kind: "Job", apiVersion: "v1", metadata: { name: "x" } },
  ),
];

const nesting: readonly ValidateCase[] = [
  on({ type: "array", items: ruled(int, "self > 1") }, [1, 2, 0]),
  on({ type: "array", items: { type: "array", items: ruled(int, "self > 1") } }, [[1], [2, 0], []]),
  on({ type: "object", additionalProperties: ruled(int, "self > 1") }, { "a.b": 1 }),
  on(
    ruled(
      object({ a: ruled(int, "self > 1"), b: ruled(object({ c: ruled(int, "self > 1") }), "self.c > 2") }),
      "self.a > 3",
    ),
    { a: 0, b: { c: 0 } },
  ),
  on(object({ a: ruled(int, "self > 1") }), {}),
  on(object({ a: ruled({ ...int, nullable: true }, "self > 1") }), { a: null }),
  on(object({ "5g": ruled(int, "self > 1"), "a b": ruled(int, "self > 1") }), { "5g": 1, "a b": 1 }),
];

const grows = ruled(int, "self >= oldSelf");
const mapOf = (...rules: readonly Rule[]): JsonSchema => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
  items: ruled({ ...object({ name: text, v: int }), required: ["name"] }, ...rules),
});
const twoKeys: JsonSchema = {
  ...mapOf("self.v >= oldSelf.v"),
  "x-kubernetes-list-map-keys": ["name", "p"],
  items: ruled(object({ name: text, p: int, v: int }), "self.v >= oldSelf.v"),
};

const transitions: readonly ValidateCase[] = [
  on(grows, 1),
  update(grows, 2, 1),
  update(grows, 1, 2),
  update(object({ a: grows }), {}, { a: 1 }),
  update(object({ a: grows }), { a: null }, { a: 1 }),
  update(object({ a: grows }), { a: 2 }, {}),
  update(object({ a: grows }), { a: 2 }, { a: 1 }),
  update({ type: "object", additionalProperties: grows }, { a: 2 }, { a: 1, b: 0 }),
  update(
    mapOf("self.v >= oldSelf.v"),
    [
      { name: "a", v: 2 },
      { name: "b", v: 3 },
    ],
    [
      { name: "b", v: 1 },
      { name: "c", v: 0 },
      { name: "a", v: 2 },
    ],
  ),
  update(
    twoKeys,
    [
      { name: "a", p: 1, v: 2 },
      { name: "a", p: 2, v: 9 },
    ],
    [
      { name: "a", p: 2, v: 1 },
      { name: "a", v: 0 },
      { name: "a", p: 1, v: 1 },
    ],
  ),
  update({ type: "array", items: ruled(int, "self > 1") }, [5], [0, 5]),
  update(ruled({ type: "array", items: int }, "self.size() >= oldSelf.size()"), [1, 2], [1]),
  update(ruled({ type: "array", items: int }, "oldSelf.all(x, x in self)"), [1, 2], [2, 3]),
  on(ruled(int, { rule: "oldSelf.hasValue() || self > 3", optionalOldSelf: true }), 1),
  on(ruled(int, { rule: "oldSelf.hasValue() || self > 3", optionalOldSelf: true }), 4),
  update(ruled(int, { rule: "oldSelf.hasValue() && oldSelf.value() < self", optionalOldSelf: true }), 1, 2),
  update(ruled(int, { rule: "oldSelf.hasValue() && oldSelf.value() < self", optionalOldSelf: true }), 2, 1),
  update(object({ a: ruled(int, { rule: "oldSelf.hasValue()", optionalOldSelf: true }) }), {}, { a: 1 }),
  update(ruled(object({ a: int }), { rule: "self.a >= oldSelf.?a.orValue(3)", optionalOldSelf: true }), {}, { a: 1 }),
  update(ruled(int, { rule: "self >= oldSelf", messageExpression: "'was ' + string(oldSelf)" }), 2, 1),
  update(ruled(int, { rule: "self >= 3", messageExpression: "'was ' + string(oldSelf)" }), 2, 1),
  update(
    ruled(int, {
      rule: "self >= oldSelf.orValue(9)",
      message: "m",
      messageExpression: "'was ' + string(oldSelf.value())",
      optionalOldSelf: true,
    }),
    2,
    1,
  ),
  on(
    ruled(int, {
      rule: "self >= oldSelf.orValue(9)",
      message: "m",
      messageExpression: "'was ' + string(oldSelf.value())",
      optionalOldSelf: true,
    }),
    1,
  ),
];

const big = ruled(int, "self > 3");
const ratchets: readonly ValidateCase[] = [
  update(big, 1, 1),
  update(big, 2, 1),
  update(object({ a: big, b: int }), { a: 1, b: 1 }, { a: 1, b: 2 }),
  update(ruled(object({ a: int, b: int }), "self.a > 3"), { a: 1, b: 1 }, { a: 1, b: 2 }),
  update(ruled(object({ a: int, b: int }), "self.a > 3"), { a: 1, b: 1 }, { a: 1, b: 1 }),
  update(ruled(object({ a: int }), "self.a > 3", "oldSelf.a > 3"), { a: 1 }, { a: 1 }),
  update({ type: "array", items: big }, [1, 5], [1, 5]),
  update({ type: "array", items: big }, [1, 5], [1, 6]),
  update(
    mapOf("self.v > 3"),
    [{ name: "a", v: 1 }],
    [
      { name: "b", v: 1 },
      { name: "a", v: 1 },
    ],
  ),
  update({ type: "object", additionalProperties: big }, { a: 1 }, { a: 1, b: 1 }),
  update({ type: "array", items: object({ a: big }) }, [{ a: 1 }], [{ a: 1 }]),
  update(
    object({ l: { type: "array", items: object({ a: big }) }, o: int }),
    { l: [{ a: 1 }], o: 1 },
    { l: [{ a: 1 }], o: 2 },
  ),
  update(ruled(int, { rule: "self > 3", message: "m", reason: "FieldValueForbidden" }), 1, 1),
  update(ruled(int, "1 / (self - 1) > 0"), 1, 1),
  {
    op: "rule-validate",
    schema: ruled(
      object({ spec: int, kind: ruled(text, "self == 'Bar'"), apiVersion: ruled(text, "self == 'v9'") }),
      "self.spec > 3",
    ),
    value: of(1),
    previous: of(1),
  },
];

const costly = ruled({ type: "array", items: int }, "self.all(x, self.all(y, x + y > -1))");
const hundred = Array.from({ length: 100 }, (_, index) => index);
const budgets: readonly ValidateCase[] = [
  on(costly, hundred),
  on(costly, hundred, { perCall: 1000 }),
  on(costly, hundred, { perCall: 1000, budget: 2000 }),
  on(costly, hundred, { budget: 1000 }),
  on(
    costly,
    Array.from({ length: 600 }, (_, index) => index),
  ),
  on(ruled(object({ a: int }), "self.a > 1", "self.a > 2", "self.a > 3"), { a: 0 }, { budget: 7 }),
  on(ruled(object({ a: int }), "self.a > 1", "self.a > 2", "self.a > 3"), { a: 0 }, { budget: 6 }),
  on({ type: "array", items: ruled(int, "self > 1") }, [0, 0, 0], { budget: 4 }),
  on({ type: "array", items: ruled(int, "self > 1") }, [0, 0, 0], { budget: 5 }),
  on(ruled(int, { rule: "self > 3", messageExpression: "'got ' + string(self)" }), 1, { budget: 3 }),
  on(ruled(int, { rule: "self > 3", messageExpression: "[1,2,3,4].map(x, 'got ' + string(self)).join()" }), 1, {
    perCall: 20,
  }),
  on(object({ a: ruled(int, "self > 1"), b: ruled(int, "self > 1") }), { a: 1 }, { budget: 1 }),
];

// Upstream walks a map in any order, so there is one label.
const PARTS: RuleParts = {
  bools: RULES.filter((rule) => !rule.includes("self.labels")),
  texts: [
    "self.s",
    "self.t",
    "self.item.name",
    "self.words[0]",
    "self.labels['a']",
    "string(self.i)",
    "self.words.join(',')",
    "self.s.lowerAscii()",
    "self.items[0].name",
    "'lit'",
    "self.?s.orValue('x')",
    "[self.s, self.t][1]",
    "self.words[9]",
    "self.?n.orValue('none')",
    "string(self.when)",
    "self.labels[?'zz'].orValue('d')",
    "self.labels.zz",
  ],
  lists: [
    "self.words",
    "self.set",
    "self.words.filter(f, f != 'q')",
    "self.s.split('l')",
    "self.labels.map(k, self.labels[k])",
    "self.items.map(m, m.name)",
    "['p', self.s]",
    "self.words + self.set",
    "self.words.sort()",
    "self.words.slice(1, 3)",
    "self.ints.map(g, string(g))",
    "self.words.reverse()",
  ],
  ints: [
    "self.i",
    "self.s.size()",
    "self.ints[0]",
    "self.ints.sum()",
    "self.items[0].value",
    "self.words.size()",
    "3",
    "(self.i + 2)",
    "self.ints.max()",
    "(10 / self.i)",
    "self.ints[self.i]",
  ],
};

const random: readonly ValidateCase[] = [1, 2, 3].map((seed) => ({
  op: "rule-validate",
  schema: root(ruled(object(MEMBERS), ...randomRules(PARTS, { seed, count: 200 }))),
  value: of({ ...VALUE, labels: { a: "1" } }),
}));

/** What upstream is asked about objects. */
export const validateCases: readonly ValidateCase[] = [
  ...random,
  ...alone,
  ...messages,
  ...nesting,
  ...transitions,
  ...ratchets,
  ...budgets,
];
