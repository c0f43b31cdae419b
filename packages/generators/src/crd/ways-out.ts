import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceLocation } from "../loader/type-model.ts";
import type { SchemaNode } from "./model/schema-node.ts";
import type { SchemaContext } from "./schema-context.ts";

/** Reports a type that has no schema, with what to write in its place, and returns a schema that says nothing. */
export function unresolved(location: SourceLocation, what: string, context: SchemaContext): SchemaNode {
  const hint =
    WAYS_OUT.get(what) ??
    "use a type that JSON can represent, or +kubebuilder:validation:Schemaless with markers for the schema";
  context.report({ code: "GENERATE_UNSUPPORTED_TYPE", message: `${what} has no schema`, hint, location });
  return { isUnresolved: true };
}

/** What is said of types that are inside one another without end in sight. */
export const TOO_DEEP: Pick<Diagnostic, "code" | "message"> & { readonly hint: string } = {
  code: "GENERATE_TOO_DEEP",
  message: "the types are nested too deeply",
  hint: "use JSONValue of @kubescaffold/k8s for the inner part",
};

/** What to write in place of types that have no schema, by what the message calls them. */
const WAYS_OUT: ReadonlyMap<string, string> = new Map([
  ["the type any", "use a specific type, or JSONValue of @kubescaffold/k8s for any JSON value"],
  ["the type unknown", "use a specific type, or JSONValue of @kubescaffold/k8s for any JSON value"],
  ["the type object", "write Record<string, T>, or RawExtension of @kubescaffold/k8s for any object"],
  ["the type bigint", "write int64 of @kubescaffold/k8s"],
  ["a bigint literal", "write a number"],
  ["the type Date", "write Time of @kubescaffold/k8s/meta/v1"],
  ["the type Map", "write Record<string, T>"],
  ["the type ReadonlyMap", "write Record<string, T>"],
  ["the type Set", "write T[] with +listType=set"],
  ["the type ReadonlySet", "write T[] with +listType=set"],
  ["the type Uint8Array", "write Bytes of @kubescaffold/k8s"],
  ["the type Buffer", "write Bytes of @kubescaffold/k8s"],
  ["the type URL", "write string with +kubebuilder:validation:Format=uri"],
  ["the type RegExp", "write string"],
  ["a tuple", "write T[] with +kubebuilder:validation:MinItems and MaxItems"],
  ["a mapped type over unknown keys", "write Record<string, T>, or the properties one by one"],
  ["a mapped type without a value type", "add the value type"],
  [
    "an indexed access of this form",
    "declare the type of the property or of the items with a name, and use the name in both places",
  ],
  [
    "typeof of a whole value",
    "write (typeof values)[number] for the values of a list, (typeof values)[keyof typeof values] for those of an object",
  ],
  [
    "a type that is computed from a value",
    "declare the type itself: generators read types without running code, and libraries such as zod can check that a value matches a declared type",
  ],
  ["keyof of this type", "write keyof of an interface, or of typeof a constant"],
  ["a mapped type that renames its keys", "write the properties one by one"],
  ["a function", "move it out of the type: API objects contain only data"],
  ["a method", "move it out of the type: API objects contain only data"],
  ["an accessor", "write a plain property"],
  ["a constructor", "move it out of the type: API objects contain only data"],
  ["a computed name", "write the name of the property as in JSON"],
  ["the type Promise", "use the resolved type: API objects contain only data"],
]);
