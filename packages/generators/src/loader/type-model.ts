/** Where something is in a source; line and column count from 1. */
export interface SourceLocation {
  /** A path relative to the root of the run, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The location of a node without one. */
export const NO_LOCATION: SourceLocation = { file: "", line: 0, column: 0, length: 0 };

/** A comment line that begins with `+`, as it stands. */
export interface MarkerComment {
  /** From the `+` to the end of the line, without blanks at the end. */
  readonly text: string;
  /** Whether no empty line separates its comment from what is below. */
  readonly isAdjacent: boolean;
  readonly location: SourceLocation;
}

/** What the comments above a declaration or property say. */
export interface NodeComments {
  /** The text of the JSDoc block directly above, by upstream's rules for descriptions; empty when there is none. */
  readonly description: string;
  /** Marker lines of the block directly above and of the closest group of comments before it, in source order. */
  readonly markers: readonly MarkerComment[];
}

/** A type as it is written; names are looked up in {@link TypeModel.names}. */
export type TypeExpression =
  | { readonly kind: "keyword"; readonly name: string; readonly location: SourceLocation }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null; readonly location: SourceLocation }
  | { readonly kind: "template"; readonly parts: readonly TemplatePart[]; readonly location: SourceLocation }
  | { readonly kind: "array"; readonly items: TypeExpression; readonly location: SourceLocation }
  | ObjectExpression
  | ReferenceExpression
  | { readonly kind: "union"; readonly members: readonly TypeExpression[]; readonly location: SourceLocation }
  | { readonly kind: "intersection"; readonly members: readonly TypeExpression[]; readonly location: SourceLocation }
  | {
      readonly kind: "indexed access";
      readonly object: TypeExpression;
      readonly index: TypeExpression;
      readonly location: SourceLocation;
    }
  | { readonly kind: "keyof"; readonly type: TypeExpression; readonly location: SourceLocation }
  | MappedExpression
  /** `typeof name` of a constant. */
  | { readonly kind: "typeof"; readonly file: string; readonly name: string; readonly location: SourceLocation }
  /** A form of type that has no schema; `description` says what it is. */
  | { readonly kind: "unsupported"; readonly description: string; readonly location: SourceLocation };

/** A piece of a template literal type: text, or a type that stands for text. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "type"; readonly type: TypeExpression };

/** An object written out: properties, what it extends, and the type of further properties. */
export interface ObjectExpression {
  readonly kind: "object";
  readonly extends: readonly TypeExpression[];
  readonly properties: readonly Property[];
  readonly indexSignature?: { readonly key: TypeExpression; readonly value: TypeExpression };
  readonly location: SourceLocation;
}

/** `{ [K in Keys]: Value }`. */
export interface MappedExpression {
  readonly kind: "mapped";
  /** The name that stands for each key in the value. */
  readonly parameter: string;
  readonly keys: TypeExpression;
  /** Undefined when no type is written. */
  readonly value: TypeExpression | undefined;
  /** What the mapping makes of the presence of each property. */
  readonly presence: "kept" | "optional" | "required";
  readonly location: SourceLocation;
}

/** The use of a name, with its type arguments. */
export interface ReferenceExpression {
  readonly kind: "reference";
  /** The file whose scope the name belongs to. */
  readonly file: string;
  readonly name: string;
  readonly arguments: readonly TypeExpression[];
  readonly location: SourceLocation;
}

/** A property of an object. */
export interface Property {
  readonly name: string;
  readonly isOptional: boolean;
  /** Undefined when no type is written. */
  readonly type: TypeExpression | undefined;
  readonly comments: NodeComments;
  readonly location: SourceLocation;
}

/** A parameter of a generic type. */
export interface TypeParameter {
  readonly name: string;
  readonly default: TypeExpression | undefined;
}

/** A member of an enum; the value is undefined when it is computed. */
export interface EnumMember {
  readonly name: string;
  readonly value: string | number | undefined;
  readonly location: SourceLocation;
}

/** What a name of a file stands for. */
export interface Declaration {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  /** The name under which its file exports it, its own if it can be; undefined when it is not exported. */
  readonly exportName: string | undefined;
  readonly parameters: readonly TypeParameter[];
  readonly comments: NodeComments;
  /** Where the name stands. */
  readonly location: SourceLocation;
  readonly shape:
    | { readonly kind: "type"; readonly form: "interface" | "class" | "alias"; readonly type: TypeExpression }
    | { readonly kind: "enum"; readonly members: readonly EnumMember[] };
}

/** Prints the name of a declaration for the braces of an import: `Widget`, `default as Widget`. */
export function importedName({ name, exportName = name }: Declaration): string {
  return exportName === name ? name : `${exportName} as ${name}`;
}

/** The value of a constant that is declared `as const`. */
export type ConstantValue =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "list"; readonly items: readonly ConstantValue[] }
  | { readonly kind: "record"; readonly entries: readonly (readonly [name: string, value: ConstantValue])[] }
  | { readonly kind: "other" };

/** What a name that is used in a file resolves to. */
export type NameTarget =
  | { readonly kind: "declaration"; readonly id: string }
  | { readonly kind: "enum member"; readonly id: string; readonly member: string }
  /** A type of `@kubescaffold/k8s`; `module` is its specifier. */
  | { readonly kind: "built-in"; readonly module: string; readonly name: string }
  /** A type of the language, such as `Record`. */
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "constant"; readonly value: ConstantValue }
  | { readonly kind: "missing"; readonly reason: string };

/** One source of a package. */
export interface FileModel {
  readonly path: string;
  /** Whether the paths of the run name this file; others of the same folder only say the group and version. */
  readonly isRoot: boolean;
  /** Marker lines that are above no type and no property. */
  readonly markers: readonly MarkerComment[];
  /** Marker lines that nothing can own, such as those behind the last property of a type. */
  readonly strayMarkers: readonly MarkerComment[];
  /** The ids of its declarations in source order. */
  readonly declarations: readonly string[];
}

/** A folder of sources. */
export interface PackageModel {
  readonly directory: string;
  /** The name of the folder, from which the API version comes. */
  readonly name: string;
  readonly files: readonly FileModel[];
  /** The ids of the declarations that are Kubernetes objects, in source order. */
  readonly kinds: readonly string[];
}

/** Sources as plain data: what generators work on. */
export interface TypeModel {
  readonly packages: readonly PackageModel[];
  /** Every declaration of the packages, and those of other files that kinds reach. */
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** What the names that kinds reach resolve to, by {@link nameKey}. */
  readonly names: ReadonlyMap<string, NameTarget>;
  /** Sources outside the packages in whose own package properties are optional unless a marker says otherwise. */
  readonly optionalFiles: ReadonlySet<string>;
  /** The hash of the text of every source that was read, by path. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** Returns the key of a name in {@link TypeModel.names}. */
export function nameKey(file: string, name: string): string {
  return `${file}#${name}`;
}
