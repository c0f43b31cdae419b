import path from "node:path";

import { errorWithoutPlace, hasErrors, sortDiagnostics, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { loadTypes, type SourceMemory } from "../loader/load-types.ts";
import { createDiskHost, type SourceHost } from "../loader/source-host.ts";
import { readMarkers } from "../markers/read-markers.ts";
import { affectedKinds, joinRemembered, rememberCrds } from "./crd-memory.ts";
import { TOO_DEEP } from "./crd/ways-out.ts";
import { CHECKS, GENERATORS } from "./generator-table.ts";
import type {
  CheckInput,
  Generator,
  GeneratorInput,
  GeneratorOptions,
  GeneratorOutput,
  RevisionReader,
} from "./generator.ts";
import { loadStructs } from "./load-structs.ts";
import { parseGeneratorArguments, type RequestedGenerator } from "./parse-arguments.ts";
import { type GeneratedFile, placeArtifacts } from "./place-artifacts.ts";
import type { RunMemory } from "./run-memory.ts";

/** What to generate and where: `arguments` are controller-gen's words, such as `crd`, `rbac:roleName=manager-role`, `paths=./...`. */
export interface GenerateOptions {
  /** The folder that relative paths of the arguments start from. */
  readonly root: string;
  readonly arguments: readonly string[];
  /** The disk to read from, the real one by default. */
  readonly host?: SourceHost;
  /** What former runs of this process read, so that only what changed is read again. */
  readonly memory?: RunMemory;
  /** What was read of sources before; it takes what is read now. */
  readonly sources?: SourceMemory;
  /** Reads former versions for `crd:compat`; without it only folders are compared with. */
  readonly revisions?: RevisionReader;
}

/** What a run of the generators yields; when a diagnostic is an error, there are no files and no text for standard output. */
export interface GenerateResult {
  readonly files: readonly GeneratedFile[];
  readonly stdout: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the run depends on more than the host and the arguments, so that it cannot be remembered. */
  readonly dependsOnMore?: boolean;
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
  const { model, diagnostics } = loadTypes({
    host,
    root,
    paths: request.paths,
    ...sourceMemoryOf(options),
  });
  // Sources that do not parse would lead to findings that are none.
  if (hasErrors(diagnostics)) return failed(withSourceLines(diagnostics, host, root));
  const marked = readMarkers(model);
  const structSchema = await loadStructs(model);
  const outputs: (GeneratorOutput & RequestedGenerator)[] = [];
  for (const generator of request.generators)
    outputs.push({
      ...generator,
      ...(await runGenerator(generator, { model, marked, structSchema, host, root }, options)),
    });
  const placed = placeArtifacts(outputs.map(({ name, artifacts, output }) => ({ generator: name, artifacts, output })));
  const findings = [...marked.diagnostics, ...outputs.flatMap((each) => each.diagnostics), ...placed.diagnostics];
  const found = withSourceLines([...diagnostics, ...findings], host, root);
  // What was found must be found again, so that only a clean run is remembered.
  if (options.memory !== undefined && found.length > 0) options.memory.crds = undefined;
  if (hasErrors(found)) return failed(found);
  const dependsOnMore = outputs.some((each) => each.dependsOnMore === true);
  return {
    files: placed.files,
    stdout: placed.stdout,
    diagnostics: found,
    ...(dependsOnMore ? { dependsOnMore } : {}),
  };
}

type Surroundings = Omit<GeneratorInput, "options" | "header">;

function sourceMemoryOf({ memory, sources }: GenerateOptions): { readonly memory?: SourceMemory } {
  const known = memory?.sources ?? sources;
  return known === undefined ? {} : { memory: known };
}

async function runGenerator(
  { name, options, output: rule }: RequestedGenerator,
  surroundings: Surroundings,
  { revisions, memory }: GenerateOptions,
): Promise<GeneratorOutput> {
  const header = readHeader(options, surroundings);
  if (header.kind === "missing") return { artifacts: [], diagnostics: [header.diagnostic] };
  const run = await GENERATORS.find((each) => each.name === name)?.load();
  if (run === undefined) return { artifacts: [], diagnostics: [] };
  const input: GeneratorInput = { ...surroundings, options, header: header.text };
  const known = name === "crd" && options["compat"] === undefined ? memory?.crds : undefined;
  const only = affectedKinds(known, input);
  const output = await runWithinStack(run, only === undefined ? input : { ...input, only });
  const found = await runChecks({ ...input, outputFolder: folderOf(rule), revisions }, output);
  const whole = joinRemembered(output, known, only);
  if (name === "crd" && memory !== undefined) memory.crds = rememberCrds(input, whole);
  // A commit that a name stands for may be another at the next run.
  const dependsOnMore = output.dependsOnMore === true || options["compat"] !== undefined;
  return { ...whole, diagnostics: [...output.diagnostics, ...found], dependsOnMore };
}

function folderOf(rule: RequestedGenerator["output"]): string | undefined {
  if (rule.kind === "directory") return rule.path;
  return rule.kind === "artifacts" ? rule.config : undefined;
}

// Schemas are made and printed level by level on the stack, which has an end.
async function runWithinStack(run: Generator, input: GeneratorInput): Promise<GeneratorOutput> {
  try {
    return await run(input);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { artifacts: [], diagnostics: [errorWithoutPlace(TOO_DEEP)] };
  }
}

async function runChecks(
  input: Omit<CheckInput, "crds">,
  { crds = [], diagnostics }: GeneratorOutput,
): Promise<readonly Diagnostic[]> {
  // What came out of sources with mistakes would lead to findings that are none.
  if (crds.length === 0 || hasErrors(diagnostics)) return [];
  const found: Diagnostic[] = [];
  for (const { load } of CHECKS) {
    const check = await load();
    found.push(...(await check({ ...input, crds })));
  }
  return found;
}

type Header =
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "missing"; readonly diagnostic: Diagnostic };

function readHeader(options: GeneratorOptions, { host, root }: Surroundings): Header {
  const { headerFile, year } = options;
  if (typeof headerFile !== "string" || headerFile === "") return { kind: "header", text: "" };
  const text = host.readFile(path.resolve(root, headerFile));
  if (text !== undefined)
    return { kind: "header", text: text.replaceAll(" YEAR", ` ${typeof year === "string" ? year : ""}`) };
  const message = `cannot read the header file ${headerFile}`;
  return {
    kind: "missing",
    diagnostic: errorWithoutPlace({
      code: "GENERATE_HEADER_FILE",
      message,
      hint: "correct headerFile=, relative to the project",
    }),
  };
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
