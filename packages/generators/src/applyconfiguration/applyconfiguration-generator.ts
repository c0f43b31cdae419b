import path from "node:path";

import type { Artifact, GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import { nameConflicts } from "../contract/name-conflicts.ts";
import type { SchemaContext } from "../crd/schema-context.ts";
import { createSchemaContext } from "../crd/type-to-schema.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { PackageModel } from "../loader/type-model.ts";
import { ApplyShapes } from "./apply-shapes.ts";
import { namesIn, OWN_IMPORTS, printApplyFile } from "./print-apply-file.ts";
import { groupOf, outputFolderOf, selectApplyTypes, type ApplySelection } from "./select-apply-types.ts";

/** The file of a package that this generator writes; sources of this name are never read. */
const FILE = "zz_generated.apply.ts";

/** Is the generator `applyconfiguration`: for every package that asks for it a file with what server-side apply takes for its kinds. */
export function applyconfigurationGenerator(input: GeneratorInput): GeneratorOutput {
  // What a type may hold was decided where the CRD was made; this follows whatever that is.
  const context = createSchemaContext({ ...input, allowDangerousTypes: true, generateEmbeddedObjectMeta: true });
  const selections = input.model.packages.map((each) => ({
    source: each,
    selection: selectApplyTypes(each, { ...input, context }),
  }));
  const parts = selections.map(({ source, selection }) => ({
    source,
    selection,
    shapes: shapesOf(context, selection),
    input,
  }));
  return {
    artifacts: parts.flatMap((each) => artifactOf(each)),
    diagnostics: [
      ...context.diagnostics,
      ...parts.flatMap(({ selection, shapes }) => [...selection.diagnostics, ...conflictsOf(selection, shapes)]),
    ],
  };
}

function shapesOf(context: SchemaContext, { types }: ApplySelection): ApplyShapes {
  const shapes = new ApplyShapes(
    context,
    types.map((each) => each.declaration),
  );
  for (const { declaration, isKind } of types) shapes.add(declaration, isKind);
  return shapes;
}

function conflictsOf({ types }: ApplySelection, shapes: ApplyShapes): readonly Diagnostic[] {
  const kinds = new Set(types.filter(({ isKind }) => isKind).map(({ declaration }) => declaration));
  const outputs = shapes.types().map(({ declaration }) => ({
    declaration,
    names: namesIn(declaration, kinds.has(declaration)),
  }));
  const hint =
    "rename one of the types, or put +kubebuilder:ac:generate=false above the one that needs no configuration";
  return nameConflicts({ file: FILE, hint }, outputs, OWN_IMPORTS);
}

interface ArtifactParts {
  readonly source: PackageModel;
  readonly selection: ApplySelection;
  readonly shapes: ApplyShapes;
  readonly input: GeneratorInput;
}

function artifactOf({ source, selection, shapes, input: { marked, header } }: ArtifactParts): readonly Artifact[] {
  if (selection.types.length === 0) return [];
  const markers = marked.packages.get(source.directory) ?? [];
  const directory = path.posix.join(source.directory, outputFolderOf(markers));
  const contentIn = (folder: string): string =>
    printApplyFile({
      header,
      kinds: selection.types.filter(({ isKind }) => isKind),
      types: shapes.types(),
      group: groupOf(source, markers),
      directory: folder,
    });
  return [{ kind: "code", directory, name: FILE, content: contentIn(directory), contentIn }];
}
