import path from "node:path";

import type { Artifact, GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import { createSchemaContext } from "../crd/type-to-schema.ts";
import type { PackageModel } from "../loader/type-model.ts";
import { ApplyShapes } from "./apply-shapes.ts";
import { printApplyFile } from "./print-apply-file.ts";
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
  const artifacts = selections.flatMap(({ source, selection }) =>
    artifactOf({
      source,
      selection,
      shapes: new ApplyShapes(
        context,
        selection.types.map((each) => each.declaration),
      ),
      input,
    }),
  );
  return {
    artifacts,
    diagnostics: [...context.diagnostics, ...selections.flatMap((each) => each.selection.diagnostics)],
  };
}

interface ArtifactParts {
  readonly source: PackageModel;
  readonly selection: ApplySelection;
  readonly shapes: ApplyShapes;
  readonly input: GeneratorInput;
}

function artifactOf({ source, selection, shapes, input: { marked, header } }: ArtifactParts): readonly Artifact[] {
  if (selection.types.length === 0) return [];
  for (const { declaration, isKind } of selection.types) shapes.add(declaration, isKind);
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
