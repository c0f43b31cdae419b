import { errorWithoutPlace, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { MarkerDefinition, MarkerValue } from "../markers/definitions/marker-definition.ts";
import { nearestMarkerName } from "../markers/nearest-name.ts";
import { parseMarker } from "../markers/parse-marker.ts";
import { GENERATOR_DEFINITIONS, OPTION_DEFINITIONS } from "./generator-definitions.ts";

/** Where a generator's files go. */
export type OutputRule =
  | { readonly kind: "none" }
  | { readonly kind: "stdout" }
  /** Everything into one folder. */
  | { readonly kind: "directory"; readonly path: string }
  /** Manifests into one folder, code into another or, without one, beside its sources. */
  | { readonly kind: "artifacts"; readonly config: string; readonly code: string | undefined };

/** A generator that was asked for, with its options. */
export interface RequestedGenerator {
  /** The name of the generator. */
  readonly name: string;
  /** Its options by name. */
  readonly options: Readonly<Record<string, MarkerValue>>;
  /** The destination of its files. */
  readonly output: OutputRule;
}

/** What the words of a command line ask for. */
export interface GeneratorRequest {
  /** The requested generators, in order. */
  readonly generators: readonly RequestedGenerator[];
  /** The values of `paths=`. */
  readonly paths: readonly string[];
  /** Problems in the words. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads controller-gen's words: generators with options, `paths=`, and `output:` rules. */
export function parseGeneratorArguments(words: readonly string[]): GeneratorRequest {
  const diagnostics: Diagnostic[] = [];
  const parsed = words.flatMap((word) => parseWord(word, diagnostics));
  const paths = parsed.filter((each) => each.name === "paths").flatMap((each) => textsOf(each.value));
  const requested = parsed.filter((each) => GENERATOR_NAMES.has(each.name));
  // A word that could not be read may have been meant as the generator, or as the one that a rule is for.
  if (diagnostics.length === 0) diagnostics.push(...checkRequested(requested), ...checkOutputs(parsed, requested));
  const generators = requested.map(({ name, value }) => ({
    name,
    options: optionsOf(value),
    output: outputOf(name, parsed),
  }));
  return { generators, paths: paths.length === 0 ? ["."] : paths, diagnostics };
}

interface ParsedWord {
  readonly name: string;
  readonly value: MarkerValue;
  readonly definition: MarkerDefinition;
}

const CATALOGUE: ReadonlyMap<string, MarkerDefinition> = new Map(OPTION_DEFINITIONS.map((each) => [each.name, each]));
const GENERATOR_NAMES: ReadonlySet<string> = new Set(GENERATOR_DEFINITIONS.map((each) => each.name));

function parseWord(word: string, diagnostics: Diagnostic[]): readonly ParsedWord[] {
  const parsed = parseMarker(word.startsWith("+") ? word : `+${word}`, CATALOGUE);
  if (parsed.kind === "marker")
    return [{ name: parsed.definition.name, value: parsed.value, definition: parsed.definition }];
  if (parsed.kind === "problem") {
    const { code, message, hint } = parsed.problem;
    diagnostics.push(errorWithoutPlace({ code, message: withoutPlus(message), hint: withoutPlus(hint) }));
    return [];
  }
  const nearest =
    nearestMarkerName(parsed.name.split("=", 1)[0] ?? "", CATALOGUE.keys()) ??
    nearestMarkerName(parsed.name.split(":")[0] ?? "", CATALOGUE.keys());
  const hint =
    nearest === undefined
      ? `use the generators ${[...GENERATOR_NAMES].join(", ")}, paths=, or output:`
      : `did you mean ${nearest}?`;
  diagnostics.push(
    errorWithoutPlace({
      code: "GENERATE_UNKNOWN_ARGUMENT",
      message: `cannot generate: ${JSON.stringify(word)} is neither a generator nor an option`,
      hint,
    }),
  );
  return [];
}

function checkRequested(requested: readonly ParsedWord[]): readonly Diagnostic[] {
  if (requested.length === 0) {
    const hint = "specify at least one: crd, rbac:roleName=manager-role, webhook";
    return [
      errorWithoutPlace({ code: "GENERATE_NO_GENERATOR", message: "cannot generate: no generator is specified", hint }),
    ];
  }
  const repeated = requested.filter((each, index) => requested.findIndex((other) => other.name === each.name) < index);
  return repeated.map(({ name }) =>
    errorWithoutPlace({
      code: "GENERATE_REPEATED_GENERATOR",
      message: `cannot generate: ${name} is specified twice`,
      hint: `join its options by commas: ${name}:first=…,second=…`,
    }),
  );
}

function checkOutputs(parsed: readonly ParsedWord[], requested: readonly ParsedWord[]): readonly Diagnostic[] {
  return parsed.flatMap(({ name }) => {
    const [head, owner = "", rule] = name.split(":");
    if (head !== "output" || rule === undefined || requested.some((each) => each.name === owner)) return [];
    return [
      errorWithoutPlace({
        code: "GENERATE_OUTPUT_WITHOUT_GENERATOR",
        message: `cannot generate: ${name} is for a generator that is not specified`,
        hint: `add ${owner}, or remove the rule`,
      }),
    ];
  });
}

// The last rule for the generator wins, then the last for all, then the folder that upstream writes to.
function outputOf(generator: string, parsed: readonly ParsedWord[]): OutputRule {
  const own = parsed.findLast((each) => each.name.startsWith(`output:${generator}:`));
  const general = parsed.findLast((each) => /^output:[^:]+$/u.test(each.name));
  const chosen = own ?? general;
  if (chosen === undefined) return { kind: "artifacts", config: `config/${generator}`, code: undefined };
  const rule = chosen.name.split(":").at(-1);
  if (rule === "none" || rule === "stdout") return { kind: rule };
  if (rule === "dir") return { kind: "directory", path: textOf(chosen.value) };
  const { config, code } = optionsOf(chosen.value);
  return { kind: "artifacts", config: textOf(config), code: code === undefined ? undefined : textOf(code) };
}

function optionsOf(value: MarkerValue): Readonly<Record<string, MarkerValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, MarkerValue>>)
    : {};
}

function textOf(value: MarkerValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: MarkerValue): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function withoutPlus(text: string): string {
  return text.replace(/^(write )?\+/u, "$1");
}

/** Returns the folders and files that the paths of a command line begin in, for those who watch them. */
export function sourceFolders(words: readonly string[]): readonly string[] {
  const { paths } = parseGeneratorArguments(words);
  return [...new Set(paths.map((each) => folderBeforePattern(each.replace(/(?:^|\/)\.\.\.$/u, "")) || "."))];
}

function folderBeforePattern(each: string): string {
  const pattern = each.search(/[*?[{]/u);
  return pattern < 0 ? each : each.slice(0, Math.max(each.lastIndexOf("/", pattern), 0));
}
