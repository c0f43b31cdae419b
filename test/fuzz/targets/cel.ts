import { compileExpression, type DeclaredType, declareType, estimateCost, toCelValue } from "@kubescaffold/schema/cel";

import type { FuzzTarget } from "../engine/fuzz-target.ts";

const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    size: { type: "integer" },
    ratio: { type: "number" },
    on: { type: "boolean" },
    when: { type: "string", format: "date-time" },
    span: { type: "string", format: "duration" },
    list: {
      type: "array",
      items: { type: "object", properties: { key: { type: "string" }, value: { type: "integer" } } },
    },
    map: { type: "object", additionalProperties: { type: "string" } },
    any: { "x-kubernetes-int-or-string": true },
  },
} as const;
const SELF = declareType(SCHEMA) as DeclaredType;
const VALUE = toCelValue(
  {
    name: "ab",
    size: 3,
    ratio: 0.5,
    on: true,
    when: "2024-01-01T00:00:00Z",
    span: "1h",
    list: [{ key: "a", value: 1 }],
    map: { k: "v" },
    any: 5,
  },
  SCHEMA,
);

/** CEL rules: a rule is compiled or rejected, costed, and evaluated to a value or an error; nothing is thrown. */
export const target: FuzzTarget = {
  name: "cel",
  kind: "text",
  seeds: [
    "self.size >= 0 && self.name.matches('^a+$')",
    "self.list.all(e, e.value < 10) ? self.map['k'] == 'v' : has(self.any)",
    "self.list.filter(e, e.key.startsWith('a')).map(e, e.value * 2).sum() == 2u",
    "duration('1h') + self.span > duration(self.span) || timestamp('2024-01-01T00:00:00Z') < self.when",
    "'%s %d %.2f'.format([self.name, self.size, self.ratio]).split(' ')[0].replace('a', 'b').trim() != ''",
    "quantity('1Ki').isGreaterThan(quantity('1')) && ip('::1').isLoopback() && cidr('10.0.0.0/8').containsIP('10.1.1.1')",
    "optional.of(self.size).orValue(1) == 3 && self.?name.hasValue() && url('http://a/b').getPort() == ''",
    "[1, 2.5, 'x', b'y', null, {'k': [true]}].size() == 6 && r'\\d' != \"\\u0041\"",
  ],
  dictionary: [
    "self",
    ".all(",
    ".exists(",
    ".map(",
    ".filter(",
    "has(",
    "size(",
    "matches(",
    "format(",
    "quantity(",
    "url(",
    "ip(",
    "cidr(",
    "semver(",
    "duration(",
    "timestamp(",
    "string(",
    "int(",
    "double(",
    "bytes(",
    "type(",
    "dyn(",
    "optional.of(",
    "?",
    ":",
    "&&",
    "||",
    "in ",
    "==",
    "!=",
    "0x",
    "1u",
    "1e9",
    "'",
    '"""',
    "r'",
    "b'",
    "//",
    "[?",
    "{?",
    "cel.bind(x, ",
    ".findAll(",
    ".lowerAscii()",
    ".charAt(",
    "sets.contains(",
    "-9223372036854775808",
  ],
  run: (text) => {
    const compiled = compileExpression(text, { self: SELF });
    if (compiled.kind === "rejected") return;
    estimateCost(compiled.checked, SELF);
    compiled.evaluate({ self: VALUE, oldSelf: VALUE });
  },
};
