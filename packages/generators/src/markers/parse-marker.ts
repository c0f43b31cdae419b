import type { DiagnosticCode } from "../diagnostics/codes.ts";
import type {
  ArgumentDefinition,
  ArgumentType,
  MarkerDefinition,
  MarkerValue,
} from "./definitions/marker-definition.ts";
import { nearestMarkerName } from "./nearest-name.ts";
import { parseTag, usageOfTag } from "./parse-tag.ts";
import { describeType, parseValue, type ValueProblem } from "./parse-value.ts";
import type { MarkerCatalogue, MarkerProblem, ParsedMarker } from "./parsed-marker.ts";
import { scanToken, skipBlanks } from "./scan-token.ts";

/**
 * Reads one marker, from its `+` to the end of the line, by upstream's grammar.
 *
 * Guarantees: never throws, whatever the text is.
 */
export function parseMarker(text: string, catalogue: MarkerCatalogue): ParsedMarker {
  const tag = parseTag({ text, catalogue, parse: (inner) => parseMarker(inner, catalogue) });
  if (tag !== undefined) return tag;
  const parts = splitMarker(text);
  const definition = lookUp(parts, catalogue);
  if (definition === undefined) return { kind: "unknown", name: parts.fullName };
  const isDeep = definition.grammar.kind !== "json" && isTooDeep(text);
  const outcome = isDeep ? nestedTooDeeply(text, definition) : parseArguments(text, parts, definition);
  if (outcome.kind === "value") return { kind: "marker", definition, value: outcome.value };
  return { kind: "problem", definition, problem: outcome.problem };
}

/** Shows how a marker is written, for hints and help texts. */
export function usageOf({ name, grammar }: MarkerDefinition): string {
  switch (grammar.kind) {
    case "flag":
      return `+${name}`;
    case "value":
      return `+${name}=<${describeType(grammar.type)}>`;
    case "json":
      return `+${name}=<JSON>`;
    case "decimal":
      return `+${name}=<${grammar.isWhole ? "an integer" : "a number"}>`;
    case "raw":
      return `+${name}=<text>`;
    case "tag":
      return usageOfTag(name, grammar);
    default:
      return `+${name}:${grammar.arguments.map((each) => usageOfArgument(each)).join(",")}`;
  }
}

function usageOfArgument({ name, type, isOptional }: ArgumentDefinition): string {
  return isOptional ? `[${name}=<${describeType(type)}>]` : `${name}=<${describeType(type)}>`;
}

interface MarkerParts {
  /** Everything before the first `=`. */
  readonly fullName: string;
  /** The full name without its last segment, when there are arguments. */
  readonly shortName: string;
  /** The offset of the text after the `=`, undefined when there is none. */
  readonly argumentsOffset: number | undefined;
}

type Outcome =
  | { readonly kind: "value"; readonly value: MarkerValue }
  | { readonly kind: "problem"; readonly problem: MarkerProblem };

const DEEPEST_BRACES = 100;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth > DEEPEST_BRACES) return true;
  }
  return false;
}

function nestedTooDeeply(text: string, definition: MarkerDefinition): Outcome {
  const message = `+${definition.name} has more than ${DEEPEST_BRACES} nested braces`;
  return failure({ code: "MARKER_SYNTAX", message, text, definition, hint: "write a shorter value" });
}

function splitMarker(text: string): MarkerParts {
  const equals = text.indexOf("=");
  if (equals === -1) return { fullName: text.slice(1), shortName: text.slice(1), argumentsOffset: undefined };
  const fullName = text.slice(1, equals);
  const colon = fullName.lastIndexOf(":");
  return { fullName, shortName: colon === -1 ? fullName : fullName.slice(0, colon), argumentsOffset: equals + 1 };
}

function lookUp({ fullName, shortName }: MarkerParts, catalogue: MarkerCatalogue): MarkerDefinition | undefined {
  return catalogue.get(fullName) ?? catalogue.get(shortName);
}

function parseArguments(text: string, parts: MarkerParts, definition: MarkerDefinition): Outcome {
  const { grammar } = definition;
  const offset = parts.argumentsOffset;
  const rest = offset === undefined ? "" : text.slice(offset);
  switch (grammar.kind) {
    case "flag":
      return rest.trim() === "" ? success(true) : extraText({ text, definition, offset: offset ?? 0 });
    case "raw":
      return success(rest);
    case "json":
      return parseJson(text, offset, definition);
    case "decimal":
      return parseDecimal({ text, rest, definition, ...grammar });
    case "value":
      return parseSingleValue({ text, offset, definition, type: grammar.type, isOptional: grammar.isOptional });
    default:
      return parseNamedArguments(text, parts, definition);
  }
}

interface SingleValueOptions {
  readonly text: string;
  readonly offset: number | undefined;
  readonly definition: MarkerDefinition;
  readonly type: ArgumentType;
  readonly isOptional: boolean;
}

