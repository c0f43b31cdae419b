import type { Artifact, GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import type { JsonSchema } from "../crd/model/schema-node.ts";
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
  const artifacts = input.model.packages.flatMap((each) => artifactOf(each, { input, lookup }));
  return { artifacts, diagnostics: lookup.diagnostics() };
}

interface Surroundings {
  readonly input: GeneratorInput;
  readonly lookup: TypeLookup;
}

function artifactOf(source: PackageModel, { input, lookup }: Surroundings): readonly Artifact[] {
  const { directory } = source;
  const types = selectTypes(source, { ...input, lookup })
    .map((each) => ({ ...each, ...lookup.factsOf(each.declaration, each.isKind) }))
    .filter(({ isStructured }) => isStructured)
    .map((each): TypeSchema => ({
      ...each,
      schema: () => lookup.schemaOf(each.declaration, each.isKind),
      parts: new Set(reachInModel(input.model, each.declaration.id).declarations.keys()),
    }));
  if (types.length === 0) return [];
  const structs = structsOf({ input, lookup });
  const { header, memoize } = input;
  const contentIn = (folder: string): string => printSchemaFile({ header, types, structs, directory: folder, memoize });
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
