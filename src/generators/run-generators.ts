import path from "node:path";

import { errorWithoutPlace, hasErrors, sortDiagnostics, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { loadTypes } from "../loader/load-types.ts";
import { createDiskHost, type SourceHost } from "../loader/source-host.ts";
import type { TypeModel } from "../loader/type-model.ts";
import type { MarkerValue } from "../markers/marker-definition.ts";
import { readMarkers, type MarkedModel } from "../markers/read-markers.ts";
import { generateCrds, type Manifest, type ManifestResult } from "./crd/generate-crds.ts";
import type { StructLookup } from "./crd/known-schemas.ts";
import { parseGeneratorArguments, type OutputRule, type RequestedGenerator } from "./parse-arguments.ts";
import { generateRbac } from "./rbac/generate-rbac.ts";
import { generateWebhooks } from "./webhook/generate-webhooks.ts";

/** What to generate and where: `arguments` are controller-gen's words, such as `crd`, `rbac:roleName=manager-role`, `paths=./...`. */
export interface GenerateOptions {
  /** The folder that relative paths of the arguments start from. */
  readonly root: string;
  readonly arguments: readonly string[];
  /** The disk to read from, the real one by default. */
  readonly host?: SourceHost;
}

/** One file that a generator wants written; `path` is relative to the root with forward slashes, or absolute. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

/** What a run of the generators yields; when a diagnostic is an error, there are no files and no text for standard output. */
export interface GenerateResult {
  readonly files: readonly GeneratedFile[];
  readonly stdout: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Runs the generators that the arguments name and returns the files they make, without writing any.
 *
 * Guarantees: same sources, same bytes; all mistakes of a run are reported at once; nothing is thrown for a mistake in arguments or sources.
 */
export async function runGenerators(options: GenerateOptions): Promise<GenerateResult> {
  const request = parseGeneratorArguments(options.arguments);
  if (hasErrors(request.diagnostics)) return failed(request.diagnostics);
  const root = path.resolve(options.root);
  const host = options.host ?? createDiskHost();
  const { model, diagnostics } = loadTypes({ host, root, paths: request.paths });
  // Sources that do not parse would lead to findings that are none.
  if (hasErrors(diagnostics)) return failed(withSourceLines(diagnostics, host, root));
  const marked = readMarkers(model);
  const structSchema = await loadStructs(model);
  const results = request.generators.map((generator) => ({
    generator,
    ...runGenerator(generator, { model, marked, structSchema, host, root }),
  }));
  const found = withSourceLines(
    [...diagnostics, ...marked.diagnostics, ...results.flatMap((each) => each.diagnostics)],
    host,
    root,
  );
  if (hasErrors(found)) return failed(found);
  return {
    files: results.flatMap(({ generator, manifests }) => placeManifests(manifests, generator.output)),
    stdout: results
      .flatMap(({ generator, manifests }) =>
        generator.output.kind === "stdout" ? manifests.map((each) => each.content) : [],
      )
      .join(""),
    diagnostics: found,
  };
}

interface GeneratorSurroundings {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
  readonly structSchema: StructLookup;
  readonly host: SourceHost;
  readonly root: string;
}

function runGenerator({ name, options }: RequestedGenerator, surroundings: GeneratorSurroundings): ManifestResult {
  const header = readHeader(options, surroundings);
  if (header.kind === "missing") return { manifests: [], diagnostics: [header.diagnostic] };
  switch (name) {
    case "crd":
      return runCrd(options, header.text, surroundings);
    case "rbac": {
      const fileName = textOf(options["fileName"]) || "role.yaml";
      return generateRbac(surroundings, { roleName: textOf(options["roleName"]), fileName, header: header.text });
    }
    case "webhook":
      return generateWebhooks(surroundings, { header: header.text });
    default:
      return { manifests: [], diagnostics: [] };
  }
}

function runCrd(
  options: Readonly<Record<string, MarkerValue>>,
  header: string,
  surroundings: GeneratorSurroundings,
): ManifestResult {
  const versions = options["crdVersions"];
  const unknown = Array.isArray(versions) ? versions.map(String).filter((version) => version !== "v1") : [];
  if (unknown.length > 0) {
    const message = `cannot generate CRDs of version ${unknown.join(", ")}: servers have only v1`;
    return {
      manifests: [],
      diagnostics: [errorWithoutPlace({ code: "GENERATE_CRD_VERSION", message, hint: "leave crdVersions out" })],
    };
  }
  const maxDescLen = options["maxDescLen"];
  const preserve = options["deprecatedV1beta1CompatibilityPreserveUnknownFields"];
  return generateCrds(surroundings, {
    allowDangerousTypes: options["allowDangerousTypes"] === true,
    generateEmbeddedObjectMeta: options["generateEmbeddedObjectMeta"] === true,
    maxDescLen: maxDescLen === undefined ? undefined : Number(maxDescLen),
    omitToolVersion: options["omitToolVersion"] === true,
    preserveUnknownFields: typeof preserve === "boolean" ? preserve : undefined,
    header,
  });
}

type Header =
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "missing"; readonly diagnostic: Diagnostic };

function readHeader(options: Readonly<Record<string, MarkerValue>>, { host, root }: GeneratorSurroundings): Header {
  const file = textOf(options["headerFile"]);
  if (file === "") return { kind: "header", text: "" };
  const text = host.readFile(path.resolve(root, file));
  if (text !== undefined) return { kind: "header", text: text.replaceAll(" YEAR", ` ${textOf(options["year"])}`) };
  const message = `cannot read the header file ${file}`;
  return {
    kind: "missing",
    diagnostic: errorWithoutPlace({
      code: "GENERATE_HEADER_FILE",
      message,
      hint: "correct headerFile=, relative to the project",
    }),
  };
}

// The tables are large, so they are loaded only for sources that use a struct of the built-in API.
async function loadStructs(model: TypeModel): Promise<StructLookup> {
  const usesStructs = [...model.names.values()].some(
    (target) => target.kind === "built-in" && !LIGHT.has(`${target.module}#${target.name}`),
  );
  if (!usesStructs) return () => undefined;
  const { structSchema } = await import("@kubescaffold/k8s/tables");
  return structSchema;
}

const LIGHT = new Set([
  ...["integer", "int32", "int64", "Bytes", "Quantity", "IntOrString", "RawExtension", "JSONValue"].map(
    (name) => `@kubescaffold/k8s#${name}`,
  ),
  ...["KubernetesObject", "TypeMeta", "ObjectMeta", "Time", "MicroTime", "Duration"].map(
    (name) => `@kubescaffold/k8s/meta/v1#${name}`,
  ),
]);

function placeManifests(manifests: readonly Manifest[], output: OutputRule): readonly GeneratedFile[] {
  if (output.kind !== "directory") return [];
  return manifests.map(({ name, content }) => ({
    path: path.posix.join(output.path.split(path.sep).join("/"), name),
    content,
  }));
}

function withSourceLines(diagnostics: readonly Diagnostic[], host: SourceHost, root: string): readonly Diagnostic[] {
  const lines = new Map<string, readonly string[]>();
  return sortDiagnostics(diagnostics).map((diagnostic) => {
    if (diagnostic.file === "" || diagnostic.line === 0) return diagnostic;
    const known =
      lines.get(diagnostic.file) ?? host.readFile(path.resolve(root, diagnostic.file))?.split(/\r?\n/u) ?? [];
    lines.set(diagnostic.file, known);
    const sourceLine = known[diagnostic.line - 1];
    return sourceLine === undefined ? diagnostic : { ...diagnostic, sourceLine };
  });
}

function failed(diagnostics: readonly Diagnostic[]): GenerateResult {
  return { files: [], stdout: "", diagnostics };
}

function textOf(value: MarkerValue | undefined): string {
  return typeof value === "string" ? value : "";
}
