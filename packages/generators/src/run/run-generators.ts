import path from "node:path";

import { KUBERNETES_MINOR, type KubernetesMinor } from "@kubescaffold/k8s";

import { parseGeneratorArguments, type RequestedGenerator } from "../arguments/parse-arguments.ts";
import { Memo } from "../cache/memo.ts";
import type {
  CheckInput,
  Generator,
  GeneratorInput,
  GeneratorOptions,
  GeneratorOutput,
  RevisionReader,
} from "../contract/generator.ts";
import { createPartMemo, memoizeMarkers, withoutMemo } from "../contract/memoize-parts.ts";
import { TOO_DEEP } from "../crd/ways-out.ts";
import { errorWithoutPlace, hasErrors, sortDiagnostics, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { loadTypes } from "../loader/load-types.ts";
import { createDiskHost, type SourceHost } from "../loader/source-host.ts";
import { readMarkers } from "../markers/read-markers.ts";
import { headerProblem, yamlHeaderProblem } from "../typescript/header-comment.ts";
import { describeStructs } from "./described-structs.ts";
import { CHECKS, GENERATORS } from "./generator-table.ts";
import { loadStructs } from "./load-structs.ts";
import { type GeneratedFile, placeArtifacts, type Placement } from "./place-artifacts.ts";
import type { RunCaches } from "./process-caches.ts";

/** What to generate and where: `arguments` are controller-gen's words, such as `crd`, `rbac:roleName=manager-role`, `paths=./...`. */
export interface GenerateOptions {
  /** The folder that relative paths of the arguments start from. */
  readonly root: string;
  /** The words of the command line, without `gen`. */
  readonly arguments: readonly string[];
  /** The minor version of Kubernetes whose built-in structs are used. Default: that of the types of `@kubescaffold/k8s`. */
  readonly kubernetesVersion?: KubernetesMinor;
  /** The disk to read from, the real one by default. */
  readonly host?: SourceHost;
  /** The caches of earlier runs, so that only what changed is parsed and generated. */
  readonly caches?: RunCaches;
  /**
   * Whether to report what the sources use of the built-in API and a supported minor version lacks; that of `kubernetesVersion` and all newer ones are
   * supported. Default: false.
   */
  readonly checksReleases?: boolean;
  /** Reads former versions for `crd:compat`; without it only folders are compared with. */
  readonly revisions?: RevisionReader;
}

/** What a run of the generators yields; when a diagnostic is an error, there are no files and no text for standard output. */
export interface GenerateResult {
  /** The generated files; none after an error. */
  readonly files: readonly GeneratedFile[];
  /** The text for standard output, for `output:stdout`. */
  readonly stdout: string;
  /** All findings in the sources. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the run depends on more than the host and the arguments, so that it cannot be cached. */
  readonly dependsOnMore?: boolean;
}

/**
 * Runs the generators that the arguments name and returns the files they make, without writing any.
 *
 * Guarantees: same sources, same bytes; all errors of a run are reported at once; nothing is thrown for an error in arguments or sources.
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
    ...(options.caches === undefined ? {} : { memory: options.caches.sources }),
  });
  // Sources that do not parse would lead to findings that are none.
  if (hasErrors(diagnostics)) return failed(withSourceLines(diagnostics, host, root));
  const { kubernetesVersion = KUBERNETES_MINOR } = options;
  const structSchema = await loadStructs(model, kubernetesVersion);
  const parts = options.caches?.parts ?? new Memo();
  const marked = readMarkers(model, memoizeMarkers(parts));
  const memoize = createPartMemo({ model, marked, kubernetesVersion }, parts);
  const input = { model, marked, structSchema, kubernetesVersion, host, root, memoize };
  const { outputs, placed, findings } = await runRequested(request.generators, input, options);
  parts.finish({ isClean: findings.length === 0 });
  const lacking = options.checksReleases === true ? await findLacking(request.generators, input) : [];
  const found = withSourceLines([...diagnostics, ...findings, ...lacking], host, root);
  if (hasErrors(found)) return failed(found);
  const dependsOnMore = outputs.some((each) => each.dependsOnMore === true);
  return {
    files: placed.files,
    stdout: placed.stdout,
    diagnostics: found,
    ...(dependsOnMore ? { dependsOnMore } : {}),
  };
}

async function findLacking(
  generators: readonly RequestedGenerator[],
  input: Surroundings,
): Promise<readonly Diagnostic[]> {
  const [{ checkReleases }, { relaxedCodes }] = await Promise.all([
    import("../releases/check-releases.ts"),
    import("../checks/relax.ts"),
  ]);
  const relaxed = relaxedCodes(generators.find(({ name }) => name === "crd")?.options ?? {});
  return await checkReleases({ ...input, relaxed });
}

interface Outcome {
  readonly outputs: readonly GeneratorOutput[];
  readonly placed: Placement;
  readonly findings: readonly Diagnostic[];
}

async function runRequested(
  generators: readonly RequestedGenerator[],
  surroundings: Surroundings,
  options: GenerateOptions,
): Promise<Outcome> {
  const outputs: (GeneratorOutput & RequestedGenerator)[] = [];
  for (const generator of generators)
    outputs.push({ ...generator, ...(await runGenerator(generator, surroundings, options)) });
  const placed = placeArtifacts(outputs.map(({ name, artifacts, output }) => ({ generator: name, artifacts, output })));
  const findings = [
    ...surroundings.marked.diagnostics,
    ...outputs.flatMap((each) => each.diagnostics),
    ...placed.diagnostics,
  ];
  return { outputs, placed, findings };
}

type Surroundings = Omit<GeneratorInput, "options" | "header">;

async function runGenerator(
  { name, options, output: rule }: RequestedGenerator,
  surroundings: Surroundings,
  { revisions }: GenerateOptions,
): Promise<GeneratorOutput> {
  const header = readHeader(name, options, surroundings);
  if (header.kind === "missing") return { artifacts: [], diagnostics: [header.diagnostic] };
  const run = await GENERATORS.find((each) => each.name === name)?.load();
  if (run === undefined) return { artifacts: [], diagnostics: [] };
  // A commit that a name stands for may be another at the next run.
  const comparesCommits = options["compat"] !== undefined;
  const memoize = comparesCommits ? withoutMemo : surroundings.memoize;
  const described = await describeStructs({ ...surroundings, options, header: header.text, memoize });
  if (described.kind === "problem") return { artifacts: [], diagnostics: [described.diagnostic] };
  const { input } = described;
  const output = await runWithinStack(run, input);
  const found = await runChecks({ ...input, outputFolder: folderOf(rule), revisions }, output);
  const dependsOnMore = output.dependsOnMore === true || comparesCommits;
  return { ...output, diagnostics: [...output.diagnostics, ...found], dependsOnMore };
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
  input: Omit<CheckInput, "crds" | "cachedCrds">,
  { crds = [], cachedCrds = [], diagnostics }: GeneratorOutput,
): Promise<readonly Diagnostic[]> {
  // What came out of sources with errors would lead to findings that are none.
  if (crds.length + cachedCrds.length === 0 || hasErrors(diagnostics)) return [];
  const found: Diagnostic[] = [];
  for (const { load } of CHECKS) {
    const check = await load();
    found.push(...(await check({ ...input, crds, cachedCrds })));
  }
  return found;
}

type Header =
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "missing"; readonly diagnostic: Diagnostic };

// These make TypeScript; the others make YAML.
const SOURCE_GENERATORS = new Set(["object", "applyconfiguration", "conversion"]);

function readHeader(generator: string, options: GeneratorOptions, { host, root }: Surroundings): Header {
  const { headerFile, year } = options;
  if (typeof headerFile !== "string" || headerFile === "") return { kind: "header", text: "" };
  const read = host.readFile(path.resolve(root, headerFile));
  if (read === undefined) {
    const message = `cannot read the header file ${headerFile}`;
    const hint = "fix headerFile=, relative to the project";
    return { kind: "missing", diagnostic: errorWithoutPlace({ code: "GENERATE_HEADER_FILE", message, hint }) };
  }
  const text = headerOf(read, typeof year === "string" ? year : "");
  const isSource = SOURCE_GENERATORS.has(generator);
  const problem = isSource ? headerProblem(text) : yamlHeaderProblem(text);
  if (problem === undefined) return { kind: "header", text };
  const hint = isSource
    ? "put the text in one comment from /* to */, or start every line with //"
    : "start every line with #";
  const place = { file: headerFile, line: problem.line, column: problem.column };
  const message = `cannot use the header file for ${generator}: ${problem.message}`;
  return { kind: "missing", diagnostic: { severity: "error", code: "GENERATE_HEADER_TEXT", message, hint, ...place } };
}

// What is generated is the same on every machine, whatever line ends a checkout gave the file.
function headerOf(text: string, year: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(" YEAR", ` ${year}`);
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
