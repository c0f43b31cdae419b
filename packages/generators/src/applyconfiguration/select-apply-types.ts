import type { SchemaContext } from "../crd/schema-context.ts";
import { schemaOfDeclaration } from "../crd/type-to-schema.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Declaration, PackageModel, TypeModel } from "../loader/type-model.ts";
import type { MarkedModel, MarkerUse } from "../markers/read-markers.ts";

/** A type that gets a configuration. */
export interface ApplyRoot {
  readonly declaration: Declaration;
  readonly isKind: boolean;
  /** Where the objects of a kind live. */
  readonly scope: "Namespaced" | "Cluster";
}

/** What was chosen of a package, and what is wrong with the choice. */
export interface ApplySelection {
  /** Sorted by name. */
  readonly types: readonly ApplyRoot[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The API group and version of a package. */
export interface ApplyGroup {
  readonly group: string;
  readonly version: string;
}

interface SelectOptions {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
  readonly context: SchemaContext;
}

/**
 * Chooses the types of a package that get a configuration, sorted by name.
 *
 * `+kubebuilder:ac:generate=true` above the package chooses its kinds; above a type it decides for that type, whatever the package says.
 * The types that a chosen one consists of come with it, and are not listed here.
 */
export function selectApplyTypes(source: PackageModel, { model, marked, context }: SelectOptions): ApplySelection {
  const markers = marked.packages.get(source.directory) ?? [];
  if (markers.some(({ name }) => name === "kubebuilder:skip")) return { types: [], diagnostics: [] };
  const isPackageChosen = markers.some((each) => each.name === CHOICE && each.value === true);
  const kinds = new Set(source.kinds);
  const types = source.files
    .flatMap((file) => file.declarations)
    .map((id) => model.declarations.get(id))
    .filter((each) => each !== undefined)
    .filter((each) => each.parameters.length === 0)
    .map((declaration) => rootOf(declaration, kinds, marked))
    .filter(({ declaration, isKind }) => choiceOf(marked.types.get(declaration.id)) ?? (isKind && isPackageChosen))
    // A type that is not exported cannot be imported by the file that is made.
    .filter(
      ({ declaration, isKind }) =>
        isKind || (declaration.exportName !== undefined && isStructure(declaration, context)),
    )
    .toSorted((left, right) => (left.declaration.name < right.declaration.name ? -1 : 1));
  const withoutGroup = textOf(markers, "groupName") === undefined ? types.find(({ isKind }) => isKind) : undefined;
  return withoutGroup === undefined
    ? { types, diagnostics: [] }
    : { types: [], diagnostics: [missingGroup(withoutGroup.declaration)] };
}

/** Returns the API group and version that the kinds of a package have. */
export function groupOf(source: PackageModel, markers: readonly MarkerUse[]): ApplyGroup {
  return { group: textOf(markers, "groupName") ?? "", version: textOf(markers, "versionName") ?? source.name };
}

/** Returns the folder that a package's configurations go to, relative to the package: beside its types unless a marker names another. */
export function outputFolderOf(markers: readonly MarkerUse[]): string {
  return textOf(markers, "kubebuilder:ac:output:package") ?? ".";
}

const CHOICE = "kubebuilder:ac:generate";

function rootOf(declaration: Declaration, kinds: ReadonlySet<string>, marked: MarkedModel): ApplyRoot {
  const value = marked.types.get(declaration.id)?.findLast((each) => each.name === "kubebuilder:resource")?.value;
  const isCluster =
    typeof value === "object" &&
    value !== null &&
    "scope" in value &&
    (value as { readonly scope?: unknown }).scope === "Cluster";
  return { declaration, isKind: kinds.has(declaration.id), scope: isCluster ? "Cluster" : "Namespaced" };
}

// Undefined where the type leaves the choice to its package.
function choiceOf(markers: readonly MarkerUse[] | undefined): boolean | undefined {
  const value = markers?.findLast((each) => each.name === CHOICE)?.value;
  return typeof value === "boolean" ? value : undefined;
}

function isStructure(declaration: Declaration, context: SchemaContext): boolean {
  return schemaOfDeclaration(declaration, context).type === "object";
}

function textOf(markers: readonly MarkerUse[], name: string): string | undefined {
  const value = markers.find((each) => each.name === name)?.value;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function missingGroup({ name, location: { file, line, column, length } }: Declaration): Diagnostic {
  return {
    severity: "error",
    code: "GENERATE_APPLY_NO_GROUP",
    message: `${name} is marked for an apply configuration, but its package has no group`,
    hint: "put `// +groupName=example.com` at the top of groupversion_info.ts",
    file,
    line,
    column,
    length,
  };
}
