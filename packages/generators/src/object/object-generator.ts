import type { Artifact, GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import { nameConflicts } from "../contract/name-conflicts.ts";
import type { JsonSchema } from "../crd/model/schema-node.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { reachInModel } from "../loader/reach-names.ts";
import type { PackageModel } from "../loader/type-model.ts";
import { printSchemaFile, type TypeSchema } from "./print-schema-file.ts";
import { selectTypes } from "./select-types.ts";
import { createTypeLookup, type TypeLookup } from "./type-facts.ts";

/** The file of a package that this generator writes; sources of this name are never read. */
const FILE = "zz_generated.schema.ts";

/** Is the generator `object`: for every package a file with the schemas of its types, for unit tests and webhooks. */
export function objectGenerator(input: GeneratorInput): GeneratorOutput {
  const lookup = createTypeLookup(input);
  const selected = input.model.packages.map((source) => ({ source, types: typesOf(source, { input, lookup }) }));
  const artifacts = selected.flatMap(({ source, types }) => artifactOf(source, types, { input, lookup }));
  return { artifacts, diagnostics: [...lookup.diagnostics(), ...selected.flatMap(({ types }) => conflictsOf(types))] };
}

interface Surroundings {
  readonly input: GeneratorInput;
  readonly lookup: TypeLookup;
}

function typesOf(source: PackageModel, { input, lookup }: Surroundings): readonly TypeSchema[] {
  return selectTypes(source, { ...input, lookup })
    .map((each) => ({ ...each, ...lookup.factsOf(each.declaration, each.isKind) }))
    .filter(({ isStructured }) => isStructured)
    .map((each): TypeSchema => ({
      ...each,
      schema: () => lookup.schemaOf(each.declaration, each.isKind),
      parts: new Set(reachInModel(input.model, each.declaration.id).declarations.keys()),
    }));
}

const OWN_IMPORTS = ["defineSchema", "Schema", "validateRules", "structSchema"];

function conflictsOf(types: readonly TypeSchema[]): readonly Diagnostic[] {
  const outputs = types.map(({ declaration }) => ({
    declaration,
    names: [declaration.name, `${declaration.name}Schema`],
  }));
  const hint = "rename one of the types, or put +kubebuilder:object:generate=false above the one that needs no schema";
  return nameConflicts({ file: FILE, hint }, outputs, OWN_IMPORTS);
}

function artifactOf(
  { directory }: PackageModel,
  types: readonly TypeSchema[],
  { input, lookup }: Surroundings,
): readonly Artifact[] {
  if (types.length === 0) return [];
  const structs = structsOf({ input, lookup });
  const { header, memoize, kubernetesVersion } = input;
  const contentIn = (folder: string): string =>
    printSchemaFile({ header, types, structs, directory: folder, memoize, kubernetesVersion });
  return [{ kind: "code", directory, name: FILE, content: contentIn(directory), contentIn }];
}

// The structs of the Kubernetes API that the types use by name.
function structsOf({ input, lookup }: Surroundings): ReadonlyMap<string, JsonSchema> {
  const names = [...lookup.used()]
    .filter((key) => key.startsWith(API))
    .map((key) => key.slice(API.length).replace("#", "."))
    .toSorted();
  const structs = names.flatMap((name): readonly (readonly [string, JsonSchema])[] => {
    const schema = input.structSchema(name);
    return schema === undefined ? [] : [[name, schema]];
  });
  return new Map(structs);
}

const API = "@kubescaffold/k8s/";
