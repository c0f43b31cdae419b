/** Documentation and markers of a declaration or a property, before they are written in either language. */
export interface Comment {
  readonly doc: readonly string[];
  readonly markers: readonly string[];
  readonly layout: CommentLayout;
}

/**
 * Where the markers stand: in the text's own block before, after or between its lines, in their own lines that touch
 * the text, or in a group of lines that an empty line separates from it.
 */
export type CommentLayout = "after text" | "before text" | "between" | "lines after" | "lines before" | "detached";

/** A type as both languages can write it. */
export type TypeExpression =
  | { readonly kind: "basic"; readonly name: BasicName }
  | { readonly kind: "list"; readonly items: TypeExpression }
  | { readonly kind: "map"; readonly values: TypeExpression; readonly keys?: string }
  /** A declaration of the same folder, or of another one. */
  | { readonly kind: "reference"; readonly name: string; readonly folder?: string }
  /** A type of Kubernetes, by its name in `LIBRARY_TYPES`. */
  | { readonly kind: "library"; readonly name: string };

export type BasicName = "string" | "boolean" | "integer" | "int32" | "int64" | "float32" | "float64" | "bytes";

/** A property of an object. */
export interface Field {
  readonly name: string;
  readonly type: TypeExpression;
  readonly isOptional: boolean;
  /** Whether Go points to the value, which TypeScript has no word for. */
  readonly isPointer: boolean;
  readonly comment: Comment;
}

/** An object by its name, of the same folder unless another one is named. */
export interface Embed {
  readonly name: string;
  readonly folder?: string;
}

export type Declaration =
  | {
      readonly kind: "object";
      readonly name: string;
      readonly isKind: boolean;
      readonly comment: Comment;
      /** Objects whose properties it takes over. */
      readonly embeds: readonly Embed[];
      readonly fields: readonly Field[];
    }
  | { readonly kind: "named"; readonly name: string; readonly comment: Comment; readonly type: TypeExpression }
  /** Constants in Go, a union of literals or an enum in TypeScript. */
  | { readonly kind: "enum"; readonly name: string; readonly comment: Comment; readonly values: readonly string[] };

/** A folder of sources, one version of its kinds. */
export interface VersionFolder {
  readonly folder: string;
  readonly markers: readonly string[];
  /** Whether the markers of the package are behind everything else. */
  readonly areMarkersLast?: boolean;
  readonly declarations: readonly Declaration[];
}

/** A file that holds nothing but markers, in groups that empty lines separate. */
export interface MarkerFile {
  /** The path without its ending. */
  readonly path: string;
  readonly groups: readonly (readonly string[])[];
}

/** Sources with kinds, and the arguments of a run. */
export interface CrdPackage {
  readonly kind: "crd";
  readonly seed: number;
  readonly options: readonly string[];
  readonly folders: readonly VersionFolder[];
}

/** Sources with permissions or webhooks, and the arguments of a run. */
export interface MarkerPackage {
  readonly kind: "rbac" | "webhook";
  readonly seed: number;
  readonly options: readonly string[];
  readonly files: readonly MarkerFile[];
}

/** Sources and arguments for one run of both programs. */
export type Package = CrdPackage | MarkerPackage;

/** How both languages name a type of Kubernetes, and what its schema is like. */
export interface LibraryType {
  readonly name: string;
  readonly go: { readonly path: string; readonly alias: string; readonly name?: string };
  readonly module: string;
  readonly shape: Shape;
}

/** What kind of value a schema describes, as far as markers ask. */
export type Shape =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "bytes"
  | "list"
  | "map"
  | "object"
  | "int or string"
  | "anything";
