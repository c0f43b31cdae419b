/** Two versions of the schema of `spec`, and what is said about the change. */
export interface CompatCase {
  readonly name: string;
  readonly former: unknown;
  readonly current: unknown;
  /** Severity, code and name of every difference; none for a change that allows more. */
  readonly expected: readonly (readonly [code: string, about: string])[];
}

const object = (properties: object, rest: object = {}): object => ({ type: "object", properties, ...rest });
const text = { type: "string" };
const number = { type: "integer", format: "int32" };
const list = (items: object, rest: object = {}): object => ({ type: "array", items, ...rest });
const map = (values: object): object => ({ type: "object", additionalProperties: values });
const intOrString = { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] };
const anything = { "x-kubernetes-preserve-unknown-fields": true };
const rule = (cel: string): object => ({ "x-kubernetes-validations": [{ rule: cel }] });

const TIGHTENED = "COMPAT_VALIDATION_TIGHTENED";
const TYPE = "COMPAT_TYPE_CHANGED";

/** Changes of `spec.x`, by case. */
export const COMPAT_CASES: readonly CompatCase[] = [
  same("nothing", { ...text, maxLength: 5 }),
  breaks("field removed", object({ a: text, b: text }), object({ a: text }), ["COMPAT_FIELD_REMOVED", "spec.x.b"]),
  breaks("field renamed", object({ colour: text }), object({ color: text }), [
    "COMPAT_FIELD_REMOVED",
    "renamed to color",
  ]),
  allows("field added", object({ a: text }), object({ a: text, b: text })),
  allows("field removed where unknown fields stay", object({ a: text, b: text }), object({ a: text }, anything)),
  allows("field becomes a key of a map", object({ a: text, b: text }), map(text)),
  breaks("field becomes a key of a map of numbers", object({ a: text }), map(number), [TYPE, "spec.x.a"]),
  breaks("free keys removed", map(text), object({ a: text }), ["COMPAT_FIELD_REMOVED", "allowed any key"]),
  breaks(
    "field in a list of lists removed",
    list(list(object({ a: text, b: text }))),
    list(list(object({ a: text }))),
    ["COMPAT_FIELD_REMOVED", "spec.x[][].b"],
  ),
  breaks("field in a map of lists removed", map(list(object({ a: text, b: text }))), map(list(object({ a: text }))), [
    "COMPAT_FIELD_REMOVED",
    "spec.x[*][].b",
  ]),
  breaks("required added to a field", object({ a: text }), object({ a: text }, { required: ["a"] }), [
    "COMPAT_REQUIRED_ADDED",
    "spec.x.a",
  ]),
  breaks("new field is required", object({ a: text }), object({ a: text, b: text }, { required: ["b"] }), [
    "COMPAT_REQUIRED_ADDED",
    "spec.x.b",
  ]),
  allows(
    "new field is required and has a default",
    object({ a: text }),
    object({ a: text, b: { ...text, default: "x" } }, { required: ["b"] }),
  ),
  allows("required removed", object({ a: text }, { required: ["a"] }), object({ a: text })),
  breaks(
    "required field loses its default",
    object({ a: { ...text, default: "x" } }, { required: ["a"] }),
    object({ a: text }, { required: ["a"] }),
    ["COMPAT_DEFAULT_CHANGED", "spec.x.a"],
    ["COMPAT_REQUIRED_ADDED", "spec.x.a"],
  ),
  breaks("required added inside allOf", object({ a: text }), object({ a: text }, { allOf: [{ required: ["a"] }] }), [
    "COMPAT_REQUIRED_ADDED",
    "spec.x.a",
  ]),
  breaks("string becomes a number", text, number, [TYPE, "integer"]),
  breaks("object becomes a list", object({ a: text }), list(text), [TYPE, "array"]),
  allows("integer becomes any number", { type: "integer" }, { type: "number" }),
  breaks("any number becomes a whole one", { type: "number" }, { type: "integer" }, [TYPE, "integer"]),
  allows("integer becomes int-or-string", { type: "integer" }, intOrString),
  allows("string becomes int-or-string", text, intOrString),
  breaks("int-or-string becomes a string", intOrString, text, [TYPE, "string"]),
  same("int-or-string stays", intOrString),
  allows("typed becomes anything", object({ a: text }), anything),
  breaks("anything becomes typed", anything, object({ a: text }), [TYPE, "object"]),
  breaks("unknown fields are pruned", object({ a: text }, anything), object({ a: text }), ["COMPAT_PRUNING", "spec.x"]),
  breaks(
    "whole object becomes a plain one",
    object({ a: text }, { "x-kubernetes-embedded-resource": true }),
    object({ a: text }),
    ["COMPAT_PRUNING", "spec.x"],
  ),
  breaks(
    "plain object must be a whole one",
    object({ a: text }),
    object({ a: text }, { "x-kubernetes-embedded-resource": true }),
    [TIGHTENED, "spec.x"],
  ),
  allows("int32 becomes int64", number, { type: "integer", format: "int64" }),
  breaks("int64 becomes int32", { type: "integer", format: "int64" }, number, [TIGHTENED, "int32"]),
  breaks("format added", text, { ...text, format: "date-time" }, [TIGHTENED, "date-time"]),
  allows("format that servers do not check added", text, { ...text, format: "color" }),
  allows("format removed", { ...text, format: "ipv4" }, text),
  breaks("null is not allowed any more", { ...text, nullable: true }, text, ["COMPAT_NULLABLE_REMOVED", "spec.x"]),
  allows("null is allowed now", text, { ...text, nullable: true }),
  breaks("maximum added", number, { ...number, maximum: 5 }, [TIGHTENED, "maximum 5 was added"]),
  breaks("maximum lowered", { ...number, maximum: 9 }, { ...number, maximum: 5 }, [TIGHTENED, "from 9 to 5"]),
  allows("maximum raised", { ...number, maximum: 5 }, { ...number, maximum: 9 }),
  allows("maximum removed", { ...number, maximum: 5 }, number),
  breaks("minimum raised", { ...number, minimum: 0 }, { ...number, minimum: 1 }, [
    TIGHTENED,
    "minimum of spec.x changed from 0 to 1",
  ]),
  breaks("maximum becomes exclusive", { ...number, maximum: 5 }, { ...number, maximum: 5, exclusiveMaximum: true }, [
    TIGHTENED,
    "can no longer equal",
  ]),
  breaks("maximum lowered in allOf", { ...number, maximum: 9 }, { ...number, maximum: 9, allOf: [{ maximum: 5 }] }, [
    TIGHTENED,
    "maximum of spec.x changed from 9 to 5",
  ]),
  allows("bound moves out of allOf", { ...number, allOf: [{ maximum: 5 }, { maximum: 9 }] }, { ...number, maximum: 5 }),
  breaks("multipleOf added", number, { ...number, multipleOf: 2 }, [TIGHTENED, "multiple of 2"]),
  allows("multipleOf becomes a divisor", { ...number, multipleOf: 6 }, { ...number, multipleOf: 3 }),
  breaks("maxLength added", text, { ...text, maxLength: 63 }, [TIGHTENED, "maxLength 63"]),
  breaks("minLength raised", { ...text, minLength: 1 }, { ...text, minLength: 2 }, [
    TIGHTENED,
    "minLength of spec.x changed from 1 to 2",
  ]),
  allows("minLength of nothing added", text, { ...text, minLength: 0 }),
  breaks("maxItems lowered", list(text, { maxItems: 9 }), list(text, { maxItems: 5 }), [
    TIGHTENED,
    "maxItems of spec.x changed from 9 to 5",
  ]),
  breaks("maxProperties added", map(text), { ...map(text), maxProperties: 5 }, [TIGHTENED, "maxProperties 5"]),
  breaks("pattern added", text, { ...text, pattern: "^a" }, [TIGHTENED, "^a"]),
  breaks("pattern changed", { ...text, pattern: "^a" }, { ...text, pattern: "^b" }, [TIGHTENED, "^b"]),
  allows("pattern removed", { ...text, pattern: "^a" }, text),
  breaks(
    "second pattern in allOf",
    { ...text, pattern: "^a" },
    { ...text, pattern: "^a", allOf: [{ pattern: "b$" }] },
    [TIGHTENED, "b$"],
  ),
  breaks("enum value removed", { ...text, enum: ["a", "b"] }, { ...text, enum: ["a"] }, [
    "COMPAT_ENUM_NARROWED",
    '"b"',
  ]),
  breaks("enum added", text, { ...text, enum: ["a"] }, ["COMPAT_ENUM_NARROWED", "allowed any"]),
  allows("enum value added", { ...text, enum: ["a"] }, { ...text, enum: ["b", "a"] }),
  allows("enum removed", { ...text, enum: ["a"] }, text),
  breaks("items must now be unique", list(text), list(text, { uniqueItems: true }), [TIGHTENED, "must now be unique"]),
  breaks("anyOf added", object({ a: text }), object({ a: text }, { anyOf: [{ required: ["a"] }] }), [
    TIGHTENED,
    "anyOf",
  ]),
  same("anyOf stays", object({ a: text }, { anyOf: [{ required: ["a"] }] })),
  allows("oneOf removed", object({ a: text }, { oneOf: [{ required: ["a"] }] }), object({ a: text })),
  breaks("not added", object({ a: text }), object({ a: text }, { not: { required: ["a"] } }), [TIGHTENED, "not"]),
  breaks("rule added", number, { ...number, ...rule("self > 1") }, ["COMPAT_RULE_ADDED", "self > 1"]),
  breaks("transition rule added", number, { ...number, ...rule("self == oldSelf") }, [
    "COMPAT_RULE_ADDED",
    "valid updates may be rejected",
  ]),
  allows("rule removed", { ...number, ...rule("self > 1") }, number),
  same("rule stays", { ...number, ...rule("self > 1") }),
  breaks(
    "list becomes a map",
    list(object({ a: text })),
    list(object({ a: text }), { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] }),
    ["COMPAT_LIST_TYPE_CHANGED", "map"],
  ),
  breaks(
    "keys change",
    list(object({ a: text, b: text }), { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] }),
    list(object({ a: text, b: text }), { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["b"] }),
    ["COMPAT_LIST_TYPE_CHANGED", "from a to b"],
  ),
  breaks("set becomes atomic", list(text, { "x-kubernetes-list-type": "set" }), list(text), [
    "COMPAT_MERGE_CHANGED",
    "atomic",
  ]),
  same("atomic is said", list(text), list(text, { "x-kubernetes-list-type": "atomic" })),
  breaks("object becomes atomic", object({ a: text }), object({ a: text }, { "x-kubernetes-map-type": "atomic" }), [
    "COMPAT_MERGE_CHANGED",
    "atomic",
  ]),
  breaks("default changes", { ...number, default: 1 }, { ...number, default: 2 }, [
    "COMPAT_DEFAULT_CHANGED",
    "from 1 to 2",
  ]),
  allows("default added", number, { ...number, default: 2 }),
  same("texts change", { ...text, description: "a" }, { ...text, description: "b", title: "t", example: "e" }),
];

function breaks(name: string, former: object, current: object, ...expected: CompatCase["expected"]): CompatCase {
  return { name, former, current, expected };
}

function allows(name: string, former: object, current: object): CompatCase {
  return { name, former, current, expected: [] };
}

function same(name: string, former: object, current: object = former): CompatCase {
  return { name: `${name} (the same)`, former, current, expected: [] };
}
