/** A struct T in two versions, in TypeScript and in Go. Both have the same fields in JSON. */
export interface TypePair {
  readonly name: string;
  readonly spoke: TwoLanguages;
  readonly hub: TwoLanguages;
}

/** The body of the struct T, and further declarations. */
interface TwoLanguages {
  readonly ts: string;
  readonly go: string;
  readonly moreTs?: string;
  readonly moreGo?: string;
}

/** Pairs of types that conversion-gen and the generator `conversion` decide on. */
export const TYPE_PAIRS: readonly TypePair[] = [
  pair("equal scalars", ["a: string; b?: int32", "A string; B *int32"], ["a: string; b?: int32", "A string; B *int32"]),
  pair("renamed field", ["size?: int32", "Size *int32"], ["replicas?: int32", "Replicas *int32"]),
  pair("added optional field", ["a: string", "A string"], ["a: string; b?: string", "A string; B *string"]),
  pair("added required field", ["a: string", "A string"], ["a: string; b: string", "A string; B string"]),
  pair("removed optional field", ["a: string; b?: string", "A string; B *string"], ["a: string", "A string"]),
  pair("optional becomes required", ["a?: int32", "A *int32"], ["a: int32", "A int32"]),
  pair("required becomes optional", ["a: int32", "A int32"], ["a?: int32", "A *int32"]),
  pair("string becomes integer", ["a: string", "A string"], ["a: int32", "A int32"]),
  pair("integer is widened", ["a: int32", "A int32"], ["a: int64", "A int64"]),
  pair("integer is narrowed", ["a: int64", "A int64"], ["a: int32", "A int32"]),
  pair("scalar becomes struct", ["a: string", "A string"], ["a: B", "A B"], {
    hub: ["export interface B { c: string }", "type B struct { C string }"],
  }),
  pair("equal nested structs", ["a?: B", "A *B"], ["a?: B", "A *B"], {
    both: ["export interface B { c: string }", "type B struct { C string }"],
  }),
  pair("nested structs that differ", ["a?: B", "A *B"], ["a?: B", "A *B"], {
    spoke: ["export interface B { c?: string }", "type B struct { C *string }"],
    hub: ["export interface B { d?: string }", "type B struct { D *string }"],
  }),
  pair("nested structs with other names", ["a?: B", "A *B"], ["a?: C", "A *C"], {
    spoke: ["export interface B { c: string }", "type B struct { C string }"],
    hub: ["export interface C { c: string }", "type C struct { C string }"],
  }),
  pair("list of equal structs", ["a?: B[]", "A []B"], ["a?: B[]", "A []B"], {
    both: ["export interface B { c: string }", "type B struct { C string }"],
  }),
  pair("list of structs that differ", ["a?: B[]", "A []B"], ["a?: B[]", "A []B"], {
    spoke: ["export interface B { c?: string }", "type B struct { C *string }"],
    hub: ["export interface B { d?: string }", "type B struct { D *string }"],
  }),
  pair(
    "map of equal structs",
    ["a?: Record<string, B>", "A map[string]B"],
    ["a?: Record<string, B>", "A map[string]B"],
    {
      both: ["export interface B { c: string }", "type B struct { C string }"],
    },
  ),
  pair(
    "map of structs that differ",
    ["a?: Record<string, B>", "A map[string]B"],
    ["a?: Record<string, B>", "A map[string]B"],
    {
      spoke: ["export interface B { c?: string }", "type B struct { C *string }"],
      hub: ["export interface B { d?: string }", "type B struct { D *string }"],
    },
  ),
  pair("list of scalars", ["a?: string[]", "A []string"], ["a?: string[]", "A []string"]),
  pair("list becomes map", ["a?: string[]", "A []string"], ["a?: Record<string, string>", "A map[string]string"]),
  pair("scalar becomes list", ["a?: string", "A *string"], ["a?: string[]", "A []string"]),
  pair(
    "map with values of another type",
    ["a?: Record<string, string>", "A map[string]string"],
    ["a?: Record<string, int32>", "A map[string]int32"],
  ),
  pair("named string type", ["a?: Mode", "A Mode"], ["a?: Mode", "A Mode"], {
    both: ["export type Mode = string;", "type Mode string"],
  }),
  pair(
    "excluded field",
    ["a: string; /** +k8s:conversion-gen=false */ b?: string", "A string; // +k8s:conversion-gen=false\nB *string"],
    ["a: string", "A string"],
  ),
];

type Languages = readonly [ts: string, go: string];

interface Declarations {
  readonly spoke?: Languages;
  readonly hub?: Languages;
  readonly both?: Languages;
}

function pair(name: string, spoke: Languages, hub: Languages, more: Declarations = {}): TypePair {
  return { name, spoke: version(spoke, more.spoke ?? more.both), hub: version(hub, more.hub ?? more.both) };
}

function version([ts, go]: Languages, more: Languages | undefined): TwoLanguages {
  return more === undefined ? { ts, go } : { ts, go, moreTs: more[0], moreGo: more[1] };
}
