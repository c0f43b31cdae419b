import type { JSONValue } from "@kubescaffold/k8s";

/** A property of an object case, with its tags in both languages. */
interface CaseField {
  readonly name: string;
  readonly markers: readonly string[];
  readonly go: string;
  readonly ts: string;
  readonly values: readonly JSONValue[];
  /** The values of objects before an update. Default: all of them. */
  readonly oldValues?: readonly JSONValue[];
}

/** Tags above several properties, and the types that these have; `$` in a name of Go stands for the case. */
export interface ObjectCase {
  readonly title: string;
  readonly fields: readonly CaseField[];
  readonly goTypes: string;
  readonly tsTypes: string;
  /** How many of four absent values a random object has. */
  readonly absent: number;
}

type Options = Partial<Pick<ObjectCase, "goTypes" | "tsTypes" | "absent">>;

const objectCase = (title: string, fields: readonly CaseField[], options: Options = {}): ObjectCase => ({
  title,
  fields,
  goTypes: "",
  tsTypes: "",
  absent: 2,
  ...options,
});

const text = (name: string, ...markers: readonly string[]): CaseField => ({
  name,
  markers: ["+k8s:optional", ...markers],
  go: "*string",
  ts: "string",
  values: ["", "a", "abcd"],
});

const kind = (name: string, ...markers: readonly string[]): CaseField => ({
  name,
  markers: ["+k8s:optional", ...markers],
  go: "string",
  ts: "string",
  values: ["A", "B", "C"],
});

const strings = (name: string, ...markers: readonly string[]): CaseField => ({
  name,
  markers: ["+k8s:optional", ...markers],
  go: "[]string",
  ts: "string[]",
  values: [[], ["a"], ["b"], ["a", "b"], ["b", "a"], ["a", "b", "abcd"], ["abcd", "c"]],
});

const repeated = (name: string, ...markers: readonly string[]): CaseField => ({
  ...strings(name, ...markers),
  values: [[], ["a"], ["a", "a"], ["a", "b"], ["a", "b", "a"], ["b", "c"]],
});

const map = (name: string, ...markers: readonly string[]): CaseField => ({
  name,
  markers: ["+k8s:optional", ...markers],
  go: "map[string]string",
  ts: "Record<string, string>",
  values: [{}, { a: "a" }, { a: "b" }, { a: "a", b: "b" }, { b: "abcd" }, { abcd: "a" }, { a: "a", abcd: "abcd" }],
});

// Rules that compare items with each other need bounds, or they cost too much.
const BOUND = ["+k8s:maxItems=16"];
const BOUNDS = [...BOUND, "+k8s:eachVal=+k8s:maxLength=20"];

const ITEM_GO = `type Item$ struct {
	// +k8s:maxLength=20
	Name string \`json:"name"\`
	// +k8s:optional
	// +k8s:maxLength=20
	Text *string \`json:"text,omitempty"\`
}`;
const ITEM_TS = `export interface Item {
  /** +k8s:maxLength=20 */
  name: string;
  /** +k8s:maxLength=20 */
  text?: string;
}`;
const ITEMS = { goTypes: ITEM_GO, tsTypes: ITEM_TS, absent: 1 };

const [A, A_LONG, A_BARE, B, B_LONG, C] = [
  { name: "a", text: "a" },
  { name: "a", text: "abcd" },
  { name: "a" },
  { name: "b", text: "b" },
  { name: "b", text: "abcd" },
  { name: "c", text: "" },
];

const items = (name: string, ...markers: readonly string[]): CaseField => ({
  name,
  markers: ["+k8s:optional", "+k8s:listType=map", "+k8s:listMapKey=name", ...BOUND, ...markers],
  go: "[]Item$",
  ts: "Item[]",
  values: [
    [],
    [A],
    [A_LONG],
    [A_BARE],
    [B],
    [A, B],
    [B, A],
    [A_LONG, B],
    [A_LONG, B_LONG],
    [B_LONG, C],
    [A, B_LONG, C],
  ],
});

const object = (name: string, ...markers: readonly string[]): CaseField => ({
  name,
  markers,
  go: "Item$",
  ts: "Item",
  values: [A, A_LONG, A_BARE, B, B_LONG, C],
});

const boxed = (name: string, ...markers: readonly string[]): CaseField => ({
  ...object(name, "+k8s:optional", ...markers),
  go: "*Item$",
});

const CHECKED = {
  goTypes: `type Item$ struct {
	// +k8s:maxLength=1
	Name string \`json:"name"\`
	// +k8s:optional
	// +k8s:maxLength=2
	Text *string \`json:"text,omitempty"\`
}`,
  tsTypes: `export interface Item {
  /** +k8s:maxLength=1 */
  name: string;
  /** +k8s:maxLength=2 */
  text?: string;
}`,
};

