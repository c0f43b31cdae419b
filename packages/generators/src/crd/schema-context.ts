import type { DiagnosticCode } from "../diagnostics/codes.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import {
  nameKey,
  type Declaration,
  type NameTarget,
  type ReferenceExpression,
  type SourceLocation,
  type TypeExpression,
  type TypeModel,
} from "../loader/type-model.ts";
import type { MarkedModel } from "../markers/read-markers.ts";
import type { StructLookup } from "./model/known-schemas.ts";
import type { SchemaNode } from "./model/schema-node.ts";

/** What schemas are made from. */
export interface SchemaSource {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
  readonly allowDangerousTypes: boolean;
  readonly generateEmbeddedObjectMeta: boolean;
  readonly structSchema: StructLookup;
  /** The minor version of Kubernetes whose structs these are. Default: that of the types of `@kubescaffold/k8s`. */
  readonly kubernetesVersion?: string;
}

/** A type argument together with the scope in which its names count. */
interface BoundType {
  readonly type: TypeExpression;
  readonly scope: Scope;
}

/** What the parameters of a generic type stand for. */
export interface Scope {
  /** Tells instances of one generic type apart. */
  readonly key: string;
  readonly bindings: ReadonlyMap<string, BoundType>;
}

export const GLOBAL_SCOPE: Scope = { key: "", bindings: new Map() };

/** A finding about a type, before it becomes a diagnostic. */
export interface TypeFinding {
  readonly severity?: "error" | "warning";
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
  readonly location: SourceLocation;
}

/** What the use of a name means where it stands. */
export type ReferenceMeaning =
  | { readonly kind: "bound"; readonly bound: BoundType }
  | { readonly kind: "named"; readonly declaration: Declaration; readonly scope: Scope }
  | Exclude<NameTarget, { readonly kind: "declaration" }>;

/** Holds what is known while the schemas of one run are made. */
export class SchemaContext {
  readonly source: SchemaSource;
  /** Makes the schema of a type; the parts of the generator call one another through it. */
  readonly nodeOf: (type: TypeExpression, scope: Scope) => SchemaNode;
  /** Finished schemas of named types, by key. */
  readonly named: Map<string, SchemaNode> = new Map();
  /** The keys of the named types that are being made, outermost first. */
  readonly active: { readonly key: string; readonly id: string }[] = [];
  /** The ids of generic types that were found to grow without end. */
  readonly endless: Set<string> = new Set();
  readonly diagnostics: Diagnostic[] = [];
  /** The keys of the named types that the type of a key uses by name. */
  readonly #uses = new Map<string, Set<string>>();
  readonly #optionalFiles: ReadonlySet<string>;
  readonly #kinds: ReadonlySet<string>;

  constructor(
    source: SchemaSource,
    makeNode: (type: TypeExpression, scope: Scope, context: SchemaContext) => SchemaNode,
  ) {
    this.source = source;
    this.nodeOf = (type, scope) => makeNode(type, scope, this);
    this.#optionalFiles = filesOfOptionalPackages(source);
    this.#kinds = new Set(source.model.packages.flatMap((each) => each.kinds));
  }

  /** Says what a name means in a scope. */
  meaningOf(reference: ReferenceExpression, scope: Scope): ReferenceMeaning {
    const bound = scope.bindings.get(reference.name);
    if (bound !== undefined) return { kind: "bound", bound };
    const target = this.source.model.names.get(nameKey(reference.file, reference.name));
    if (target === undefined) return { kind: "missing", reason: `no such type: ${reference.name}` };
    if (target.kind !== "declaration") return target;
    const declaration = this.source.model.declarations.get(target.id);
    if (declaration === undefined) return { kind: "missing", reason: `no such type: ${reference.name}` };
    return { kind: "named", declaration, scope: bindArguments(declaration, reference, scope) };
  }

  /** Returns what a constant or enum behind `typeof` is. */
  valueOf(file: string, name: string): NameTarget | undefined {
    return this.source.model.names.get(nameKey(file, `typeof ${name}`));
  }

  isKind(id: string): boolean {
    return this.#kinds.has(id);
  }

  /** Notes that the type that is being made uses a named one. */
  noteUse(key: string): void {
    const user = this.active.at(-1)?.key;
    if (user === undefined) return;
    const uses = this.#uses.get(user) ?? new Set();
    this.#uses.set(user, uses.add(key));
  }

  /** Returns the keys of all named types that a finished one consists of, its own among them. */
  usedBy(key: string): ReadonlySet<string> {
    const found = new Set([key]);
    // A set gives what is added to it on the way, too.
    for (const each of found) for (const used of this.#uses.get(each) ?? []) found.add(used);
    return found;
  }

  /** Reports whether properties of a file are optional unless a marker says otherwise. */
  isOptionalByDefault(file: string): boolean {
    return this.#optionalFiles.has(file);
  }

  report({ severity = "error", code, message, hint, location }: TypeFinding): void {
    const { file, line, column, length } = location;
    this.diagnostics.push({ severity, code, message, hint, file, line, column, length });
  }
}

function bindArguments(declaration: Declaration, reference: ReferenceExpression, scope: Scope): Scope {
  if (declaration.parameters.length === 0) return GLOBAL_SCOPE;
  const bindings = new Map<string, BoundType>();
  const keys: string[] = [];
  const inner: Scope = { key: "", bindings };
  for (const [index, parameter] of declaration.parameters.entries()) {
    const given = reference.arguments[index];
    const bound =
      given === undefined
        ? parameter.default === undefined
          ? undefined
          : { type: parameter.default, scope: inner }
        : follow({ type: given, scope });
    if (bound === undefined) continue;
    bindings.set(parameter.name, bound);
    const { file, line, column } = bound.type.location;
    keys.push(`${file}:${line}:${column}${bound.scope === inner ? "" : bound.scope.key}`);
  }
  return { key: `<${keys.join(",")}>`, bindings };
}

// An argument that is itself a parameter stands for what that stands for.
function follow(bound: BoundType): BoundType {
  if (bound.type.kind !== "reference") return bound;
  const outer = bound.scope.bindings.get(bound.type.name);
  return outer === undefined ? bound : follow(outer);
}

function filesOfOptionalPackages({ model, marked }: SchemaSource): ReadonlySet<string> {
  const packages = model.packages.filter((each) =>
    (marked.packages.get(each.directory) ?? []).some((marker) => marker.name === "kubebuilder:validation:Optional"),
  );
  return new Set([...model.optionalFiles, ...packages.flatMap((each) => each.files.map((file) => file.path))]);
}
