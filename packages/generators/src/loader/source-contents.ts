import type { ConstantValue, Declaration, MarkerComment, SourceLocation } from "./type-model.ts";

/** A name that a file takes from another; `*` is the whole module. */
export interface ImportedName {
  readonly module: string;
  readonly name: string;
}

/** What one source declares, imports and exports, before any name is looked up. */
export interface SourceContents {
  readonly path: string;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly constants: ReadonlyMap<string, ConstantValue>;
  /** The types that constants declare as kinds with `defineKind`, by name, with the places where the calls name them. */
  readonly definedKinds: ReadonlyMap<string, SourceLocation>;
  readonly imports: ReadonlyMap<string, ImportedName>;
  /** What the file exports by name, `default` included, by exported name; constants only where its own statement exports them. */
  readonly exports: ReadonlyMap<string, { readonly module: string | undefined; readonly name: string }>;
  /** Modules that are exported whole. */
  readonly exportedModules: readonly string[];
  readonly markers: readonly MarkerComment[];
  readonly strayMarkers: readonly MarkerComment[];
}
