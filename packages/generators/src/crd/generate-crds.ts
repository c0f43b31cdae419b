import { printYaml } from "@kubescaffold/k8s/yaml";

import type { CrdNames, GeneratedCrd, GeneratorOptions } from "../contract/generator.ts";
import type { MemoizePart } from "../contract/memoize-parts.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { NO_LOCATION, type Declaration, type PackageModel, type TypeModel } from "../loader/type-model.ts";
import type { MarkedModel, MarkerUse } from "../markers/read-markers.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import { TOOL_VERSION } from "../output/tool-version.ts";
import { flattenSchema } from "./flatten.ts";
import { type CrdDraft, type CrdFinding, createCrdDraft, type KindVersion, printableCrd } from "./model/crd-object.ts";
import { type StructLookup, TYPE_META_PROPERTIES } from "./model/known-schemas.ts";
import { type SchemaNode, toJsonSchema } from "./model/schema-node.ts";
import { applyOverrides, hasOverrides } from "./override-schema.ts";
import type { SchemaContext } from "./schema-context.ts";
import { placeRules } from "./tags/ratchet-rules.ts";
import { truncateDescriptions } from "./truncate-descriptions.ts";
import { createSchemaContext, schemaOfDeclaration } from "./type-to-schema.ts";

/** The options of the generator, by upstream's names. */
interface CrdOptions {
  readonly allowDangerousTypes: boolean;
  readonly generateEmbeddedObjectMeta: boolean;
  readonly maxDescLen: number | undefined;
  readonly omitToolVersion: boolean;
  readonly preserveUnknownFields: boolean | undefined;
  /** The header of the generated file. */
  readonly header: string;
}

/** What CRDs are made from. */
interface CrdSource {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
  readonly structSchema: StructLookup;
  readonly kubernetesVersion: string;
  /** The options as they were given, those of the checks among them. */
  readonly options: GeneratorOptions;
  readonly memoize: MemoizePart;
}

/** A manifest and its name within the folder of the generator's output. */
interface Manifest {
  readonly name: string;
  readonly content: string;
}

