import type { PackageModel } from "../../loader/type-model.ts";
import { finishedSchema } from "../crd/generate-crds.ts";
import type { SchemaContext } from "../crd/schema-context.ts";
import { toJsonSchema, type JsonSchema } from "../crd/schema-node.ts";
import { createSchemaContext } from "../crd/type-to-schema.ts";
import type { Artifact, GeneratorInput, GeneratorOutput } from "../generator.ts";
import { printSchemaFile, type TypeSchema } from "./print-schema-file.ts";
import { selectTypes } from "./select-types.ts";

/** The file of a package that this generator writes; sources of this name are never read. */
const FILE = "zz_generated.schema.ts";

/** Is the generator `object`: for every package a file with the schemas of its types, for unit tests and webhooks. */
export function objectGenerator(input: GeneratorInput): GeneratorOutput {
  // What a type may hold was decided where the CRD was made; this follows whatever that is.
  const context = createSchemaContext({ ...input, allowDangerousTypes: true, generateEmbeddedObjectMeta: false });
  const artifacts = input.model.packages.flatMap((each) => artifactOf(each, { input, context }));
  return { artifacts, diagnostics: context.diagnostics };
}

interface Surroundings {
  readonly input: GeneratorInput;
  readonly context: SchemaContext;
}

function artifactOf(source: PackageModel, { input, context }: Surroundings): readonly Artifact[] {
  const { directory } = source;
  const types = selectTypes(source, { ...input, context })
    .map((each): TypeSchema => ({
      ...each,
      schema: toJsonSchema(finishedSchema(each.declaration, { ...input, context, isKind: each.isKind })),
    }))
    .filter(({ schema }) => isStructured(schema));
  if (types.length === 0) return [];
  const structs = structsOf({ input, context });
  const contentIn = (folder: string): string =>
    printSchemaFile({ header: input.header, types, structs, directory: folder });
  return [{ kind: "code", directory, name: FILE, content: contentIn(directory), contentIn }];
}

// Upstream copies what is more than a single value; what is one has nothing that a schema of its own would serve.
function isStructured({ type, properties, items, additionalProperties }: JsonSchema): boolean {
  return type === "object" || [properties, items, additionalProperties].some((each) => each !== undefined);
}

// The structs of the Kubernetes API that the types use by name.
function structsOf({ input, context }: Surroundings): ReadonlyMap<string, JsonSchema> {
  const names = [...context.named.keys()]
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
