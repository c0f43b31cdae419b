import { isRecord } from "@kubescaffold/platform";

import type {
  ArgumentDefinition,
  ArgumentType,
  MarkerDefinition,
  MarkerValue,
} from "../markers/definitions/marker-definition.ts";
import { nearestMarkerName } from "../markers/nearest-name.ts";
import { parseMarker } from "../markers/parse-marker.ts";
import { GENERATOR_DEFINITIONS } from "./generator-definitions.ts";

/** Options of generators: generator, option, value. */
export type GeneratorOptions = Readonly<Record<string, Readonly<Record<string, MarkerValue>>>>;

/** A problem in options, and the keys that lead to it. */
export interface OptionProblem {
  /** The keys that lead to the problem. */
  readonly path: readonly string[];
  /** The problem, in lower case. */
  readonly message: string;
}

/** The generators that run in a project; `schemapatch` runs only by itself. */
const DEFINITIONS = GENERATOR_DEFINITIONS.filter(({ name }) => name !== "schemapatch").map((each) =>
  withoutRequired(each),
);

/** Returns the problems of options with the keys that lead to them: unknown generators, unknown options, and values of the wrong type. */
export function optionProblems(options: unknown): readonly OptionProblem[] {
  if (!isRecord(options)) return [{ path: [], message: "generators must be a map of generators to their options" }];
  return Object.entries(options).flatMap(([name, values]): readonly OptionProblem[] => {
    const definition = DEFINITIONS.find((each) => each.name === name);
    if (definition === undefined) {
      const known = DEFINITIONS.map((each) => each.name);
      return [{ path: [name], message: `unknown generator "${name}"; ${suggestion(name, known)}` }];
    }
    if (!isRecord(values)) return [{ path: [name], message: `the options of ${name} must be a map` }];
    return Object.entries(values).flatMap(([option, value]) => problemsOfOption(definition, option, value));
  });
}

function problemsOfOption(definition: MarkerDefinition, option: string, value: unknown): readonly OptionProblem[] {
  const known = argumentsOf(definition);
  const path = [definition.name, option];
  const type = known.find(({ name }) => name === option)?.type;
  if (type === undefined) {
    const names = known.map(({ name }) => name);
    return [
      { path, message: `the generator ${definition.name} has no option "${option}"; ${suggestion(option, names)}` },
    ];
  }
  if (isOfType(value, type)) return [];
  return [{ path, message: `${definition.name}:${option} must be ${describe(type)}, not ${JSON.stringify(value)}` }];
}

function suggestion(typed: string, known: readonly string[]): string {
  const nearest = nearestMarkerName(typed, known);
  return nearest === undefined ? `use one of ${known.join(", ")}` : `did you mean ${nearest}?`;
}

function isOfType(value: unknown, type: ArgumentType): boolean {
  switch (type.kind) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value);
    case "list":
      return Array.isArray(value) && value.every((each) => isOfType(each, type.items));
    default:
      return typeof value === "string";
  }
}

function describe(type: ArgumentType): string {
  switch (type.kind) {
    case "boolean":
      return "true or false";
    case "integer":
      return "an integer";
    case "list":
      return "a list of strings";
    default:
      return "a string";
  }
}

/** Reports whether a generator has an option. */
export function isGeneratorOption(generator: string, option: string): boolean {
  const definition = DEFINITIONS.find(({ name }) => name === generator);
  return definition !== undefined && argumentsOf(definition).some(({ name }) => name === option);
}

/**
 * Reads options as they are on a command line: `crd:maxDescLen=0,relax=CRD_COST`.
 *
 * Returns the problem if there is one.
 */
export function parseOptionWord(word: string): ParsedOptions {
  const parsed = parseMarker(`+${word}`, new Map(DEFINITIONS.map((each) => [each.name, each])));
  if (parsed.kind === "problem") return { kind: "problem", message: parsed.problem.message.replaceAll("+", "") };
  const known = DEFINITIONS.map(({ name }) => name);
  if (parsed.kind === "unknown")
    return { kind: "problem", message: `unknown generator; ${suggestion(parsed.name.split(":")[0] ?? "", known)}` };
  if (!isRecord(parsed.value) || Object.keys(parsed.value).length === 0)
    return { kind: "problem", message: "no option is specified" };
  return { kind: "options", options: { [parsed.definition.name]: parsed.value } };
}

/** The result of {@link parseOptionWord}. */
export type ParsedOptions =
  | { readonly kind: "options"; readonly options: GeneratorOptions }
  | { readonly kind: "problem"; readonly message: string };

/** Prints a generator with its options as `gen` reads it: `crd:maxDescLen=0`. */
export function printGenerator(name: string, options: Readonly<Record<string, MarkerValue>> = {}): string {
  const values = Object.entries(options).map(([option, value]) => `${option}=${printValue(value)}`);
  return values.length === 0 ? name : `${name}:${values.join(",")}`;
}

function printValue(value: MarkerValue): string {
  if (Array.isArray(value)) return `{${value.map((each) => printValue(each as MarkerValue)).join(",")}}`;
  if (typeof value === "string") return /^[\w./-]+$/u.test(value) ? value : JSON.stringify(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function argumentsOf({ grammar }: MarkerDefinition): readonly ArgumentDefinition[] {
  return grammar.kind === "arguments" ? grammar.arguments : [];
}

// The program sets what a generator requires; a project may set the rest alone.
function withoutRequired(definition: MarkerDefinition): MarkerDefinition {
  const list = argumentsOf(definition).map((each) => ({ ...each, isOptional: true }));
  return { ...definition, grammar: { kind: "arguments", arguments: list } };
}