/** The manifests of a generator, and what is wrong with its sources. */
export interface ManifestResult {
  readonly manifests: readonly Manifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The manifests of CRDs, with what those that were regenerated were made from, and the names of the others. */
interface CrdResult extends ManifestResult {
  readonly crds: readonly GeneratedCrd[];
  readonly cachedCrds: readonly CrdNames[];
}

/** A CRD as it is written, and the names that it takes. */
interface PrintedCrd extends CrdNames {
  readonly yaml: string;
}

/** Makes the CustomResourceDefinitions of all kinds of a model, one file each, in the order of their names. */
export function generateCrds(source: CrdSource, options: CrdOptions): CrdResult {
  const context = createSchemaContext({ ...source, ...options });
  const diagnostics: Diagnostic[] = [];
  const report = (finding: CrdFinding): void =>
    void diagnostics.push({ severity: "error", ...finding, ...finding.location });
  const kinds = groupKinds(source, (finding) =>
    diagnostics.push({ severity: "warning", ...finding, ...finding.location }),
  );
  const crds: GeneratedCrd[] = [];
  const fresh = new Set<PrintedCrd>();
  const printed = kinds.flatMap((each) => {
    const ids = each.declarations.map(({ declaration }) => declaration.id);
    return source.memoize({ maker: "crd", ids, more: source.options }, (): readonly PrintedCrd[] => {
      const crd = makeCrd(each, { context, source, options, report });
      if (crd === undefined) return [];
      crds.push(crd);
      const own = printedCrd(crd);
      fresh.add(own);
      return [own];
    });
  });
  const manifests = printed.map(({ group, plural, yaml }) => ({
    name: `${group}_${plural}.yaml`,
    content: options.header + yaml,
  }));
  return {
    manifests,
    crds,
    cachedCrds: printed.filter((each) => !fresh.has(each)),
    diagnostics: [...context.diagnostics, ...diagnostics].map(withoutLocation),
  };
}

/** A declaration of a kind, and the version that it declares. */
interface VersionedDeclaration {
  readonly version: string;
  readonly declaration: Declaration;
}

/** A kind with its declarations in all versions. */
interface GroupedKind {
  readonly group: string;
  readonly kind: string;
  readonly declarations: readonly VersionedDeclaration[];
}

/** Groups the declarations of a model's kinds, sorted by kind and group; `warn` is notified of kinds that belong to no group. */
export function groupKinds({ model, marked }: CrdSource, warn: (finding: CrdFinding) => void): readonly GroupedKind[] {
  const grouped = new Map<
    string,
    { readonly group: string; readonly kind: string; readonly declarations: VersionedDeclaration[] }
  >();
  for (const source of model.packages) {
    const markers = marked.packages.get(source.directory) ?? [];
    if (markers.some((marker) => marker.name === "kubebuilder:skip")) continue;
    for (const declaration of declarationsOf(source, model)) {
      const group = textOf(markers, "groupName");
      if (group === undefined) {
        warn(withoutGroup(declaration));
        continue;
      }
      const { name: kind } = declaration;
      const key = `${kind}.${group}`;
      const known = grouped.get(key) ?? { group, kind, declarations: [] };
      known.declarations.push({ version: textOf(markers, "versionName") ?? source.name, declaration });
      grouped.set(key, known);
    }
  }
  return [...grouped].toSorted(([left], [right]) => compareBytes(left, right)).map(([, kind]) => kind);
}

function declarationsOf(source: PackageModel, model: TypeModel): readonly Declaration[] {
  return source.kinds.map((id) => model.declarations.get(id)).filter((declaration) => declaration !== undefined);
}

function textOf(markers: readonly MarkerUse[], name: string): string | undefined {
  const marker = markers.find((each) => each.name === name);
  return typeof marker?.value === "string" ? marker.value : undefined;
}

function withoutGroup({ name, location }: Declaration): CrdFinding {
  return {
    code: "GENERATE_NO_GROUP",
    message: `${name} is a Kubernetes object, but its package has no group, so it gets no CRD`,
    hint: "put `// +groupName=example.com` at the top of groupversion_info.ts, or `// +kubebuilder:skip` if the package has no kinds",
    location,
  };
}

interface VersionSurroundings {
  readonly context: SchemaContext;
  readonly source: CrdSource;
  readonly options: CrdOptions;
}

interface CrdSurroundings extends VersionSurroundings {
  readonly report: (finding: CrdFinding) => void;
}

// Undefined when no version is left.
function makeCrd({ group, kind, declarations }: GroupedKind, surroundings: CrdSurroundings): GeneratedCrd | undefined {
  const { options, report } = surroundings;
  const versions = declarations.map((each) => versionOf(each, surroundings));
  const draft = createCrdDraft({ group, kind, versions, report });
  if (draft === undefined) return undefined;
  const schemas = new Map(versions.map(({ version, node }) => [version, node]));
  return { draft, schemas, yaml: printDraft(draft, options) };
}

function printedCrd(crd: GeneratedCrd): PrintedCrd {
  return { ...crdNames(crd), yaml: crd.yaml };
}

/** Returns the names of a CRD and the position of its kind: that of its storage version when there are several. */
export function crdNames({ draft, schemas }: GeneratedCrd): CrdNames {
  const { group, kind, plural, singular, shortNames, versions } = draft;
  const stored = versions.find(({ storage }) => storage) ?? versions[0];
  const location = schemas.get(stored?.name ?? "")?.origin ?? NO_LOCATION;
  return { group, kind, plural, singular, shortNames, location };
}

function versionOf(
  { version, declaration }: VersionedDeclaration,
  { context, source, options }: VersionSurroundings,
): KindVersion & { readonly node: SchemaNode } {
  const node = finishedSchema(declaration, { context, marked: source.marked, maxDescLen: options.maxDescLen });
  return {
    version,
    node,
    schema: toJsonSchema(node),
    markers: source.marked.types.get(declaration.id) ?? [],
    location: declaration.location,
  };
}

/** What a finished schema depends on besides its declaration. */
interface FinishedSchemaOptions {
  readonly context: SchemaContext;
  readonly marked: MarkedModel;
  readonly maxDescLen?: number | undefined;
  /** Whether the type is a kind, which it is unless this says no. */
  readonly isKind?: boolean;
}

/** Returns the schema of a declared type as a CRD has it: without references, with the texts that are wanted. */
export function finishedSchema(
  declaration: Declaration,
  { context, marked, maxDescLen, isKind = true }: FinishedSchemaOptions,
): SchemaNode {
  const flat = flattenSchema(schemaOfDeclaration(declaration, context), {
    schemaOf: (reference) => context.named.get(reference) ?? {},
    reportConflict: ({ types, origin }) =>
      context.report({
        code: "GENERATE_TYPE_CONFLICT",
        message: `the schema would have the types ${types.join(" and ")}`,
        hint: "combine compatible types, or remove +kubebuilder:validation:Type",
        location: origin ?? declaration.location,
      }),
  });
  const placed = placeRules(flat);
  const node = isKind ? fixMetadata(placed) : placed;
  const stated = hasOverrides(marked) ? applyOverrides(node) : node;
  return maxDescLen === undefined ? stated : truncateDescriptions(stated, maxDescLen);
}

// The server has its own schema of metadata; apiVersion and kind have the API's texts unless the source says another.
function fixMetadata(node: SchemaNode): SchemaNode {
  const { apiVersion, kind, metadata } = node.properties ?? {};
  const fixed: Record<string, SchemaNode> = { ...node.properties };
  if (apiVersion !== undefined) fixed["apiVersion"] = { ...TYPE_META_PROPERTIES.apiVersion, ...apiVersion };
  if (kind !== undefined) fixed["kind"] = { ...TYPE_META_PROPERTIES.kind, ...kind };
  if (metadata !== undefined) fixed["metadata"] = { type: "object" };
  return { ...node, properties: fixed };
}

function printDraft(draft: CrdDraft, options: CrdOptions): string {
  const annotations = options.omitToolVersion ? {} : { "kubescaffold.dev/version": TOOL_VERSION };
  const object = printableCrd(draft, { annotations, preserveUnknownFields: options.preserveUnknownFields });
  return `---\n${printYaml(object)}`;
}

// A diagnostic has the fields of its location, not the location itself.
function withoutLocation(diagnostic: Diagnostic & { readonly location?: unknown }): Diagnostic {
  const { location: _location, ...rest } = diagnostic;
  return rest;
}
