import type { Declaration, PackageModel, TypeModel } from "../loader/type-model.ts";
import type { MarkedModel, MarkerUse } from "../markers/read-markers.ts";
import type { TypeLookup } from "./type-facts.ts";

/** A type that gets a schema. */
export interface SelectedType {
  readonly declaration: Declaration;
  readonly isKind: boolean;
  /** Where the objects of a kind live. */
  readonly scope: "Namespaced" | "Cluster";
}

/** What choosing needs besides the package. */
export interface SelectOptions {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
  readonly lookup: TypeLookup;
}

/**
 * Chooses the types of a package that get a schema, sorted by name.
 *
 * `+kubebuilder:object:generate` above the package chooses its kinds and the exported types they consist of; above a type it decides for that
 * type, used or not. `+kubebuilder:object:root=true` chooses a type of a package that is not chosen. The older `k8s:deepcopy-gen` count alike.
 */
export function selectTypes(source: PackageModel, options: SelectOptions): readonly SelectedType[] {
  const { model, marked, lookup } = options;
  const isPackageChosen = choiceOfPackage(marked.packages.get(source.directory) ?? []);
  const chosen = source.files
    .flatMap((file) => file.declarations)
    .map((id) => model.declarations.get(id))
    .filter((each) => each !== undefined)
    .filter((each) => each.exportName !== undefined && each.parameters.length === 0)
    .map((declaration) => ({ declaration, choice: choiceOfType(marked.types.get(declaration.id) ?? []) }))
    .filter(({ choice }) => choice ?? isPackageChosen);
  const kinds = new Set(source.kinds);
  // Only making the schemas of the kinds shows which types they consist of.
  for (const { declaration } of chosen) if (kinds.has(declaration.id)) lookup.use(declaration);
  const used = lookup.used();
  return chosen
    .filter(({ declaration: { id }, choice }) => choice === true || kinds.has(id) || used.has(id))
    .map(({ declaration }) => ({
      declaration,
      isKind: kinds.has(declaration.id),
      scope: scopeOf(marked.types.get(declaration.id) ?? []),
    }))
    .toSorted((left, right) => (left.declaration.name < right.declaration.name ? -1 : 1));
}

function choiceOfPackage(markers: readonly MarkerUse[]): boolean {
  const own = markers.find((each) => each.name === "kubebuilder:object:generate");
  if (own !== undefined) return own.value === true;
  const older = markers.find((each) => each.name === "k8s:deepcopy-gen");
  return typeof older?.value === "string" && older.value.split(",")[0] === "package";
}

// Undefined where the type leaves the choice to its package.
function choiceOfType(markers: readonly MarkerUse[]): boolean | undefined {
  const own = markers.find((each) => each.name === "kubebuilder:object:generate");
  if (own !== undefined) return own.value === true;
  const older = markers.find((each) => each.name === "k8s:deepcopy-gen");
  if (older !== undefined) return older.value === "true";
  return isRoot(markers) ? true : undefined;
}

function isRoot(markers: readonly MarkerUse[]): boolean {
  const own = markers.find((each) => each.name === "kubebuilder:object:root");
  if (own !== undefined) return own.value === true;
  return markers.some(
    (each) => each.name === "k8s:deepcopy-gen:interfaces" && each.value === "k8s.io/apimachinery/pkg/runtime.Object",
  );
}

// As the CRD has it: the last marker wins, and a scope that is omitted is the default.
function scopeOf(markers: readonly MarkerUse[]): SelectedType["scope"] {
  const value = markers.findLast((each) => each.name === "kubebuilder:resource")?.value;
  const isCluster =
    typeof value === "object" &&
    value !== null &&
    "scope" in value &&
    (value as { readonly scope?: unknown }).scope === "Cluster";
  return isCluster ? "Cluster" : "Namespaced";
}