/** The tags that are about several properties, or contain other tags, in the order of the recorded verdicts. */
export const OBJECT_CASES: readonly ObjectCase[] = [
  objectCase("unionMember", [
    text("a", "+k8s:unionMember"),
    strings("b", "+k8s:unionMember"),
    map("c", "+k8s:unionMember"),
    text("other"),
  ]),
  objectCase("two unions", [
    text("a", '+k8s:unionMember(union: "one")'),
    text("b", '+k8s:unionMember(union: "one")'),
    text("c", '+k8s:unionMember(union: "two")'),
    text("d", "+k8s:unionMember(union: two)"),
  ]),
  objectCase("unionDiscriminator", [
    kind("type", "+k8s:unionDiscriminator"),
    text("a", "+k8s:unionMember"),
    strings("b", '+k8s:unionMember(memberName: "B")'),
  ]),
  objectCase("zeroOrOneOfMember", [
    text("a", "+k8s:zeroOrOneOfMember"),
    strings("b", "+k8s:zeroOrOneOfMember"),
    map("c", "+k8s:zeroOrOneOfMember"),
  ]),
  objectCase("dependentRequired", [text("a", "+k8s:dependentRequired(b)"), strings("b"), text("other")]),
  objectCase("dependentForbidden", [map("a", '+k8s:dependentForbidden("b")'), text("b"), text("other")]),
  objectCase("modeDiscriminator and ifMode", [
    kind("mode", "+k8s:modeDiscriminator"),
    text("a", '+k8s:ifMode("A")=+k8s:required', '+k8s:ifMode("B")=+k8s:maxLength=2'),
    strings("b", '+k8s:ifMode(mode: "A")=+k8s:minItems=2', '+k8s:ifMode("B")=+k8s:optional'),
    text("other"),
  ]),
  objectCase("ifMode of a boolean", [
    {
      ...kind("on", '+k8s:modeDiscriminator(modality: "m")'),
      go: "bool",
      ts: "boolean",
      values: [true, false],
    },
    text("a", '+k8s:ifMode(mode: "true", modality: "m")=+k8s:minLength=1'),
  ]),
  objectCase("forbidden", [text("a", "+k8s:forbidden"), strings("b", "+k8s:forbidden"), text("other")], { absent: 3 }),
  objectCase("update=NoSet", [text("a", "+k8s:update=NoSet"), strings("b", "+k8s:update=NoSet")]),
  objectCase("update=NoUnset", [text("a", "+k8s:update=NoUnset"), map("b", "+k8s:update=NoUnset")]),
  objectCase("update=NoModify", [
    text("a", "+k8s:update=NoModify"),
    text("b", "+k8s:update=NoModify", "+k8s:update=NoSet"),
  ]),
  objectCase("update=NoModify of an object", [object("a", "+k8s:update=NoModify")], { ...ITEMS, absent: 0 }),
  objectCase("update=NoAddItem", [
    strings("a", "+k8s:listType=set", "+k8s:update=NoAddItem", ...BOUNDS),
    map("b", "+k8s:update=NoAddItem"),
  ]),
  objectCase(
    "update=NoRemoveItem",
    [items("a", "+k8s:update=NoRemoveItem"), map("b", "+k8s:update=NoRemoveItem")],
    ITEMS,
  ),
  objectCase("update of unique items", [
    strings("a", "+k8s:listType=atomic", "+k8s:unique=set", "+k8s:update=NoAddItem", ...BOUNDS),
  ]),
  objectCase("unique=set", [repeated("a", "+k8s:listType=atomic", "+k8s:unique=set", ...BOUNDS)]),
  objectCase(
    "unique=map",
    [
      {
        ...items("a"),
        markers: ["+k8s:optional", "+k8s:listType=atomic", "+k8s:unique=map", "+k8s:listMapKey=name", ...BOUND],
        values: [[], [A], [A, A_LONG], [A, B], [A, B, A_BARE], [B, B]],
      },
    ],
    ITEMS,
  ),
  objectCase("customUnique", [
    repeated("a", "+k8s:listType=atomic", "+k8s:unique=set", "+k8s:customUnique"),
    strings("b", "+k8s:maxItems=2"),
  ]),
  objectCase("eachVal of a list", [strings("a", "+k8s:eachVal=+k8s:maxLength=2")]),
  objectCase("eachVal of a map", [map("a", "+k8s:eachVal=+k8s:maxLength=2")]),
  objectCase("eachVal of objects", [items("a", "+k8s:eachVal=+k8s:subfield(text)=+k8s:maxLength=2")], ITEMS),
  objectCase("eachVal=+update=NoModify", [items("a", "+k8s:eachVal=+k8s:update=NoModify")], ITEMS),
  objectCase(
    "eachVal=+immutable",
    [
      items("a", "+k8s:eachVal=+k8s:immutable"),
      map("b", "+k8s:eachVal=+k8s:immutable", "+k8s:maxProperties=16", "+k8s:eachVal=+k8s:maxLength=20"),
    ],
    ITEMS,
  ),
  objectCase("eachKey", [map("a", "+k8s:eachKey=+k8s:maxLength=2")]),
  objectCase("eachKey with a format", [
    map("a", "+k8s:eachKey=+k8s:format=k8s-label-key", '+k8s:eachKey=+k8s:neq="abcd"'),
  ]),
  objectCase("subfield", [object("a", "+k8s:subfield(text)=+k8s:maxLength=2", '+k8s:subfield(name)=+k8s:neq="b"')], {
    ...ITEMS,
    absent: 0,
  }),
  objectCase("subfield=+required", [object("a", "+k8s:subfield(text)=+k8s:required"), text("other")], {
    ...ITEMS,
    absent: 0,
  }),
  objectCase("subfield=+immutable", [object("a", "+k8s:subfield(text)=+k8s:immutable")], { ...ITEMS, absent: 0 }),
  objectCase("item=+subfield", [items("a", '+k8s:item(name: "a")=+k8s:subfield(text)=+k8s:maxLength=2')], ITEMS),
  objectCase("item=+immutable", [items("a", '+k8s:item(name: "a")=+k8s:immutable')], ITEMS),
  objectCase(
    "item=+subfield=+immutable",
    [items("a", '+k8s:item(name: "a")=+k8s:subfield(text)=+k8s:immutable')],
    ITEMS,
  ),
  objectCase("item=+update=NoModify", [items("a", '+k8s:item(name: "b")=+k8s:update=NoModify')], ITEMS),
  // Servers cannot compare such a list with the old one, so an update that keeps a violation is not allowed.
  objectCase(
    "item=+unionMember",
    [
      {
        ...items("a", '+k8s:item(name: "a")=+k8s:unionMember', '+k8s:item(name: "b")=+k8s:unionMember'),
        oldValues: [[], [A], [B, C], [A_LONG]],
      },
    ],
    ITEMS,
  ),
  objectCase(
    "item=+zeroOrOneOfMember",
    [
      {
        ...items("a", '+k8s:item(name: "a")=+k8s:zeroOrOneOfMember', '+k8s:item(name: "b")=+k8s:zeroOrOneOfMember'),
        oldValues: [[], [A], [C], [B, C]],
      },
    ],
    ITEMS,
  ),
  objectCase("opaqueType", [boxed("a", "+k8s:opaqueType"), boxed("b")], CHECKED),
  objectCase("ifEnabled and ifDisabled", [
    text("a", "+k8s:ifEnabled(Option)=+k8s:maxLength=1"),
    text("b", "+k8s:ifDisabled(Option)=+k8s:maxLength=1"),
  ]),
  objectCase("alpha and beta", [
    text("a", '+k8s:alpha(since: "1.36")=+k8s:maxLength=2'),
    text("b", "+k8s:beta=+k8s:minLength=1"),
  ]),
  objectCase(
    "a union in the items of an atomic list",
    [
      {
        name: "a",
        markers: ["+k8s:optional", "+k8s:listType=atomic"],
        go: "[]Choice$",
        ts: "Choice[]",
        values: [[], [{ x: "a" }], [{ x: "a" }, { y: "b" }], [{ x: "a", y: "b" }], [{}], [{ y: "b" }, { x: "c" }]],
      },
    ],
    {
      goTypes: `type Choice$ struct {
	// +k8s:optional
	// +k8s:unionMember
	X *string \`json:"x,omitempty"\`
	// +k8s:optional
	// +k8s:unionMember
	Y *string \`json:"y,omitempty"\`
}`,
      tsTypes: `export interface Choice {
  /** +k8s:unionMember */
  x?: string;
  /** +k8s:unionMember */
  y?: string;
}`,
    },
  ),
];

const CHANGES = 200;

/** The update of an object, or its creation without `old`. */
export interface ObjectChange {
  readonly isUpdate: boolean;
  readonly old: Readonly<Record<string, JSONValue>>;
  readonly new: Readonly<Record<string, JSONValue>>;
}

/** Returns the random objects of a case: the same ones in each run. */
export function objectChangesOf({ fields, absent }: ObjectCase, seed: number): readonly ObjectChange[] {
  let state = seed * 2_654_435_761 + 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pickOf = (values: readonly JSONValue[]): JSONValue | undefined =>
    random(4) < absent ? undefined : values[random(values.length)];
  const objectOf = (choose: (field: CaseField) => JSONValue | undefined): Record<string, JSONValue> =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const value = choose(field);
        return value === undefined ? [] : [[field.name, value] as const];
      }),
    );
  return Array.from({ length: CHANGES }, () => {
    const isUpdate = random(3) > 0;
    const old = isUpdate ? objectOf(({ values, oldValues = values }) => pickOf(oldValues)) : {};
    const next = objectOf((field) => (isUpdate && random(2) === 0 ? old[field.name] : pickOf(field.values)));
    return { isUpdate, old, new: next };
  });
}
