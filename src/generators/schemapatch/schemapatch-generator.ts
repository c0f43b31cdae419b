import { finishedSchema, groupKinds } from "../crd/generate-crds.ts";
import type { SchemaContext } from "../crd/schema-context.ts";
import { toJsonSchema } from "../crd/schema-node.ts";
import { createSchemaContext } from "../crd/type-to-schema.ts";
import type { Artifact, GeneratorInput, GeneratorOutput } from "../generator.ts";
import { printTree } from "./print-tree.ts";
import { readManifests, type CrdManifest } from "./read-manifests.ts";
import { schemaTree } from "./schema-tree.ts";
import { memberOf, textAt, withMember, withoutMember, type YamlDocument, type YamlNode } from "./yaml-tree.ts";

/** Is the generator `schemapatch`: puts the schemas of the sources into the CRDs of a folder and leaves everything else in them as it is. */
export function schemapatchGenerator(input: GeneratorInput): GeneratorOutput {
  const folder = input.options["manifests"];
  const { manifests, diagnostics } = readManifests(input.host, {
    root: input.root,
    folder: typeof folder === "string" ? folder : "",
  });
  if (diagnostics.length > 0) return { artifacts: [], diagnostics };
  // Without a kind there is nothing to patch with.
  if (input.model.packages.every((each) => each.kinds.length === 0)) return { artifacts: [], diagnostics: [] };
  const context = createSchemaContext({
    ...input,
    allowDangerousTypes: false,
    generateEmbeddedObjectMeta: input.options["generateEmbeddedObjectMeta"] === true,
  });
  const schemas = schemasFor(manifests, { input, context });
  const artifacts = manifests.map((manifest): Artifact => ({
    kind: "config",
    name: manifest.fileName,
    content: printTree(patchDocument(manifest.document, schemas.get(keyOf(manifest)))),
  }));
  return { artifacts, diagnostics: context.diagnostics };
}

type SchemasByVersion = ReadonlyMap<string, YamlNode>;

interface Surroundings {
  readonly input: GeneratorInput;
  readonly context: SchemaContext;
}

// The schemas of the kinds and versions that the manifests list; a kind that they leave out is none of this generator's business.
function schemasFor(
  manifests: readonly CrdManifest[],
  { input, context }: Surroundings,
): ReadonlyMap<string, SchemasByVersion> {
  const { maxDescLen } = input.options;
  const options = {
    context,
    marked: input.marked,
    maxDescLen: maxDescLen === undefined ? undefined : Number(maxDescLen),
  };
  const wanted = new Map(manifests.map((each) => [keyOf(each), new Set<string>()]));
  for (const each of manifests) for (const version of each.versions) wanted.get(keyOf(each))?.add(version);
  const kinds = groupKinds(input, () => undefined).map((kind) => {
    const listed = kind.declarations.filter(({ version }) => wanted.get(keyOf(kind))?.has(version) === true);
    const schemas = listed.map(
      ({ version, declaration }) => [version, schemaTree(toJsonSchema(finishedSchema(declaration, options)))] as const,
    );
    return [keyOf(kind), new Map(schemas)] as const;
  });
  return new Map(kinds);
}

function keyOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${kind}.${group}`;
}

function patchDocument(document: YamlDocument, schemas: SchemasByVersion | undefined): YamlDocument {
  if (schemas === undefined || schemas.size === 0) return document;
  const root = mapVersions(withoutMember(document.root, ["spec", "validation"]), (version) => {
    const schema = schemas.get(textAt(version, ["name"]) ?? "");
    return schema === undefined
      ? withoutMember(version, ["schema"])
      : withMember(version, ["schema", "openAPIV3Schema"], schema);
  });
  return { ...document, root };
}

function mapVersions(root: YamlNode, change: (version: YamlNode) => YamlNode): YamlNode {
  const spec = memberOf(root, "spec");
  const versions = memberOf(spec, "versions");
  if (versions?.kind !== "sequence") return root;
  const items = versions.items.map((item) => ({ ...item, value: change(item.value) }));
  return withMember(root, ["spec", "versions"], { ...versions, items });
}
