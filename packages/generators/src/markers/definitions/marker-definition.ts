/** What a marker can be above: a package (that is, a file of it), a type, or a property of a type. */
export type MarkerTarget = "package" | "type" | "field";

/** The form of one value of a marker. */
export type ArgumentType =
  | { readonly kind: "string" }
  | { readonly kind: "integer" }
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  | { readonly kind: "any" }
  | { readonly kind: "list"; readonly items: ArgumentType };

/** One named argument of a marker. */
export interface ArgumentDefinition {
  /** The name. */
  readonly name: string;
  /** The form of the value. */
  readonly type: ArgumentType;
  /** Whether the argument may be omitted. */
  readonly isOptional: boolean;
  /** One sentence for the help text and the reference page. */
  readonly summary: string;
  /** Whether a tag has the value alone in its parentheses, without the name. */
  readonly isPositional?: boolean;
}

/** How the text of a marker after its name is read. */
export type MarkerGrammar =
  /** Nothing may follow the name. */
  | { readonly kind: "flag" }
  /** One value: `+name=value`. */
  | { readonly kind: "value"; readonly type: ArgumentType; readonly isOptional: boolean }
  /** Named arguments: `+name:first=value,second=value`. */
  | { readonly kind: "arguments"; readonly arguments: readonly ArgumentDefinition[] }
  /** One JSON value; one that begins with `ref(` is not read. */
  | { readonly kind: "json" }
  /** One decimal number that is read as a whole, sign and spaces included; `#` starts a comment when `hasComment`. */
  | { readonly kind: "decimal"; readonly isWhole: boolean; readonly hasComment: boolean }
  /** The rest of the line as it stands. */
  | { readonly kind: "raw" }
  | TagGrammar;

/** A tag of validation-gen: `+name(first, second: value)=+tag`. */
export interface TagGrammar {
  readonly kind: "tag";
  readonly arguments: readonly ArgumentDefinition[];
  /** Whether any other names of arguments are accepted. */
  readonly isOpen: boolean;
  /** Whether another tag follows, and whether that tag takes the place of this one. */
  readonly payload: "none" | "tag" | "replacement";
}

/** The value of a marker whose grammar is that of a tag. */
export interface TagValue {
  readonly [key: string]: MarkerValue;
  readonly arguments: { readonly [key: string]: MarkerValue };
}

/** A tag inside another one. */
export interface PayloadTag {
  readonly [key: string]: MarkerValue;
  readonly name: string;
  readonly value: MarkerValue;
}

/** The grammar and the documentation of a marker, in one. */
export interface MarkerDefinition {
  /** The name without the leading `+`. */
  readonly name: string;
  /** The declarations that the marker may be above. */
  readonly targets: readonly MarkerTarget[];
  /** The section of the help text. */
  readonly category: string;
  /** The form of the text after the name. */
  readonly grammar: MarkerGrammar;
  /** One sentence for the help text and the reference page. */
  readonly summary: string;
}

/** A value as a marker states it; integers beyond 2^53 are bigint, so that they keep every digit. */
export type MarkerValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly MarkerValue[]
  | { readonly [key: string]: MarkerValue };

export const STRING: ArgumentType = { kind: "string" };
export const INTEGER: ArgumentType = { kind: "integer" };
export const NUMBER: ArgumentType = { kind: "number" };
export const BOOLEAN: ArgumentType = { kind: "boolean" };
export const ANY: ArgumentType = { kind: "any" };
export const STRINGS: ArgumentType = { kind: "list", items: STRING };
export const ANYTHINGS: ArgumentType = { kind: "list", items: ANY };
export const FLAG: MarkerGrammar = { kind: "flag" };

/** Makes the grammar of a marker with one value that must be given. */
export function valueOf(type: ArgumentType): MarkerGrammar {
  return { kind: "value", type, isOptional: false };
}

/** Makes the grammar of a marker with named arguments. */
export function argumentsOf(...list: readonly ArgumentDefinition[]): MarkerGrammar {
  return { kind: "arguments", arguments: list };
}

/** Defines an argument that must be given. */
export function required(name: string, type: ArgumentType, summary: string): ArgumentDefinition {
  return { name, type, isOptional: false, summary };
}

/** Defines an argument that may be omitted. */
export function optional(name: string, type: ArgumentType, summary: string): ArgumentDefinition {
  return { name, type, isOptional: true, summary };
}