function parseSingleValue({ text, offset, definition, type, isOptional }: SingleValueOptions): Outcome {
  if (offset === undefined || offset >= text.length) {
    if (isOptional) return success("");
    return failure({
      code: "MARKER_MISSING_ARGUMENT",
      message: `+${definition.name} expects ${describeType(type)}`,
      text,
      definition,
    });
  }
  const parsed = parseValue({ text, offset, type });
  if (parsed.kind === "problem") return badArgument({ text, definition, problem: parsed.problem });
  const end = skipBlanks(text, parsed.end);
  if (end < text.length) return failTypeOrExtra({ text, definition, type, offset, end });
  return success(parsed.value);
}

// `Minimum=5 apples` is a wrong number rather than a number with something behind it.
function failTypeOrExtra(options: {
  readonly text: string;
  readonly definition: MarkerDefinition;
  readonly type: ArgumentType;
  readonly offset: number;
  readonly end: number;
}): Outcome {
  const { text, definition, type, offset, end } = options;
  if (type.kind === "any" || type.kind === "list") return extraText({ text, definition, offset: end });
  const message = `expects ${describeType(type)}, found ${JSON.stringify(text.slice(offset))}`;
  return badArgument({ text, definition, problem: { message, offset } });
}

function parseJson(text: string, offset: number | undefined, definition: MarkerDefinition): Outcome {
  const rest = offset === undefined ? "" : text.slice(offset);
  // A reference to a constant of Go has no value here; the marker then says nothing.
  if (rest.trim().startsWith("ref(")) return success(null);
  try {
    return success(JSON.parse(rest, refuseInfinite) as MarkerValue);
  } catch {
    const found = rest === "" ? "nothing" : rest;
    return failure({
      code: "MARKER_BAD_ARGUMENT",
      message: `+${definition.name} expects a JSON value, found ${found}`,
      text,
      definition,
      hint: `write the value as JSON, strings in quotes: +${definition.name}="text"`,
    });
  }
}

function refuseInfinite(_: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) throw new RangeError("a number out of range");
  return value;
}

interface DecimalOptions {
  readonly text: string;
  readonly rest: string;
  readonly definition: MarkerDefinition;
  readonly isWhole: boolean;
  readonly hasComment: boolean;
}

const WHOLE_NUMBER = /^[+-]?\d+$/u;
// An underscore may be between two digits.
const DECIMAL_NUMBER = /^[+-]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/u;

function parseDecimal({ text, rest, definition, isWhole, hasComment }: DecimalOptions): Outcome {
  const number = (hasComment ? (rest.split("#", 1)[0] ?? "") : rest).trim();
  const pattern = isWhole ? WHOLE_NUMBER : DECIMAL_NUMBER;
  const value = Number(number.replaceAll("_", ""));
  if (pattern.test(number) && Number.isFinite(value)) return success(value);
  const found = rest === "" ? "nothing" : JSON.stringify(rest);
  const what = isWhole ? "an integer" : "a number";
  return failure({
    code: "MARKER_BAD_ARGUMENT",
    message: `+${definition.name} expects ${what}, found ${found}`,
    text,
    definition,
  });
}

