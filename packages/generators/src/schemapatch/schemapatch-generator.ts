import path from "node:path";

import type { Artifact, GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import { finishedSchema, groupKinds } from "../crd/generate-crds.ts";
import { type JsonSchema, toJsonSchema } from "../crd/model/schema-node.ts";
import type { SchemaContext } from "../crd/schema-context.ts";
import { createSchemaContext } from "../crd/type-to-schema.ts";
import { type Diagnostic, errorWithoutPlace } from "../diagnostics/diagnostic.ts";
import type { SourceHost } from "../loader/source-host.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import { printTree } from "./print-tree.ts";
import { readTree } from "./read-tree.ts";
import {
  memberOf,
  textAt,
  withMember,
  withoutMember,
  type YamlDocument,
  type YamlMember,
  type YamlNode,
} from "./yaml-tree.ts";

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
  const schemas = schemasFor(manifests, input, context);
  const artifacts = manifests.map((manifest): Artifact => ({
    kind: "config",
    name: manifest.fileName,
    content: printTree(patchDocument(manifest.document, schemas.get(keyOf(manifest)))),
  }));
  return { artifacts, diagnostics: context.diagnostics };
}

type SchemasByVersion = ReadonlyMap<string, YamlNode>;

// The schemas of the kinds and versions that the manifests list; a kind that they omit is none of this generator's business.
function schemasFor(
  manifests: readonly CrdManifest[],
  input: GeneratorInput,
  context: SchemaContext,
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

/** A CRD of the folder, as it is written. */
interface CrdManifest {
  readonly fileName: string;
  readonly group: string;
  readonly kind: string;
  /** The names of its versions, in its order. */
  readonly versions: readonly string[];
  readonly document: YamlDocument;
}

/** What a folder holds. */
interface CrdManifests {
  readonly manifests: readonly CrdManifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the CRDs among the `*.yaml` files of a folder, not of those below it; everything else there is left alone. */
function readManifests(
  host: SourceHost,
  { root, folder }: { readonly root: string; readonly folder: string },
): CrdManifests {
  const entries = host.listDirectory(path.resolve(root, folder));
  if (entries === undefined) return { manifests: [], diagnostics: [missingFolder(folder)] };
  const found = entries
    .filter((entry) => entry.kind !== "directory" && path.extname(entry.name) === ".yaml")
    .map((entry) =>
      readManifest(host.readFile(path.resolve(root, folder, entry.name)) ?? "", path.posix.join(folder, entry.name)),
    );
  return {
    manifests: found.flatMap((each) => (each.kind === "manifest" ? [each.manifest] : [])),
    diagnostics: found.flatMap((each) => (each.kind === "refused" ? [each.diagnostic] : [])),
  };
}

type Reading =
  | { readonly kind: "manifest"; readonly manifest: CrdManifest }
  | { readonly kind: "refused"; readonly diagnostic: Diagnostic }
  | { readonly kind: "other" };

function readManifest(text: string, file: string): Reading {
  const document = text.includes("CustomResourceDefinition") ? readTree(text) : undefined;
  if (document === undefined) return { kind: "other" };
  const { root } = document;
  const apiVersion = textAt(root, ["apiVersion"]) ?? "";
  if (apiVersion === "" || textAt(root, ["kind"]) !== "CustomResourceDefinition") return { kind: "other" };
  if (apiVersion !== "apiextensions.k8s.io/v1") return { kind: "refused", diagnostic: otherVersion(file, apiVersion) };
  const versions = memberOf(memberOf(root, "spec"), "versions");
  const items = versions?.kind === "sequence" ? versions.items : undefined;
  const names = (items ?? []).map(({ value }) => textAt(value, ["name"]) ?? "");
  if (items === undefined || names.includes("")) return { kind: "refused", diagnostic: withoutVersions(file) };
  const manifest: CrdManifest = {
    fileName: path.posix.basename(file),
    group: textAt(root, ["spec", "group"]) ?? "",
    kind: textAt(root, ["spec", "names", "kind"]) ?? "",
    versions: names,
    document,
  };
  return { kind: "manifest", manifest };
}

function missingFolder(folder: string): Diagnostic {
  return errorWithoutPlace({
    code: "GENERATE_MANIFESTS_FOLDER",
    message: `cannot patch the CRDs of manifests=${folder}: no such folder`,
    hint: "specify the folder of the CRDs, relative to the project",
  });
}

function otherVersion(file: string, apiVersion: string): Diagnostic {
  return errorWithoutPlace({
    code: "GENERATE_CRD_API_VERSION",
    message: `cannot patch ${file}: its apiVersion is ${JSON.stringify(apiVersion)}`,
    hint: "convert the CRD to apiextensions.k8s.io/v1, the only supported version, or move it out of the folder",
  });
}

function withoutVersions(file: string): Diagnostic {
  return errorWithoutPlace({
    code: "GENERATE_CRD_VERSIONS",
    message: `cannot patch ${file}: spec.versions is not a list of named versions`,
    hint: "list the versions under spec.versions, each with a name",
  });
}

/** Turns a schema into YAML with its keywords in the order of Go's type, as controller-gen's schemapatch writes it. */
function schemaTree(schema: JsonSchema): YamlNode {
  const keys = Object.keys(schema).toSorted((left, right) => rankOf(left) - rankOf(right));
  return mapping(keys.map((key) => [key, keywordTree(key, schema[key])]));
}

const ORDER: readonly string[] = [
  "id $schema $ref description type format title default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength",
  "pattern maxItems minItems uniqueItems multipleOf enum maxProperties minProperties required items allOf oneOf anyOf not",
  "properties additionalProperties patternProperties dependencies additionalItems definitions externalDocs example nullable",
  "x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-map-keys",
  "x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-validations",
].flatMap((line) => line.split(" "));
const RULE_ORDER: readonly string[] = [
  "rule",
  "message",
  "messageExpression",
  "reason",
  "fieldPath",
  "optionalOldSelf",
];

function rankOf(key: string): number {
  const rank = ORDER.indexOf(key);
  return rank === -1 ? ORDER.length : rank;
}

function keywordTree(key: string, value: unknown): YamlNode {
  switch (key) {
    case "properties":
    case "patternProperties":
    case "definitions":
      return mapping(sortedEntries(value as object).map(([name, each]) => [name, schemaTree(each as JsonSchema)]));
    case "items":
    case "additionalProperties":
    case "not":
      return typeof value === "object" ? schemaTree(value as JsonSchema) : valueTree(value);
    case "allOf":
    case "oneOf":
    case "anyOf":
      return sequence((value as readonly JsonSchema[]).map((each) => schemaTree(each)));
    case "x-kubernetes-validations":
      return sequence((value as readonly object[]).map((each) => inOrder(each, RULE_ORDER)));
    case "externalDocs":
      return inOrder(value as object, ["description", "url"]);
    case "maximum":
    case "minimum":
    case "multipleOf":
      // These are floating-point numbers in Go.
      return valueTree(Number(value));
    default:
      return valueTree(value);
  }
}

function inOrder(value: object, order: readonly string[]): YamlNode {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== "");
  return mapping(
    entries
      .toSorted(([left], [right]) => order.indexOf(left) - order.indexOf(right))
      .map(([key, each]) => [key, valueTree(each)]),
  );
}

function valueTree(value: unknown): YamlNode {
  if (typeof value === "string") return { kind: "scalar", value, style: "free" };
  if (Array.isArray(value)) return sequence(value.map((each) => valueTree(each)));
  if (typeof value === "object" && value !== null)
    return mapping(sortedEntries(value).map(([key, each]) => [key, valueTree(each)]));
  return { kind: "scalar", value: String(value), style: "plain" };
}

function sortedEntries(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).toSorted(([left], [right]) => compareBytes(left, right));
}

function mapping(entries: readonly (readonly [string, YamlNode])[]): YamlNode {
  const members = entries.map(([key, value]): YamlMember => ({
    head: [],
    foot: [],
    key: { kind: "scalar", value: key, style: "free" },
    value,
  }));
  return { kind: "mapping", members, isFlow: false };
}

function sequence(values: readonly YamlNode[]): YamlNode {
  return { kind: "sequence", items: values.map((value) => ({ head: [], foot: [], value })), isFlow: false };
}
