import { UNREAD_TAGS } from "./definitions/declarative-definitions.ts";
import type { ArgumentDefinition, MarkerDefinition, MarkerValue, TagGrammar } from "./definitions/marker-definition.ts";
import { describeType } from "./parse-value.ts";
import type { MarkerCatalogue, ParsedMarker } from "./parsed-marker.ts";

/** Shows how a tag with arguments is written. */
export function usageOfTag(name: string, { arguments: known, isOpen, payload }: TagGrammar): string {
  const inside = known.map(({ name: key, type, isOptional, isPositional }) => {
    const text = isPositional === true ? `<${key}>` : `${key}: <${describeType(type)}>`;
    return isOptional ? `[${text}]` : text;
  });
  if (isOpen) inside.push("<key>: <a value>", "…");
  const parentheses = inside.length === 0 ? "" : `(${inside.join(", ")})`;
  return `+${name}${parentheses}${payload === "none" ? "" : "=+<tag>"}`;
}

/** Where a tag is, and how the tag inside it is read. */
interface ParseTagOptions {
  readonly text: string;
  readonly catalogue: MarkerCatalogue;
  readonly parse: (text: string) => ParsedMarker;
}

type Failure = readonly [message: string, hint: string];

/** Reads a tag of validation-gen by the grammar of the Go generators; undefined for a marker that is none. */
export function parseTag({ text, catalogue, parse }: ParseTagOptions): ParsedMarker | undefined {
  const name = /^\+(k8s:[A-Za-z]+)(?=[=(\s]|$)/u.exec(text)?.[1] ?? "";
  const definition = catalogue.get(name);
  if (definition?.grammar.kind !== "tag") return undefined;
  const { grammar } = definition;
  const fail = ([message, hint]: Failure): ParsedMarker => ({
    kind: "problem",
    definition,
    problem: { code: "MARKER_BAD_ARGUMENT", message: `+${name} ${message}`, hint, offset: 0, length: text.length },
  });
  if (text.split("+k8s:").length > DEEPEST)
    return fail(["contains too many tags", "write fewer tags inside each other"]);
  const list = readArguments(text, name.length + 1);
  if (list === undefined) return fail(["has arguments that cannot be read", `write ${usageOfTag(name, grammar)}`]);
  const values = checkArguments(list.values, definition, grammar);
  if (isFailure(values)) return fail(values);
  const rest = text.slice(list.end);
  if (grammar.payload === "none") {
    return /^\s*(?:#.*)?$/u.test(rest)
      ? { kind: "marker", definition, value: { arguments: values } }
      : fail([`takes no value, found ${JSON.stringify(rest)}`, `write ${usageOfTag(name, grammar)}`]);
  }
  const payload = /^=\s*(\+.*)$/su.exec(rest)?.[1];
  if (payload === undefined) return fail(["expects a tag after =", `write ${usageOfTag(name, grammar)}`]);
  const inner = parse(payload);
  const innerName = /^\+(k8s:[A-Za-z]+)/u.exec(payload)?.[1];
  if (inner.kind === "unknown" || innerName === undefined)
    return fail([
      `contains ${payload}, which is no tag that generators read`,
      UNREAD_TAGS.get(innerName ?? "") ?? "use a tag of validation-gen, such as +k8s:maxLength=5",
    ]);
  if (inner.kind === "problem") return fail([`contains an invalid tag: ${inner.problem.message}`, inner.problem.hint]);
  if (grammar.payload === "replacement") return inner;
  const value = { name: inner.definition.name, value: inner.value };
  return { kind: "marker", definition, value: { arguments: values, payload: value } };
}

const DEEPEST = 12;

function isFailure(outcome: object): outcome is Failure {
  return Array.isArray(outcome);
}

/** An argument as it is written; the name is undefined for a value alone. */
type WrittenArgument = readonly [name: string | undefined, value: MarkerValue];

const ARGUMENT = /\s*(?:([A-Za-z_]\w*)\s*:\s*)?("(?:[^"\\]|\\.)*"|`[^`]*`|[+-]?\d+|[A-Za-z_][\w.-]*)\s*([,)])/uy;

function readArguments(
  text: string,
  offset: number,
): { readonly values: readonly WrittenArgument[]; readonly end: number } | undefined {
  if (text[offset] !== "(") return { values: [], end: offset };
  const empty = /\(\s*\)/uy;
  empty.lastIndex = offset;
  if (empty.test(text)) return { values: [], end: empty.lastIndex };
  const values: WrittenArgument[] = [];
  ARGUMENT.lastIndex = offset + 1;
  for (let match = ARGUMENT.exec(text); match !== null; match = ARGUMENT.exec(text)) {
    const [, name, written = "", separator] = match;
    const value = readValue(written);
    if (value === undefined) return undefined;
    values.push([name, value]);
    if (separator === ")") return { values, end: ARGUMENT.lastIndex };
  }
  return undefined;
}

function readValue(written: string): MarkerValue | undefined {
  if (written === "true" || written === "false") return written === "true";
  if (/^[+-]?\d/u.test(written)) return Number(written);
  if (written.startsWith("`")) return written.slice(1, -1);
  if (!written.startsWith('"')) return written;
  // The only escapes are those of the quote and the backslash.
  return /\\[^"\\]/u.test(written) ? undefined : written.slice(1, -1).replaceAll(/\\(.)/gu, "$1");
}

function checkArguments(
  written: readonly WrittenArgument[],
  definition: MarkerDefinition,
  grammar: TagGrammar,
): Failure | { readonly [key: string]: MarkerValue } {
  const values: Record<string, MarkerValue> = {};
  for (const [name, value] of written) {
    const known = findArgument(name, grammar);
    if (known === undefined && (name === undefined || !grammar.isOpen)) {
      const what = name === undefined ? "a value without a name" : `the argument ${JSON.stringify(name)}`;
      return [`does not take ${what}`, `write ${usageOfTag(definition.name, grammar)}`];
    }
    const key = known?.name ?? name ?? "";
    if (Object.hasOwn(values, key)) return [`has the argument ${JSON.stringify(key)} twice`, "remove one of them"];
    values[key] =
      known === undefined || (typeof value !== "number" && typeof value !== "boolean") ? value : String(value);
  }
  const missing = grammar.arguments.find((each) => !each.isOptional && values[each.name] === undefined);
  if (missing === undefined) return values;
  return [`lacks the argument ${JSON.stringify(missing.name)}`, `write ${usageOfTag(definition.name, grammar)}`];
}

function findArgument(name: string | undefined, grammar: TagGrammar): ArgumentDefinition | undefined {
  return grammar.arguments.find((each) => (name === undefined ? each.isPositional === true : each.name === name));
}