function parseNamedArguments(text: string, parts: MarkerParts, definition: MarkerDefinition): Outcome {
  if (definition.grammar.kind !== "arguments") return success(true);
  const values = new Map<string, MarkerValue>();
  const known = definition.grammar.arguments;
  let offset = firstArgumentOffset(parts, definition, text);
  if (parts.argumentsOffset !== undefined && offset >= text.length) {
    const message = `+${definition.name} expects name=value, found nothing`;
    return failure({ code: "MARKER_SYNTAX", message, text, definition, hint: SEPARATOR_HINT });
  }
  while (offset < text.length) {
    const step = parseNamedArgument({ text, offset, definition, known });
    if (step.kind === "problem") return step;
    values.set(step.name, step.value);
    offset = step.end;
  }
  const missing = known.filter((each) => !each.isOptional && !values.has(each.name)).map((each) => `"${each.name}"`);
  if (missing.length === 0) return success(Object.fromEntries(values));
  const message = `+${definition.name} lacks the argument${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
  return failure({ code: "MARKER_MISSING_ARGUMENT", message, text, definition });
}

function firstArgumentOffset(parts: MarkerParts, definition: MarkerDefinition, text: string): number {
  if (parts.argumentsOffset === undefined) return text.length;
  return parts.fullName === definition.name ? parts.argumentsOffset : definition.name.length + 2;
}

interface NamedArgumentOptions {
  readonly text: string;
  readonly offset: number;
  readonly definition: MarkerDefinition;
  readonly known: readonly ArgumentDefinition[];
}

type NamedArgument =
  | { readonly kind: "argument"; readonly name: string; readonly value: MarkerValue; readonly end: number }
  | { readonly kind: "problem"; readonly problem: MarkerProblem };

function parseNamedArgument({ text, offset, definition, known }: NamedArgumentOptions): NamedArgument {
  const name = scanToken(text, offset, { numbers: true });
  const equals = scanToken(text, name.end, { numbers: true });
  if (name.kind !== "identifier" || equals.text !== "=") {
    const found =
      text.slice(skipBlanks(text, offset)) === "" ? "nothing" : JSON.stringify(text.slice(skipBlanks(text, offset)));
    const message = `+${definition.name} expects name=value, found ${found}`;
    return failure({ code: "MARKER_SYNTAX", message, text, definition, offset, hint: SEPARATOR_HINT });
  }
  const argument = known.find((each) => each.name === name.text);
  if (argument === undefined) return unknownArgument({ text, definition, known, name: name.text, offset: name.start });
  const valueOffset = argument.type.kind === "string" ? equals.end : skipBlanks(text, equals.end);
  const parsed = parseValue({ text, offset: valueOffset, type: argument.type });
  if (parsed.kind === "problem") {
    return badArgument({ text, definition, problem: parsed.problem, argument: name.text, offset: name.start });
  }
  const end = skipBlanks(text, parsed.end);
  if (end >= text.length) return { kind: "argument", name: name.text, value: parsed.value, end };
  if (text[end] !== ",") {
    const found = JSON.stringify(text.slice(end));
    const message = `+${definition.name} expects a comma after the argument "${name.text}", found ${found}`;
    return failure({ code: "MARKER_SYNTAX", message, text, definition, offset: end, hint: SEPARATOR_HINT });
  }
  const next = skipBlanks(text, end + 1);
  if (next < text.length) return { kind: "argument", name: name.text, value: parsed.value, end: next };
  return failure({
    code: "MARKER_SYNTAX",
    message: `+${definition.name} ends in a comma`,
    text,
    definition,
    offset: end,
  });
}

const SEPARATOR_HINT =
  "separate arguments by commas and list values by semicolons, and quote a value that contains either";

function unknownArgument(options: {
  readonly text: string;
  readonly definition: MarkerDefinition;
  readonly known: readonly ArgumentDefinition[];
  readonly name: string;
  readonly offset: number;
}): { readonly kind: "problem"; readonly problem: MarkerProblem } {
  const { text, definition, known, name, offset } = options;
  const names = known.map((each) => each.name);
  const nearest = nearestMarkerName(name, names);
  const hint = nearest === undefined ? `its arguments are ${names.join(", ")}` : `did you mean "${nearest}"?`;
  const message = `+${definition.name} has no argument "${name}"`;
  return failure({ code: "MARKER_UNKNOWN_ARGUMENT", message, text, definition, offset, length: name.length, hint });
}

function badArgument(options: {
  readonly text: string;
  readonly definition: MarkerDefinition;
  readonly problem: ValueProblem;
  readonly argument?: string;
  readonly offset?: number;
}): { readonly kind: "problem"; readonly problem: MarkerProblem } {
  const { text, definition, problem, argument, offset } = options;
  const subject = argument === undefined ? `+${definition.name}` : `+${definition.name}: the argument "${argument}"`;
  const message = /^(?:expects|has|is) /u.test(problem.message)
    ? `${subject} ${problem.message}`
    : `${subject} cannot be read: ${problem.message}`;
  const quoted = argument === undefined ? inBackticks(text, problem) : undefined;
  const hint = problem.message.includes("escape")
    ? { hint: "put the value in backticks, where a backslash stands for itself" }
    : quoted === undefined
      ? {}
      : { hint: `put the value in backticks: ${quoted}` };
  return failure({
    code: "MARKER_BAD_ARGUMENT",
    message,
    text,
    definition,
    ...hint,
    ...(offset === undefined ? {} : { offset }),
  });
}

// Braces, commas, and semicolons of a pattern end or split a value that is not quoted.
function inBackticks(text: string, { message }: ValueProblem): string | undefined {
  const start = text.indexOf("=") + 1;
  const value = text.slice(start);
  const isText = message.startsWith("expects a string") && /[{};,]/u.test(value) && !/["'`]/u.test(value);
  return isText && start > 0 ? `${text.slice(0, start)}\`${value}\`` : undefined;
}

function extraText({
  text,
  definition,
  offset,
}: {
  readonly text: string;
  readonly definition: MarkerDefinition;
  readonly offset: number;
}): Outcome {
  const what = definition.grammar.kind === "flag" ? "takes no value" : "has text after its value";
  const message = `+${definition.name} ${what}, found ${JSON.stringify(text.slice(offset))}`;
  return failure({ code: "MARKER_EXTRA_ARGUMENT", message, text, definition, offset: 0 });
}

function failure(options: {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly text: string;
  readonly definition: MarkerDefinition;
  readonly offset?: number;
  readonly length?: number;
  readonly hint?: string;
}): { readonly kind: "problem"; readonly problem: MarkerProblem } {
  const { code, message, text, definition, offset = 0, hint = `write ${usageOf(definition)}` } = options;
  return {
    kind: "problem",
    problem: { code, message, hint, offset, length: options.length ?? Math.max(1, text.length - offset) },
  };
}

function success(value: MarkerValue): Outcome {
  return { kind: "value", value };
}
