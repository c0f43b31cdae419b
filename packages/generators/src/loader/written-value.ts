import type { SourceLocation } from "./type-model.ts";

/** The type of an expression, as far as the syntax of its source states it: a built-in type, or a part of one. */
export type WrittenType =
  /** A type of `@kubescaffold/k8s`; `place` is the path of its module there, such as `core/v1`. */
  | { readonly kind: "named"; readonly place: string; readonly name: string }
  /** The kind that an object states. */
  | { readonly kind: "stated"; readonly apiVersion: string; readonly name: string }
  | { readonly kind: "list"; readonly of: WrittenType }
  | { readonly kind: "map"; readonly of: WrittenType }
  | { readonly kind: "property"; readonly of: WrittenType; readonly name: string }
  /** An item of a list, or a value of a map. */
  | { readonly kind: "element"; readonly of: WrittenType };

/** The fields that an expression writes or reads; what is computed elsewhere is left out. */
export type WrittenValue =
  | { readonly kind: "fields"; readonly fields: readonly WrittenField[] }
  | { readonly kind: "elements"; readonly elements: readonly WrittenValue[] }
  /** One of several, such as the branches of a condition. */
  | { readonly kind: "either"; readonly values: readonly WrittenValue[] };

/** A field of a {@link WrittenValue}. */
export interface WrittenField {
  readonly name: string;
  readonly location: SourceLocation;
  readonly value: WrittenValue | undefined;
}

/** A value whose type is known. */
export interface TypedValue {
  readonly type: WrittenType;
  readonly value: WrittenValue;
}

/** A place that names a built-in type: an import, or an object with `apiVersion` and `kind`. */
export interface NamedType {
  readonly type: Extract<WrittenType, { readonly kind: "named" | "stated" }>;
  readonly location: SourceLocation;
}

/** What a source uses of the built-in API. */
export interface BuiltInUses {
  readonly types: readonly NamedType[];
  readonly values: readonly TypedValue[];
}
