import type { JSONValue } from "@kubescaffold/k8s";

/** A tag above a property, and values that are near its limits. */
export interface TagCase {
  readonly title: string;
  /** The markers of the property, without comment signs. */
  readonly markers: readonly string[];
  readonly go: string;
  readonly ts: string;
  readonly values: readonly JSONValue[];
}

const TEXTS = [
  "",
  "a",
  "ab",
  "abc",
  "abcd",
  "abcde",
  "äö",
  "äöü",
  "€€",
  "🚀",
  "🚀🚀",
  "🚀🚀🚀",
  "a🚀",
  "\u0000\n",
  "x".repeat(300),
];
const NAMES = [
  "",
  "a",
  "A",
  "a-b",
  "-a",
  "a-",
  "a.b",
  "A.b-C",
  ".a",
  "a..b",
  "a_b",
  "a/b",
  "A/b",
  "a/b/c",
  "/a",
  "a/",
  "a b",
  "ä",
  ".",
  "..",
  "...",
  ".a",
  "..a",
  "a%b",
  "%",
  "x".repeat(63),
  "x".repeat(64),
  `${"x".repeat(63)}.y`,
  "x".repeat(253),
  `${"x.".repeat(126)}x`,
  `${"x.".repeat(127)}x`,
  `${"x.".repeat(126)}x/${"n".repeat(63)}`,
  `${"x.".repeat(126)}x/${"n".repeat(64)}`,
  `example.com/${"n".repeat(63)}`,
  `a/${"x.".repeat(126)}x`,
  "example.com/Name_1",
  "Example.com/name",
  "kubernetes.io/x",
  "a.kubernetes.io/x",
  "requests.example.com/x",
  "requests.x",
  `${"x.".repeat(121)}xx/n`,
  `${"x.".repeat(122)}x/n`,
  `${"x.".repeat(122)}xx/n`,
  "a/b.c/d-e",
  "a//b",
  "123e4567-e89b-12d3-a456-426614174000",
  "123E4567-e89b-12d3-a456-426614174000",
  "123e4567e89b12d3a456426614174000",
  "123e4567-e89b-12d3-a456-42661417400",
  "g23e4567-e89b-12d3-a456-426614174000",
  "a\nb",
  "a\n",
];
const NUMBERS = [-5, -1, 0, 1, 2, 3, 4, 7, 100];

const text = (title: string, ...markers: readonly string[]): TagCase => ({
  title,
  markers,
  go: "*string",
  ts: "string",
  values: TEXTS,
});

const format = (name: string): TagCase => ({
  ...text(`format=${name}`, `+k8s:format=${name}`),
  values: NAMES,
});

const map = (title: string, marker: string): TagCase => ({
  title,
  markers: [marker],
  go: "map[string]string",
  ts: "Record<string, string>",
  values: [{ a: "" }, { a: "b" }, { a: "", b: "" }, { a: "", b: "", c: "" }, { a: "", b: "", c: "", d: "" }],
});

/** The tags that are compared with validation-gen, in the order of the recorded verdicts. */
export const TAG_CASES: readonly TagCase[] = [
  text("minLength", "+k8s:minLength=2"),
  text("maxLength", "+k8s:maxLength=3"),
  text("maxBytes", "+k8s:maxBytes=5 # bytes"),
  text("minLength and maxBytes", "+k8s:minLength=2", "+k8s:maxBytes=8"),
  {
    title: "minItems",
    markers: ["+k8s:minItems=2"],
    go: "[]string",
    ts: "string[]",
    values: [["a"], ["b"], ["a", "b"], ["a", "a"], ["a", "b", "c"]],
  },
  map("minProperties", "+k8s:minProperties=2"),
  map("maxProperties", "+k8s:maxProperties=2"),
  ...[
    "k8s-short-name",
    "k8s-long-name",
    "k8s-long-name-caseless",
    "k8s-label-key",
    "k8s-label-value",
    "k8s-prefixed-label-key",
    "k8s-path-segment-name",
    "k8s-resource-pool-name",
    "k8s-uuid",
    "k8s-extended-resource-name",
  ].map((each) => format(each)),
  text("neq of a string", '+k8s:neq="abc"'),
  { title: "neq of an integer", markers: ["+k8s:neq=3"], go: "*int32", ts: "int32", values: NUMBERS },
  { title: "neq of a boolean", markers: ["+k8s:neq=true"], go: "*bool", ts: "boolean", values: [true, false] },
  { title: "monotonic", markers: ["+k8s:monotonic"], go: "*int64", ts: "int64", values: NUMBERS },
];

/** An update of a property, or its creation without `old`; undefined is an absent value. */
export interface TagChange {
  readonly isUpdate: boolean;
  readonly old?: JSONValue | undefined;
  readonly new: JSONValue | undefined;
}

const CHANGES = 200;

/** Returns the random objects of a case: the same ones in each run. */
export function changesOf({ values }: TagCase, seed: number): readonly TagChange[] {
  let state = seed * 2_654_435_761 + 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (): JSONValue | undefined => values[random(values.length + 1)];
  return Array.from({ length: CHANGES }, () => {
    const isUpdate = random(3) > 0;
    const old = isUpdate ? pick() : undefined;
    const isKept = isUpdate && random(4) === 0;
    return { isUpdate, old, new: isKept ? old : pick() };
  });
}
